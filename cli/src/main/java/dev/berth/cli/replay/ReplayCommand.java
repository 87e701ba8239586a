package dev.berth.cli.replay;

import dev.berth.cli.journal.JournalParameter;
import dev.berth.cli.session.SessionCommand;
import dev.berth.runtime.Replay;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth replay}: runs a journal again and compares all plans. */
@Command(
    name = "replay",
    header = "Runs the journal of a scheduler again, and checks that each plan is the same.",
    description =
        "Reads only; the scheduler may run. Fails at the first pass that differs. 'berth explain "
            + "--journal' says why an instance waited. To see what another policy would have done, "
            + "give 'journal:JOURNAL' to 'berth compare'.",
    footer = {
      "  berth replay journal/",
      "  berth replay --plugins build/libs journal/",
      "  berth explain --journal journal/ render-17 --at 2h",
      "  berth compare --workload journal:journal --policies qos-driven,priority"
    })
public final class ReplayCommand extends SessionCommand implements Runnable {

  @Mixin private JournalParameter journal = new JournalParameter();

  @Override
  public void run() {
    Replay.Summary summary =
        new JournalReplay(journal.folder(), session(), err()).run(Replay::verify);
    out()
        .printf(
            "%s inputs and %s passes from record %s to %s: all plans and states are as recorded%n",
            summary.inputs(), summary.passes(), summary.first(), summary.last());
  }
}
