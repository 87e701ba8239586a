package dev.berth.core;

import dev.berth.api.ServiceClass;
import dev.berth.core.config.Durations;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.internal.cluster.ClassRecord;
import dev.berth.core.internal.snapshot.SnapshotReader;
import dev.berth.core.internal.snapshot.SnapshotWriter;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.core.snapshot.SchedulerSnapshot.ClassData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

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

  /**
   * Requires that the snapshot can be restored with the settings of a builder: the policy, and what
   * it sets of the others.
   */
  void requireMatch(
      ChosenPolicy choice,
      @Nullable Long seed,
      List<ServiceClass> classes,
      @Nullable Duration watchdog,
      @Nullable Integer maxPlacements) {
    SchedulerSnapshot.Settings saved = snapshot.settings();
    List<String> problems = new ArrayList<>();
    compare("policy", saved.policy(), choice.id(), problems);
    if (saved.policy().equals(choice.id())) {
      compare("configuration", saved.policyConfig(), choice.config(), problems);
    }
    if (seed != null) {
      compare("seed", saved.seed(), seed, problems);
    }
    if (!classes.isEmpty()) {
      ClassRecord.rank(classes); // refuses what is wrong with them
      compare(
          "service classes",
          byName(saved.serviceClasses()),
          byName(SnapshotWriter.serviceClasses(classes)),
          problems);
    }
    if (watchdog != null) {
      compare(
          "watchdog",
          saved.watchdog(),
          OptionalLong.of(Durations.toNanosSaturated(watchdog)),
          problems);
    }
    if (maxPlacements != null) {
      compare("limit of placements", saved.maxPlacements(), maxPlacements, problems);
    }
    problems.addAll(reader.problems());
    if (!problems.isEmpty()) {
      throw new SnapshotException(problems);
    }
  }

  private static List<ClassData> byName(List<ClassData> classes) {
    return classes.stream().sorted(Comparator.comparing(ClassData::name)).toList();
  }

  private static void compare(String what, Object saved, Object built, List<String> problems) {
    if (!saved.equals(built)) {
      problems.add(
          "its %s is %s, that of the builder is %s. They must be the same"
              .formatted(what, saved, built));
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
