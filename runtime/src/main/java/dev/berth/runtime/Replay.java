package dev.berth.runtime;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.plan.Plan;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.event.Event;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.entry.SavedState;
import dev.berth.runtime.entry.Settings;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalInspection;
import dev.berth.runtime.journal.JournalSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Runs the journal of a scheduler again, from its oldest record or snapshot, and compares each plan
 * and each state with the journal. Reads only, so the loop that writes the journal may run.
 *
 * <p>The policy must be in the registry, under the id that the journal names. A damaged journal is
 * replayed up to the damage; {@link JournalInspection#isDamaged} tells. For one thread.
 */
public final class Replay {

  /** Hears what happens during a replay. All times are those of the scheduler. */
  public interface Listener {

    /** Hears of the scheduler before its first event. It may already have hosts and instances. */
    default void begins(Scheduler scheduler) {}

    /**
     * Hears of an event that was accepted.
     *
     * @param result what the scheduler returned
     */
    default void applied(long now, Event<?> event, Object result) {}

    /** Hears of a plan. */
    default void planned(Plan plan) {}
  }

  /**
   * What a replay verified.
   *
   * @param records the number of records that were applied
   * @param inputs the number of events among them
   * @param passes the number of passes, whose plans and states are as recorded
   * @param first the number of the first record after the snapshot, if there was one, or of the
   *     first record
   * @param last the number of the last record
   * @param settings the latest settings in the journal
   */
  public record Summary(
      long records, long inputs, long passes, long first, long last, Settings settings) {}

  private static final int DECISIONS = 1000;
  private static final long TIMELESS = Long.MIN_VALUE;

  private final JournalInspection journal;
  private final PolicyRegistry registry;
  private final int decisions;

  private Replay(JournalInspection journal, PolicyRegistry registry, int decisions) {
    this.journal = journal;
    this.registry = registry;
    this.decisions = decisions;
  }

  /** Returns the replay of a journal with the policies of a registry. */
  public static Replay of(JournalInspection journal, PolicyRegistry registry) {
    Objects.requireNonNull(journal, "journal");
    Objects.requireNonNull(registry, "registry");
    return new Replay(journal, registry, DECISIONS);
  }

  /**
   * Returns the same replay with schedulers that keep so many decisions for explanations; by
   * default 1000.
   *
   * @throws IllegalArgumentException if negative
   */
  public Replay decisionLog(int keepLast) {
    refuseIf(keepLast < 0, "decision log was %s, must be 0 or more.", keepLast);
    return new Replay(journal, registry, keepLast);
  }

  /**
   * Returns the settings with which the replay begins. The policy need not be in the registry.
   *
   * @throws UnreadableException if the first record cannot be understood
   * @throws SnapshotException if the oldest snapshot cannot be read
   * @throws IllegalStateException if the journal has neither a snapshot nor settings
   * @throws IOException if the journal cannot be read
   */
  public Settings settings() throws IOException {
    Optional<JournalSnapshot> snapshot = snapshot();
    if (snapshot.isPresent()) {
      return saved(snapshot.get()).settings();
    }
    try (JournalCursor cursor = journal.read(journal.firstNumber())) {
      while (cursor.next()) {
        if (EntryFormat.read(cursor.bytes()) instanceof Entry.Opened opened) {
          return opened.settings();
        }
      }
    }
    throw new IllegalStateException("the journal is empty: it has no settings of a scheduler.");
  }

  /**
   * Returns the time of the scheduler at which the replay begins: that of the oldest snapshot, or
   * that of the first event or pass. Empty if there is none. Throws as {@link #settings} does.
   */
  public OptionalLong begin() throws IOException {
    Optional<JournalSnapshot> snapshot = snapshot();
    if (snapshot.isPresent()) {
      OptionalLong saved = saved(snapshot.get()).scheduler().progress().now();
      if (saved.isPresent()) {
        return saved;
      }
    }
    try (JournalCursor cursor = journal.read(from(snapshot))) {
      while (cursor.next()) {
        long time = timeOf(EntryFormat.read(cursor.bytes()));
        if (time != TIMELESS) {
          return OptionalLong.of(time);
        }
      }
    }
    return OptionalLong.empty();
  }

  /**
   * Returns the time of the last event or pass; that of the {@linkplain #begin beginning} if there
   * is none. Reads all records and replays none. Throws as {@link #settings} does.
   */
  public OptionalLong end() throws IOException {
    long last = TIMELESS;
    try (JournalCursor cursor = journal.read(from(snapshot()))) {
      while (cursor.next()) {
        last = Math.max(last, timeOf(EntryFormat.read(cursor.bytes())));
      }
    }
    return last == TIMELESS ? begin() : OptionalLong.of(last);
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
    return run(new Listener() {});
  }

  /** Runs all records again, and tells a listener; throws as {@link #verify} does. */
  public Summary run(Listener listener) throws IOException {
    Objects.requireNonNull(listener, "listener");
    Replayer replayer = run(snapshot(), listener, OptionalLong.empty());
    Settings settings = replayer.settings();
    if (settings == null) {
      throw new IllegalStateException("the journal is empty: it has no settings of a scheduler.");
    }
    return new Summary(
        replayer.records(),
        replayer.inputs(),
        replayer.passes(),
        from(snapshot()),
        journal.lastNumber(),
        settings);
  }

  /**
   * Returns the scheduler as it was at a time: after all events and passes up to it. Throws as
   * {@link #verify} does.
   *
   * @throws IllegalArgumentException if the journal begins after that time
   */
  public Scheduler until(long time) throws IOException {
    return until(time, new Listener() {});
  }

  /** Does as {@link #until(long)}, and tells a listener what happens up to that time. */
  public Scheduler until(long time, Listener listener) throws IOException {
    Objects.requireNonNull(listener, "listener");
    Replayer replayer = run(snapshot(), listener, OptionalLong.of(time));
    refuseIf(
        !replayer.hasScheduler() || replayer.scheduler().now() > time,
        "the journal begins after %s ns, which is before its oldest record or snapshot.",
        time);
    return replayer.scheduler();
  }

  /**
   * Copies what a start of the loop could replay, if it fails because a pass differs: the latest
   * snapshot and the records after it, up to the one before that pass. Their numbers begin anew.
   * The journal stays as it is.
   *
   * <p>A loop that starts from the copy learns from its fleet what became of all that was left out.
   * It gives the numbers of passes and attempts that were left out again.
   *
   * @param directory where to write; must not exist, or be empty. It is complete once it exists
   * @return what was left out; empty if no pass differs, and nothing was written then
   * @throws FileAlreadyExistsException if the directory has files, or is a file
   * @throws UnreadableException if a record before that pass cannot be understood
   * @throws SnapshotException if the snapshot cannot be restored
   * @throws IOException if a journal cannot be read or written
   */
  public Optional<Salvage> salvage(Path directory) throws IOException {
    Path target = directory.toAbsolutePath();
    requireEmpty(target);
    Optional<JournalSnapshot> latest = Optional.ofNullable(journal.latestSnapshot());
    try {
      run(latest, new Listener() {}, OptionalLong.empty());
      return Optional.empty();
    } catch (ReplayMismatchException differs) {
      long kept = Salvage.copy(journal, latest, from(latest), differs.record(), target);
      return Optional.of(Salvage.of(journal, differs, kept));
    }
  }

  /** Returns the snapshot that the replay begins with; empty if it begins with the first record. */
  private Optional<JournalSnapshot> snapshot() {
    JournalSnapshot oldest = journal.oldestSnapshot();
    if (journal.firstNumber() <= 1 && (oldest == null || oldest.number() > 0)) {
      return Optional.empty();
    }
    if (oldest == null) {
      throw new IllegalStateException(
          "the journal begins with record %s, but no snapshot covers those before."
              .formatted(journal.firstNumber()));
    }
    return Optional.of(oldest);
  }

  private static SavedState saved(JournalSnapshot snapshot) throws IOException {
    try (InputStream content = snapshot.open()) {
      return SavedState.readFrom(content);
    }
  }

  private long from(Optional<JournalSnapshot> snapshot) {
    return snapshot.map(each -> each.number() + 1).orElse(journal.firstNumber());
  }

  private static void requireEmpty(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        if (files.findAny().isEmpty()) {
          return;
        }
      }
    }
    throw new FileAlreadyExistsException(directory.toString());
  }

  private Replayer run(Optional<JournalSnapshot> snapshot, Listener listener, OptionalLong until)
      throws IOException {
    Replayer replayer = new Replayer(this::builder, new ActionQueue(1), listener);
    if (snapshot.isPresent()) {
      replayer.restore(snapshot.get());
    }
    try (JournalCursor cursor = journal.read(from(snapshot))) {
      while (cursor.next()) {
        Entry entry = EntryFormat.read(cursor.bytes());
        if (until.isPresent() && timeOf(entry) > until.getAsLong()) {
          break;
        }
        replayer.apply(cursor.number(), entry);
      }
    }
    return replayer;
  }

  private static long timeOf(Entry entry) {
    if (entry instanceof Entry.Applied applied) {
      return applied.now();
    }
    return entry instanceof Entry.Passed passed ? passed.now() : TIMELESS;
  }

  private Scheduler.Builder builder(Settings settings) {
    return settings.toBuilder().registry(registry).decisionLog(decisions);
  }
}
