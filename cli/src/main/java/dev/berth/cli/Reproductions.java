package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All published experiments that can be made again, in the order in which they are shown. */
final class Reproductions {

  /** What stands for all of them. */
  static final String ALL = "all";

  private static final List<Reproduction> EXPERIMENTS =
      List.of(
          ValidationExperiment.first(),
          ValidationExperiment.second(),
          new SamplesExperiment(),
          new SnapshotExperiment(),
          MemoryExperiment.first(),
          MemoryExperiment.second(),
          MemoryExperiment.fourth(),
          new SensitivityExperiment(),
          QueueExperiment.cea(),
          QueueExperiment.hpc2n(),
          QueueExperiment.zewura(),
          QueueExperiment.molding(),
          ElasticTables.first(),
          ElasticTables.second(),
          new ElasticSweep(),
          new ElasticTrace(),
          new MetaExperiment());

  private Reproductions() {}

  static List<Reproduction> all() {
    return EXPERIMENTS;
  }

  /**
   * Returns those that are named, in the order of the names, each once.
   *
   * @throws BadInputException if there is none of a name, or {@link #ALL} is not alone
   */
  static List<Reproduction> named(List<String> names) {
    if (names.contains(ALL)) {
      if (names.stream().anyMatch(each -> !each.equals(ALL))) {
        throw new BadInputException(
            "experiments were \"%s\", must be %s alone, or names."
                .formatted(String.join(" ", names), ALL));
      }
      return EXPERIMENTS;
    }
    List<Reproduction> found = new ArrayList<>();
    names.stream().distinct().forEach(each -> found.add(named(each)));
    return found;
  }

  private static Reproduction named(String name) {
    return EXPERIMENTS.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new BadInputException(
                    "there is no experiment \"%s\". Known: %s, and %s."
                        .formatted(
                            name,
                            EXPERIMENTS.stream()
                                .map(Reproduction::name)
                                .collect(Collectors.joining(", ")),
                            ALL)));
  }
}
