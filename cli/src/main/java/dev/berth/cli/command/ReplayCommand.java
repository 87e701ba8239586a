package dev.berth.cli.command;

import dev.berth.cli.option.DurationConverter;
import dev.berth.cli.option.JournalFolder;
import dev.berth.cli.option.Policies;
import dev.berth.cli.terminal.BadInputException;
import dev.berth.cli.terminal.ExitCode;
import dev.berth.cli.terminal.Output;
import dev.berth.cli.terminal.RunFailedException;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.Replay;
import dev.berth.runtime.ReplayMismatchException;
import dev.berth.runtime.input.Input;
import dev.berth.runtime.journal.JournalInspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code berth replay}: runs a journal again and compares all plans. */
@Command(
    name = "replay",
    header = "Runs the journal of a scheduler again, and checks that each plan is the same.",
    description =
        "Reads only; the scheduler may run. With --why, prints why an instance waited at a time. To "
            + "see what another policy would have done, give 'journal:JOURNAL' to 'berth compare'.",
    footer = {
      "  berth replay journal/",
      "  berth replay journal/ --why render-17 --at 2h",
      "  berth compare --workload journal:journal --infrastructure journal:journal \\",
      "      --events journal:journal --policies qos-driven,priority"
    })
public final class ReplayCommand implements Callable<Integer> {

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private Session session;

  @Mixin private JournalFolder folder = new JournalFolder();

  @Option(
      names = "--why",
      paramLabel = "INSTANCE",
      description = "Instance of which to print why it waited; needs --at.")
  private @Nullable String instance;

  @Option(
      names = "--at",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Time of that explanation, from the first input in the journal on.")
  private @Nullable Duration at;

  @Override
  public Integer call() {
    if ((instance == null) != (at == null)) {
      throw new BadInputException("--why and --at need each other.");
    }
    PrintWriter out = output.out();
    JournalInspection journal = folder.inspect();
    try (Policies policies = session.policies()) {
      Replay replay = Replay.of(journal, policies.registry());
      if (instance != null && at != null) {
        explain(replay, instance, at, out);
      } else {
        Replay.Summary summary = replay.verify();
        out.printf(
            "%s inputs and %s passes from record %s to %s: all plans and states are as recorded%n",
            summary.inputs(), summary.passes(), summary.first(), summary.last());
      }
    } catch (ReplayMismatchException
        | UnreadableException
        | SnapshotException
        | UnknownPolicyException
        | IllegalStateException failed) {
      throw new RunFailedException(String.valueOf(failed.getMessage()), failed);
    } catch (IOException unreadable) {
      throw folder.unreadable(unreadable);
    }
    return ExitCode.DONE;
  }

  private static void explain(Replay replay, String id, Duration after, PrintWriter out)
      throws IOException {
    long begin = begin(replay);
    Scheduler scheduler;
    try {
      scheduler = replay.until(begin + after.toNanos());
      out.println(
          scheduler
              .explain()
              .whyPending(id, Math.max(begin + after.toNanos(), scheduler.now()))
              .describe());
    } catch (EventRefusedException | IllegalArgumentException unknown) {
      throw new BadInputException("--why: " + unknown.getMessage(), unknown);
    }
  }

  /** Returns the time of the first input. */
  private static long begin(Replay replay) throws IOException {
    long[] first = {Long.MAX_VALUE};
    replay.run(
        new Replay.Listener() {
          @Override
          public void applied(long now, Input<?> input, Object result) {
            first[0] = Math.min(first[0], now);
          }
        });
    return first[0];
  }
}
