package dev.berth.core.internal.search;

import dev.berth.core.decision.Decision;
import dev.berth.core.internal.cluster.HostRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The hosts evaluated for one instance, if the log records the best of them. */
final class EvaluatedHosts {

  private final Ties ties;
  private final List<Considered> all = new ArrayList<>();

  /** Orders hosts of equal score, the winner first. */
  interface Ties {
    int compare(HostRecord a, long tieOfA, HostRecord b, long tieOfB);
  }

  EvaluatedHosts(Ties ties) {
    this.ties = ties;
  }

  void clear() {
    all.clear();
  }

  void add(HostRecord host, double broken, List<Double> cost, long worth, double value, long tie) {
    Decision.HostScore score = new Decision.HostScore(host.id(), cost, worth, value);
    all.add(new Considered(score, broken, tie, host));
  }

  /** Returns the best hosts, best first. */
  List<Decision.HostScore> best(int most) {
    return all.isEmpty()
        ? List.of()
        : all.stream()
            .sorted(
                Considered.BEST_FIRST.thenComparing(
                    (a, b) -> ties.compare(a.host, a.tie, b.host, b.tie)))
            .limit(most)
            .map(Considered::score)
            .toList();
  }

  /** A host that was evaluated. */
  private record Considered(Decision.HostScore score, double broken, long tie, HostRecord host) {

    private static final Comparator<Considered> BEST_FIRST =
        Comparator.comparingDouble(Considered::broken)
            .thenComparing(each -> each.score.cost(), Considered::compareCosts)
            .thenComparing(each -> each.score.worth(), Comparator.reverseOrder())
            .thenComparing(each -> each.score.allocationScore(), Comparator.reverseOrder());

    private static int compareCosts(List<Double> a, List<Double> b) {
      for (int i = 0; i < a.size(); i++) {
        int order = Double.compare(a.get(i) + 0.0, b.get(i) + 0.0); // -0 equals 0
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
  }
}
