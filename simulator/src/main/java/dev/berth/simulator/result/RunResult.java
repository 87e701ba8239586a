package dev.berth.simulator.result;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The result of one simulation: what was run, how much happened, and the figures of each service
 * class.
 *
 * @param policy id of the policy
 * @param config effective configuration of the policy, as JSON
 * @param watchdog the longest time between two passes; empty if only events made a pass due
 * @param workload name of the workload
 * @param infrastructure name of the infrastructure
 * @param seed of ties and overheads
 * @param simulated the simulated time: up to the end that was set, or until nothing more could
 *     happen
 * @param arrivals number of requests admitted: {@code completed + unfinished + refused + cancelled}
 * @param completed number of requests whose work was done
 * @param unfinished number of requests still live at the end; accounted for at the end
 * @param refused number of requests that the policy rejected; their class counts them until then
 * @param cancelled number of requests whose bag of tasks was cancelled before they were done, or
 *     whose longest run time was over
 * @param admittedAtEnd number of requests admitted at the very end, or rejected on admission: they
 *     have no availability, and no class counts them
 * @param passes number of scheduling passes
 * @param placements number of placements decided, including instances preempted or lost before they
 *     became ready
 * @param preemptions number of preemptions decided
 * @param adjustments number of other actions decided
 * @param invalidActions invalid actions of the policy, which the engine refused
 * @param pools use of pool hosts
 * @param faults what went wrong between the fleet and the scheduler; empty if the fleet was
 *     reliable
 * @param classes one result for each service class of the workload, most important first
 */
public record RunResult(
    String policy,
    String config,
    Optional<Duration> watchdog,
    String workload,
    String infrastructure,
    long seed,
    Duration simulated,
    long arrivals,
    long completed,
    long unfinished,
    long refused,
    long cancelled,
    long admittedAtEnd,
    long passes,
    long placements,
    long preemptions,
    Adjustments adjustments,
    InvalidActions invalidActions,
    PoolUsage pools,
    Optional<FaultCounts> faults,
    List<ClassResult> classes) {

  /** Copies the list. */
  public RunResult {
    classes = List.copyOf(classes);
  }

  /**
   * Returns the mean time not in service over the requests of all classes, in seconds; absent if no
   * class has requests.
   */
  public OptionalDouble waitingMean() {
    double waited = 0;
    long count = 0;
    for (ClassResult each : classes) {
      if (each.waiting().mean().isPresent()) {
        waited += each.waiting().mean().getAsDouble() * each.count();
        count += each.count();
      }
    }
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(waited / count);
  }

  /** Returns the total time of starting again after preemptions over all classes, in seconds. */
  public double restartOverhead() {
    return classes.stream().mapToDouble(ClassResult::restartOverhead).sum();
  }

  /** Returns the total time on hosts that preemptions cost over all classes, in seconds. */
  public double lostWork() {
    return classes.stream().mapToDouble(ClassResult::lostWork).sum();
  }

  /** Returns the total service of which the progress was kept over all classes, in seconds. */
  public double keptService() {
    return classes.stream().mapToDouble(each -> each.served() - each.lostService()).sum();
  }

  /**
   * Returns whether preemptions cost more time on hosts than there was service that counts: {@link
   * #lostWork} exceeds {@link #keptService}.
   */
  public boolean lostMoreThanKept() {
    return lostWork() > keptService();
  }

  /** Returns the total cost of violated objectives over all classes, in core-hours. */
  public double penalty() {
    return classes.stream().mapToDouble(ClassResult::penalty).sum();
  }
}
