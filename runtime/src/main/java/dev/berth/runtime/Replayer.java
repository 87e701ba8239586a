package dev.berth.runtime;

import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.event.Event;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.entry.SavedState;
import dev.berth.runtime.entry.Settings;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives a scheduler the events of a journal again, and compares the plans and states with those of
 * the journal. For one thread.
 */
final class Replayer {

  private final Function<Settings, Scheduler.Builder> builders;
  private final ActionQueue actions;
  private final Replay.Listener listener;
  private final Recalls recalls = new Recalls();
  private @Nullable Settings settings;
  private @Nullable Scheduler scheduler;
  private long records;
  private long inputs;
  private long bytes;
  private long passes;

  /**
   * Creates a replayer.
   *
   * @param builders returns a builder of the scheduler, for the settings in the journal
   * @param actions receives the actions that the fleet has not carried out
   * @param listener hears what happens
   */
  Replayer(
      Function<Settings, Scheduler.Builder> builders,
      ActionQueue actions,
      Replay.Listener listener) {
    this.builders = builders;
    this.actions = actions;
    this.listener = listener;
  }

  /** Begins with a snapshot. */
  void restore(JournalSnapshot snapshot) throws IOException {
    SavedState saved;
    AtomicLong checksum = new AtomicLong();
    try (InputStream content = snapshot.open()) {
      saved = SavedState.readFrom(content, checksum::set);
    }
    settings = saved.settings();
    Scheduler restored = restored(saved, checksum.get());
    scheduler = restored;
    listener.begins(restored);
    saved.open().forEach(each -> actions.add(each.id(), each.action()));
    actions.savedAfter(scheduler.passes());
  }

  /**
   * Restores a scheduler. Its digest, which the next pass needs, shows that what it is restored
   * from is undamaged. Only if it differs is the digest of that computed.
   */
  private Scheduler restored(SavedState saved, long checksum) {
    SchedulerSnapshot snapshot = saved.scheduler();
    try {
      Scheduler restored = builders.apply(saved.settings()).restore(snapshot).build();
      if (snapshot.checksum(restored.digest()) != checksum) {
        snapshot.requireChecksum(checksum); // as that of an older format
      }
      return restored;
    } catch (RuntimeException failure) {
      snapshot.requireChecksum(checksum); // otherwise damage is the cause
      throw failure;
    }
  }

  /** Applies all records from the position of a cursor on. */
  void applyAll(JournalCursor cursor) throws IOException {
    while (cursor.next()) {
      byte[] record = cursor.bytes();
      bytes += record.length;
      apply(cursor.number(), EntryFormat.read(record));
    }
  }

  /**
   * Applies a record.
   *
   * @throws ReplayMismatchException if a pass differs
   */
  void apply(long number, Entry entry) {
    records++;
    if (entry instanceof Entry.Opened opened) {
      if (scheduler == null) {
        Scheduler begun = builders.apply(opened.settings()).build();
        scheduler = begun;
        listener.begins(begun);
        settings = opened.settings();
      } else {
        change(opened.settings());
      }
    } else if (entry instanceof Entry.Applied applied) {
      inputs++;
      try {
        apply(applied.input(), applied.now());
      } catch (SchedulerFailedException failed) {
        throw failed;
      } catch (RuntimeException refused) {
        // It was refused before as well, or a later digest differs.
      }
    } else if (entry instanceof Entry.Passed passed) {
      passes++;
      pass(number, passed);
    } else if (entry instanceof Entry.Settled settled) {
      actions.settled(settled.action());
    }
  }

  /** Lets a scheduler with other settings take over, if these are others. */
  void change(Settings next) {
    if (!presentSettings().differences(next).isEmpty()) {
      Scheduler taken = builders.apply(next).takeOver(scheduler().snapshot()).build();
      scheduler = taken;
      listener.begins(taken);
      actions.savedAfter(taken.passes()); // what was open cannot be undone any more
    }
    settings = next;
  }

  /** Returns the latest settings; there must be a scheduler. */
  Settings presentSettings() {
    return Objects.requireNonNull(settings, "settings");
  }

  private <R> void apply(Event<R> event, long now) {
    List<OpenActions.Stop> stops = OpenActions.stops(event, scheduler());
    R result = scheduler().apply(event, now);
    recalls.add(event, OpenActions.after(event, result, actions), stops);
    listener.applied(now, event, Objects.requireNonNull(result));
  }

  private void pass(long number, Entry.Passed expected) {
    Plan plan;
    try {
      plan = scheduler().schedule(expected.now());
    } catch (PolicyFailedException failed) {
      throw new ReplayMismatchException(
          expected.pass(),
          number,
          "the policy failed, but had returned a plan: " + failed.getMessage());
    }
    OpenActions.add(plan, actions);
    listener.planned(plan);
    recalls.passed();
    Entry.Passed actual = Entry.Passed.of(plan, scheduler());
    if (actual.pass() != expected.pass()) {
      throw new ReplayMismatchException(
          expected.pass(), number, "it is pass %s of the replay".formatted(actual.pass()));
    }
    if (actual.plan() != expected.plan()) {
      throw new ReplayMismatchException(
          expected.pass(),
          number,
          "the plan differs from the recorded one; it is %s".formatted(OpenActions.describe(plan)));
    }
    if (actual.state() != expected.state()) {
      throw new ReplayMismatchException(
          expected.pass(), number, "the plan is as recorded, but the state after it differs");
    }
  }

  /** Returns whether there was anything to begin with. */
  boolean hasScheduler() {
    return scheduler != null;
  }

  Scheduler scheduler() {
    Scheduler present = scheduler;
    if (present == null) {
      throw new IllegalStateException(
          "the journal has neither a snapshot nor the settings of a scheduler at its beginning.");
    }
    return present;
  }

  /** Returns the latest settings in the journal; null before the first record. */
  @Nullable Settings settings() {
    return settings;
  }

  /** Returns what the fleet may not have been told. */
  Recalls recalls() {
    return recalls;
  }

  /** Returns the number of records that were applied. */
  long records() {
    return records;
  }

  long inputs() {
    return inputs;
  }

  /** Returns the bytes of the records that were read. */
  long bytes() {
    return bytes;
  }

  long passes() {
    return passes;
  }
}
