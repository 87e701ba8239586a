package dev.berth.cli.replay;

import dev.berth.cli.journal.JournalParameter;
import dev.berth.cli.journal.JournalReplay;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.output.ReportTarget;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.ShellWord;
import dev.berth.experiments.page.TimelineFigures;
import dev.berth.report.Document;
import dev.berth.report.Section;
import dev.berth.report.TimelineChart;
import dev.berth.runtime.LoopTimeline;
import dev.berth.runtime.Replay;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth replay}: runs a journal again and compares all plans. */
@Command(
    name = "replay",
    header = "Runs the journal of a scheduler again, and checks that each plan is the same.",
    description =
        "Reads only; the scheduler may run. Fails at the first pass that differs. 'berth explain "
            + "--journal' says why an instance waited, and --report shows what ran where and when. To see what another policy would have done, "
            + "give 'journal:JOURNAL' to 'berth compare'.",
    footer = {
      "  berth replay journal/",
      "  berth replay --plugins build/libs journal/",
      "  berth replay --report page journal/",
      "  berth explain --journal journal/ render-17 --at 2h",
      "  berth compare --workload journal:journal --policies qos-driven,priority"
    })
public final class ReplayCommand extends SessionCommand implements Runnable {

  @Mixin private JournalParameter journal = new JournalParameter();
  @Mixin private ReportTarget report = new ReportTarget();

  @Override
  public void run() {
    report.check();
    JournalReplay replay = new JournalReplay(journal.folder(), session(), err());
    Replay.Summary summary;
    if (report.isWanted()) {
      try (OutputFiles files = new OutputFiles()) {
        summary = replay.run(each -> report(each, files));
        files.commit();
      }
    } else {
      summary = replay.run(Replay::verify);
    }
    out()
        .printf(
            "%s inputs and %s passes from record %s to %s: all plans and states are as recorded%n",
            summary.inputs(), summary.passes(), summary.first(), summary.last());
  }

  private Replay.Summary report(Replay replay, OutputFiles files) throws IOException {
    LoopTimeline recorded =
        new LoopTimeline(replay.settings().serviceClasses(), replay.begin().orElse(0));
    Replay.Summary summary = replay.run(recorded);
    String name = journal.folder().name();
    String policy = summary.settings().policy();
    TimelineChart.Run run =
        new TimelineChart.Run(
            policy,
            recorded.timeline(),
            "berth explain --journal %s {id} --at {at}".formatted(ShellWord.quoted(name)));
    report.addTo(
        files,
        () ->
            new Document(
                "%s: %s".formatted(name, policy),
                "What the scheduler of the journal did: %s events, %s passes."
                    .formatted(summary.inputs(), summary.passes()),
                List.of(
                    new Section(
                        "what-ran", "What ran where, and when", TimelineFigures.of(List.of(run)))),
                List.of()));
    return summary;
  }
}
