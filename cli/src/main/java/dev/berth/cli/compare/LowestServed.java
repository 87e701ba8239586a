package dev.berth.cli.compare;

import dev.berth.experiments.figures.Verdict;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.experiments.store.RequestLife;
import dev.berth.simulator.Progress;
import dev.berth.simulator.result.RequestOutcome;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the request with the smallest availability of each class under each policy; of several,
 * the one that waited longest. Bounds are left out.
 */
final class LowestServed implements ExperimentRunner.Listener {

  private static final Comparator<RequestLife> LOWEST_FIRST =
      Comparator.<RequestLife>comparingDouble(each -> each.availability().orElse(1))
          .thenComparing(Comparator.comparingLong(RequestLife::waiting).reversed())
          .thenComparing(RequestLife::id);

  private final ExperimentRunner.Listener others;
  private final Map<Verdict.Served, RequestLife> lowest = new ConcurrentHashMap<>();

  /**
   * Creates a listener.
   *
   * @param others receives everything too
   */
  LowestServed(ExperimentRunner.Listener others) {
    this.others = others;
  }

  @Override
  public void begins(int toRun, int kept) {
    others.begins(toRun, kept);
  }

  @Override
  public Progress starts(Cell cell) {
    return others.starts(cell);
  }

  @Override
  public void ends(Cell cell, RunOutcome outcome) {
    others.ends(cell, outcome);
  }

  @Override
  public void ends(Cell cell, RequestOutcome outcome) {
    others.ends(cell, outcome);
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
