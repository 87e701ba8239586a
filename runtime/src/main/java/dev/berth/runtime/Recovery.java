package dev.berth.runtime;

import dev.berth.api.Backoff;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.error.SnapshotException;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.entry.Settings;
import dev.berth.runtime.journal.Journal;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a loop recovered from its journal when it started. */
public final class Recovery {

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final Scheduler scheduler;
  private final Settings settings;
  private final ActionQueue actions;
  private final Replayer replayed;
  private final long snapshot;
  private final int underWay;
  private final Duration time;

  private Recovery(
      Scheduler scheduler,
      Settings settings,
      ActionQueue actions,
      Replayer replayed,
      long snapshot,
      Duration time) {
    this.scheduler = scheduler;
    this.settings = settings;
    this.actions = actions;
    this.replayed = replayed;
    this.snapshot = snapshot;
    this.underWay = actions.size();
    this.time = time;
  }

  /** Recovers a scheduler, or begins a new one if the journal is empty or absent. */
  static Recovery of(
      @Nullable Journal journal,
      Supplier<Scheduler.Builder> maker,
      boolean settingsMayChange,
      int underWayPerHost)
      throws IOException {
    long start = System.nanoTime();
    ActionQueue actions = new ActionQueue(underWayPerHost);
    PolicyRegistry registry = PolicyRegistry.load();
    Optional<Backoff> byDefault = Optional.of(SchedulerLoop.DEFAULT_INSTANCE_BACKOFF);
    Replayer replayer =
        new Replayer(
            saved -> {
              Scheduler.Builder builder = builder(maker, saved.instanceBackoff());
              Settings wanted = wanted(maker, saved.instanceBackoff(), registry);
              if (saved.differences(wanted).isEmpty()) {
                return builder;
              } else if (!registry.ids().contains(saved.policy())) {
                throw otherSettings(saved, wanted); // so what it decided cannot be repeated
              }
              return saved.toBuilder();
            },
            actions,
            new Replay.Listener() {});
    if (journal == null) {
      Scheduler begun = builder(maker, byDefault).build();
      return new Recovery(begun, Settings.of(begun, registry), actions, replayer, 0, Duration.ZERO);
    }
    Optional<JournalSnapshot> snapshot = journal.latestSnapshot();
    if (snapshot.isPresent()) {
      replayer.restore(snapshot.get());
    }
    long covered = snapshot.map(JournalSnapshot::number).orElse(0L);
    try (JournalCursor cursor = journal.read(covered + 1)) {
      replayer.applyAll(cursor);
    }
    Optional<Backoff> backoff =
        replayer.hasScheduler() ? replayer.presentSettings().instanceBackoff() : byDefault;
    Settings wanted = wanted(maker, backoff, registry);
    if (replayer.hasScheduler()) {
      Settings saved = replayer.presentSettings();
      if (!settingsMayChange && !saved.differences(wanted).isEmpty()) {
        throw otherSettings(saved, wanted);
      }
      noteChanges(saved, wanted);
      try {
        replayer.change(wanted);
      } catch (SnapshotException refused) {
        throw new IllegalStateException(
            "the settings cannot change: " + refused.getMessage(), refused);
      }
    }
    Scheduler scheduler =
        replayer.hasScheduler() ? replayer.scheduler() : builder(maker, backoff).build();
    if (!scheduler.canBeSaved()) {
      throw new IllegalStateException(
          ("policy %s does not say what it keeps from pass to pass, so its scheduler cannot be saved"
                  + " in a journal. Maybe its memory() should return PolicyMemory.none().")
              .formatted(scheduler.policyId()));
    }
    scheduler.digest(); // from here on, what changes is noted
    actions.endRun();
    journal.append(EntryFormat.toBytes(new Entry.Opened(wanted)));
    journal.force();
    Recovery recovered =
        new Recovery(
            scheduler,
            wanted,
            actions,
            replayer,
            covered,
            Duration.ofNanos(System.nanoTime() - start));
    LOG.info("{}", recovered);
    return recovered;
  }

  /** Returns a new builder, with a back-off of instances if it has none. */
  private static Scheduler.Builder builder(
      Supplier<Scheduler.Builder> maker, Optional<Backoff> otherwise) {
    Scheduler.Builder builder = maker.get();
    if (builder.instanceBackoff().isEmpty()) {
      otherwise.ifPresent(builder::instanceBackoff);
    }
    return builder;
  }

  private static Settings wanted(
      Supplier<Scheduler.Builder> maker, Optional<Backoff> otherwise, PolicyRegistry registry) {
    return Settings.of(builder(maker, otherwise).build(), registry);
  }

  private static IllegalStateException otherSettings(Settings saved, Settings wanted) {
    return new IllegalStateException(
        "the journal is of a scheduler with other settings: %s. Maybe start with those, with another journal, or with allowSettingsToChange()."
            .formatted(String.join("; ", saved.differences(wanted))));
  }

  private static void noteChanges(Settings saved, Settings wanted) {
    saved.differences(wanted).forEach(each -> LOG.warn("Settings change: {}.", each));
    if (saved.policy().equals(wanted.policy())
        && !saved.policyVersion().equals(wanted.policyVersion())) {
      LOG.warn(
          "The journal is of version {} of policy {}, this is version {}; its passes are compared.",
          saved.policyVersion().orElse("unknown"),
          saved.policy(),
          wanted.policyVersion().orElse("unknown"));
    }
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Settings settings() {
    return settings;
  }

  ActionQueue actions() {
    return actions;
  }

  /** Returns what the fleet may not have been told before the restart. */
  Recalls recalls() {
    return replayed.recalls();
  }

  /** Returns the number of the last record that the snapshot covers; 0 if there was none. */
  public long snapshot() {
    return snapshot;
  }

  /** Returns the number of events that were applied again. */
  public long inputs() {
    return replayed.inputs();
  }

  /** Returns the number of passes that were run again, with the same plans as before. */
  public long passes() {
    return replayed.passes();
  }

  /** Returns the bytes of the records that were read. */
  long bytes() {
    return replayed.bytes();
  }

  /** Returns the number of actions that were under way. */
  public int underWay() {
    return underWay;
  }

  /** Returns how long it took. */
  public Duration time() {
    return time;
  }

  /** Returns it in one line, for people. */
  @Override
  public String toString() {
    return "recovered %s inputs and %s passes after record %s in %s; %s actions were under way"
        .formatted(inputs(), passes(), snapshot, time, underWay);
  }
}
