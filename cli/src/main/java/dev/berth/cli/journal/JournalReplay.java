package dev.berth.cli.journal;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.session.Policies;
import dev.berth.cli.session.Session;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.Printable;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.error.SnapshotException;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.Replay;
import dev.berth.runtime.ReplayMismatchException;
import dev.berth.runtime.journal.JournalInspection;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * Replays a journal with the available policies. All errors are messages for users.
 *
 * @param folder the journal
 * @param session finds the policies and shows the progress
 * @param err standard error, for notes on what does not count
 */
public record JournalReplay(JournalFolder folder, Session session, PrintWriter err) {

  /** What is done with a replay. */
  @FunctionalInterface
  public interface Work<T> {
    T with(Replay replay) throws IOException;
  }

  /**
   * Replays the journal.
   *
   * @throws BadInputException if the journal does not exist or is damaged, or its policy is missing
   * @throws RunFailedException if the policy decides otherwise than recorded, or cannot be restored
   */
  public <T> T run(Work<T> work) {
    JournalInspection journal =
        folder.inspectUndamaged(note -> err.println("note: " + Printable.line(note)));
    try (Policies policies = session.policies();
        ProgressDisplay display = session.progress()) {
      Replay replay = Replay.of(journal, policies.registry());
      requirePolicy(replay.settings().policy(), policies.registry());
      display.begin("replaying " + folder.name());
      return work.with(replay);
    } catch (ConfigException wrong) {
      throw BadInputException.of(folder.problem("cannot be replayed: "), wrong);
    } catch (ReplayMismatchException
        | UnreadableException
        | SnapshotException
        | SchedulerFailedException
        | IllegalStateException failed) {
      throw new RunFailedException(
          folder.problem("cannot be replayed: " + failed.getMessage()), failed);
    } catch (IOException unreadable) {
      throw folder.unreadable(unreadable);
    }
  }

  private void requirePolicy(String id, PolicyRegistry registry) {
    BadInputException.unless(
        registry.ids().contains(id),
        folder.problem(
            "is the journal of the policy %s, which is not available. %s"
                .formatted(id, Policies.MISSING_JAR)));
  }
}
