package dev.berth.core;

import dev.berth.api.Request;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that a scheduler is restored from.
 *
 * @param snapshot of a known format
 * @param reader has checked it
 * @param takesOver whether the scheduler has settings of its own
 */
record Restoration(SchedulerSnapshot snapshot, SnapshotReader reader, boolean takesOver) {

  /**
   * Checks a snapshot.
   *
   * @throws SnapshotException if its format is unknown
   */
  static Restoration of(SchedulerSnapshot snapshot, boolean takesOver) {
    if (snapshot.format() < 1 || snapshot.format() > SchedulerSnapshot.FORMAT) {
      throw new SnapshotException(
          List.of(
              "it is of format %s, this version of Berth reads formats up to %s"
                  .formatted(snapshot.format(), SchedulerSnapshot.FORMAT)));
    }
    return new Restoration(snapshot, new SnapshotReader(snapshot), takesOver);
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

  /** Requires that all instances are of some classes. */
  void requireClasses(List<ServiceClass> classes) {
    Set<String> names = ClassRecord.rank(classes).keySet();
    List<String> problems = new ArrayList<>(reader.problems());
    for (Request each : reader.requests()) {
      if (!names.contains(each.serviceClass())) {
        problems.add(
            "instance %s is of service class %s, which the builder does not have. Maybe keep the class until its instances have ended"
                .formatted(each.id(), each.serviceClass()));
      }
    }
    if (!problems.isEmpty()) {
      throw new SnapshotException(problems);
    }
  }

  /** Returns whether the policy is the same, with the same configuration. */
  boolean hasPolicy(SchedulerSnapshot.Settings present) {
    return snapshot.settings().policy().equals(present.policy())
        && snapshot.settings().policyConfig().equals(present.policyConfig());
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

  /** Returns a restoration if the settings are those of the snapshot, otherwise null. */
  static @Nullable Restoration ofSettings(@Nullable Restoration restoration) {
    return restoration == null || restoration.takesOver ? null : restoration;
  }

  long seed() {
    return snapshot.settings().seed();
  }

  List<ServiceClass> serviceClasses() {
    return reader.serviceClasses();
  }

  Optional<Duration> watchdog() {
    return snapshot.settings().watchdog().stream().mapToObj(Duration::ofNanos).findFirst();
  }

  int maxPlacements() {
    return snapshot.settings().maxPlacements();
  }
}
