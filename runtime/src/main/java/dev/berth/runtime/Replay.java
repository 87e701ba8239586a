package dev.berth.runtime;

import dev.berth.api.Plan;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.error.SnapshotException;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.entry.Settings;
import dev.berth.runtime.input.Input;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalInspection;
import dev.berth.runtime.journal.JournalSnapshot;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Runs the journal of a scheduler again, from its oldest record or snapshot, and compares each plan
 * and each state with the journal. Reads only, so the loop that writes the journal may run.
 *
 * <p>The policy must be in the registry, under the id that the journal names. For one thread.
 */
public final class Replay {

  /** Hears what happens during a replay. All times are those of the scheduler. */
  public interface Listener {

    /** Hears of the scheduler before its first input. It may already have hosts and instances. */
    default void begins(Scheduler scheduler) {}

    /**
     * Hears of an input that was accepted.
     *
     * @param result what the scheduler returned
     */
    default void applied(long now, Input<?> input, Object result) {}

    /** Hears of a plan. */
    default void planned(Plan plan) {}
  }

  /**
   * What a replay verified.
   *
   * @param records the number of records that were applied
   * @param inputs the number of inputs among them
   * @param passes the number of passes, whose plans and states are as recorded
   * @param first the number of the first record after the snapshot, if there was one, or of the
   *     first record
   * @param last the number of the last record
   * @param settings the latest settings in the journal
   */
  public record Summary(
      long records, long inputs, long passes, long first, long last, Settings settings) {}

  private final JournalInspection journal;
  private final PolicyRegistry registry;

  private Replay(JournalInspection journal, PolicyRegistry registry) {
    this.journal = journal;
    this.registry = registry;
  }

  /** Returns the replay of a journal with the policies of a registry. */
  public static Replay of(JournalInspection journal, PolicyRegistry registry) {
    Objects.requireNonNull(journal, "Replay.of: journal was null, must not be null.");
    Objects.requireNonNull(registry, "Replay.of: registry was null, must not be null.");
    return new Replay(journal, registry);
  }

  /**
   * Runs all records again.
   *
   * @throws ReplayMismatchException at the first pass that differs
   * @throws UnreadableException if a record cannot be understood
   * @throws SnapshotException if the snapshot cannot be restored
   * @throws IOException if the journal cannot be read
   */
  public Summary verify() throws IOException {
    return run(new Listener() {}, OptionalLong.empty()).summary(journal);
  }

  /** Runs all records again, and tells a listener; throws as {@link #verify} does. */
  public Summary run(Listener listener) throws IOException {
    Objects.requireNonNull(listener, "Replay.run: listener was null, must not be null.");
    return run(listener, OptionalLong.empty()).summary(journal);
  }

  /**
   * Returns the scheduler as it was at a time: after all inputs and passes up to it. Throws as
   * {@link #verify} does.
   *
   * @throws IllegalArgumentException if the journal begins after that time
   */
  public Scheduler until(long time) throws IOException {
    Run run = run(new Listener() {}, OptionalLong.of(time));
    if (!run.replayer.hasScheduler() || run.replayer.scheduler().now() > time) {
      throw new IllegalArgumentException(
          "the journal begins after %s ns, which is before its oldest record or snapshot."
              .formatted(time));
    }
    return run.replayer.scheduler();
  }

  private Run run(Listener listener, OptionalLong until) throws IOException {
    Run run = new Run(new Replayer(this::builder, new ActionQueue(1), listener));
    Optional<JournalSnapshot> snapshot = Optional.ofNullable(journal.latestSnapshot());
    long from = journal.firstNumber();
    if (from > 1) { // what came before is in a snapshot
      JournalSnapshot oldest =
          snapshot.orElseThrow(
              () ->
                  new IllegalStateException(
                      "the journal begins with record %s, but no snapshot covers those before."
                          .formatted(journal.firstNumber())));
      run.replayer.restore(oldest);
      from = oldest.number() + 1;
    }
    run.first = from;
    try (JournalCursor cursor = journal.read(from)) {
      while (cursor.next()) {
        Entry entry = EntryFormat.read(cursor.bytes());
        if (until.isPresent() && timeOf(entry) > until.getAsLong()) {
          break;
        }
        run.replayer.apply(cursor.number(), entry);
        run.records++;
      }
    }
    return run;
  }

  private static long timeOf(Entry entry) {
    if (entry instanceof Entry.Applied applied) {
      return applied.now();
    }
    return entry instanceof Entry.Passed passed ? passed.now() : Long.MIN_VALUE;
  }

  private Scheduler.Builder builder(Settings settings) {
    return settings.toBuilder().registry(registry);
  }

  /** One run. */
  private static final class Run {
    private final Replayer replayer;
    private long first;
    private long records;

    Run(Replayer replayer) {
      this.replayer = replayer;
    }

    Summary summary(JournalInspection journal) {
      Settings settings = replayer.settings();
      if (settings == null) {
        throw new IllegalStateException("the journal is empty: it has no settings of a scheduler.");
      }
      return new Summary(
          records, replayer.inputs(), replayer.passes(), first, journal.lastNumber(), settings);
    }
  }
}
