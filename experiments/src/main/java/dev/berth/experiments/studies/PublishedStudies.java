package dev.berth.experiments.studies;

import dev.berth.experiments.studies.elastic.SweepStudy;
import dev.berth.experiments.studies.elastic.TraceStudy;
import dev.berth.experiments.studies.elastic.WorkloadStudy;
import dev.berth.experiments.studies.memory.MemoryStudy;
import dev.berth.experiments.studies.memory.QueueStudy;
import dev.berth.experiments.studies.memory.SensitivityStudy;
import dev.berth.experiments.studies.metascheduling.MetaStudy;
import dev.berth.experiments.studies.qos.SamplesStudy;
import dev.berth.experiments.studies.qos.SnapshotStudy;
import dev.berth.experiments.studies.qos.ValidationStudy;
import dev.berth.experiments.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All published experiments that can be made again, in the order in which they are shown. */
public final class PublishedStudies {

  /** What stands for all of them. */
  public static final String ALL = "all";

  private static final List<Study> EXPERIMENTS =
      List.of(
          ValidationStudy.first(),
          ValidationStudy.second(),
          new SamplesStudy(),
          new SnapshotStudy(),
          MemoryStudy.first(),
          MemoryStudy.second(),
          MemoryStudy.fourth(),
          new SensitivityStudy(),
          QueueStudy.cea(),
          QueueStudy.hpc2n(),
          QueueStudy.zewura(),
          QueueStudy.molding(),
          WorkloadStudy.first(),
          WorkloadStudy.second(),
          new SweepStudy(),
          new TraceStudy(),
          new MetaStudy());

  private PublishedStudies() {}

  public static List<Study> all() {
    return EXPERIMENTS;
  }

  /**
   * Returns those that are named, in the order of the names, each once.
   *
   * @throws IllegalArgumentException if there is none of a name, or {@link #ALL} is not alone
   */
  public static List<Study> named(List<String> names) {
    if (names.contains(ALL)) {
      if (names.stream().anyMatch(each -> !each.equals(ALL))) {
        throw new IllegalArgumentException(
            "experiments were \"%s\", must be %s alone, or names."
                .formatted(String.join(" ", names), ALL));
      }
      return EXPERIMENTS;
    }
    List<Study> found = new ArrayList<>();
    names.stream().distinct().forEach(each -> found.add(named(each)));
    return found;
  }

  private static Study named(String name) {
    return EXPERIMENTS.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no experiment \"%s\". Known: %s, and %s."
                        .formatted(
                            name,
                            EXPERIMENTS.stream()
                                .map(Study::name)
                                .collect(Collectors.joining(", ")),
                            ALL)));
  }
}
