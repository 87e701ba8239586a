package dev.berth.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What one simulation came to: what was run, how much happened, and what each class got.
 *
 * @param policy id of the policy
 * @param config its effective configuration
 * @param watchdog the longest time between two passes, or empty if only events made one due
 * @param workload name of the workload
 * @param infrastructure name of the infrastructure
 * @param seed of ties and overheads
 * @param simulated how far time went: to the end that was set, or to where nothing could happen any
 *     more
 * @param arrivals requests admitted; {@code completed + unfinished + refused + cancelled}
 * @param completed requests whose work was done
 * @param unfinished requests that were not; accounted for at the end
 * @param refused requests that the policy turned down; they count in their class until then
 * @param cancelled requests whose bag of tasks was cancelled before they were done
 * @param admittedAtEnd how many were admitted at the very end, or refused on admission: they have
 *     no availability and count in no class
 * @param passes scheduling passes
 * @param placements placements decided, including those that were preempted or lost before they
 *     became ready
 * @param preemptions preemptions decided
 * @param adjustments what else was decided
 * @param hosts what was used of the pools of hosts
 * @param classes one for each service class of the workload, most important first
 */
public record RunResult(
    String policy,
    JsonNode config,
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
    PoolUsage hosts,
    List<ClassResult> classes) {

  /** Copies the collection. */
  public RunResult {
    classes = List.copyOf(classes);
  }
}
