package dev.berth.core;

import dev.berth.api.ServiceClass;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.internal.snapshot.SnapshotReader;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot that a scheduler is restored from.
 *
 * @param snapshot of a known format
 * @param reader has checked it
 */
record Restoration(SchedulerSnapshot snapshot, SnapshotReader reader) {

  /**
   * Checks a snapshot.
   *
   * @throws SnapshotException if its format is unknown
   */
  static Restoration of(SchedulerSnapshot snapshot) {
    if (snapshot.format() < 1 || snapshot.format() > SchedulerSnapshot.FORMAT) {
      throw new SnapshotException(
          List.of(
              "it is of format %s, this version of Berth reads formats up to %s"
                  .formatted(snapshot.format(), SchedulerSnapshot.FORMAT)));
    }
    return new Restoration(snapshot, new SnapshotReader(snapshot));
  }

  /** Requires that the snapshot can be restored with the settings of a builder. */
  void requireMatch(ChosenPolicy choice, SchedulerBuilder builder) {
    List<String> problems = new ArrayList<>(builder.differences(choice, snapshot.settings()));
    problems.addAll(reader.problems());
    if (!problems.isEmpty()) {
      throw new SnapshotException(problems);
    }
  }

  long seed() {
    return snapshot.settings().seed();
  }

  List<ServiceClass> serviceClasses() {
    return reader.serviceClasses();
  }

  Optional<Duration> watchdog() {
    return snapshot.settings().watchdog().isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(snapshot.settings().watchdog().getAsLong()));
  }

  int maxPlacements() {
    return snapshot.settings().maxPlacements();
  }
}
