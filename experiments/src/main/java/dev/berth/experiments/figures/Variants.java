package dev.berth.experiments.figures;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The groups of a summary on the same hosts: they differ in the watchdog and the margin. Their
 * cases pair, since all have the same workloads and seeds.
 *
 * @param groups in the order of the summary; at least one
 */
public record Variants(List<Summary.Group> groups) {

  private static final int MOST_DETAILS = 8;

  /** Copies the list. */
  public Variants {
    groups = List.copyOf(groups);
  }

  /** Returns the variants on each of the hosts; empty if neither watchdog nor margin varies. */
  public static List<Variants> of(Summary summary) {
    Map<List<Object>, List<Summary.Group>> byHosts = new LinkedHashMap<>();
    for (Summary.Group each : summary.groups()) {
      byHosts
          .computeIfAbsent(List.of(each.infrastructure(), each.scale()), hosts -> new ArrayList<>())
          .add(each);
    }
    return byHosts.values().stream().filter(each -> each.size() > 1).map(Variants::new).toList();
  }

  /**
   * Returns the groups that are shown in detail: all of a few, of many those with the first
   * watchdog and margin.
   */
  public static List<Summary.Group> detailed(Summary summary) {
    List<Summary.Group> all = summary.groups();
    return all.size() <= MOST_DETAILS
        ? all
        : all.stream()
            .filter(each -> each.first().variant().equals(all.get(0).first().variant()))
            .toList();
  }

  /** Returns the first group, for what all have in common. */
  public Summary.Group first() {
    return groups.get(0);
  }

  /**
   * Returns the groups in which a policy has the smallest penalty, or one that is not clearly
   * greater; the smallest first. Empty if it failed in all.
   */
  public List<Summary.Group> best(String policy) {
    Ranking.Criterion penalty = Ranking.Criterion.of(Totals.PENALTY);
    List<Summary.Group> finished =
        groups.stream()
            .filter(each -> penalty(each, policy).size() > 0)
            .sorted(Comparator.comparingDouble(each -> penalty(each, policy).mean()))
            .toList();
    return finished.stream()
        .filter(each -> !penalty.separates(finished.get(0).row(policy), each.row(policy)))
        .toList();
  }

  /** Returns the smallest mean penalty of a policy; empty if it failed in all. */
  public Optional<Double> least(String policy) {
    return best(policy).stream().findFirst().map(each -> penalty(each, policy).mean());
  }

  private static Sample penalty(Summary.Group group, String policy) {
    return group.row(policy).get(Totals.PENALTY);
  }

  /** Returns the names of the best variants of a policy: the best one, and how many are as good. */
  public String bestNames(String policy) {
    List<Summary.Group> best = best(policy);
    if (best.isEmpty() || best.size() == groups.size()) {
      return best.isEmpty() ? "none" : "any";
    }
    String name = best.get(0).first().variant();
    int others = best.size() - 1;
    return others == 0 ? name : "%s, or %s other%s".formatted(name, others, others == 1 ? "" : "s");
  }
}
