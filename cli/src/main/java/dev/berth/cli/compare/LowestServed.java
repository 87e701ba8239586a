package dev.berth.cli.compare;

import dev.berth.experiments.figures.Verdict;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.store.RequestLife;
import dev.berth.simulator.result.RequestOutcome;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the request with the smallest availability of each class under each policy; of several,
 * the one that waited longest. Bounds are left out.
 */
final class LowestServed {

  private static final Comparator<RequestLife> LOWEST_FIRST =
      Comparator.<RequestLife>comparingDouble(each -> each.availability().orElse(1))
          .thenComparing(Comparator.comparingLong(RequestLife::waiting).reversed())
          .thenComparing(RequestLife::id);

  private final Map<Verdict.Served, RequestLife> lowest = new ConcurrentHashMap<>();

  /** Adds a request of a run. Several threads may call it. */
  void add(Cell cell, RequestOutcome outcome) {
    if (cell.policy().role() == ComparedPolicy.Role.POLICY
        && outcome.report().availability().isPresent()) {
      String serviceClass = outcome.report().serviceClass().name();
      lowest.merge(
          new Verdict.Served(cell.policy().label(), serviceClass),
          RequestLife.of(outcome),
          (one, other) -> LOWEST_FIRST.compare(one, other) <= 0 ? one : other);
    }
  }

  /** Returns the request of a class under a policy; empty if none had an availability. */
  Optional<RequestLife> of(Verdict.Served served) {
    return Optional.ofNullable(lowest.get(served));
  }
}
