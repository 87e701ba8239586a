package dev.berth.simulator.result;

import dev.berth.api.Experimental;
import dev.berth.simulator.fleet.FaultSettings;
import java.time.Duration;

/**
 * What went wrong between an {@linkplain FaultSettings unreliable fleet} and its scheduler in one
 * run.
 *
 * @param reports number of reports that the fleet sent about instances and hosts
 * @param lost number of those that never arrived
 * @param doubled number of those that arrived twice
 * @param delayed number of copies that arrived late
 * @param stale number of copies that came too late to say anything new
 * @param refused number of actions that the fleet refused
 * @param impossible number of those that it could not have carried out: the host was gone or full,
 *     or the instance was elsewhere or done
 * @param undone number of actions undone for them, themselves included
 * @param failedStarts number of starts that failed
 * @param drifts number of changes of hosts that no plan asked for
 * @param reconciliations number of reconciliations, the one at the end included
 * @param differences number of differences that they corrected
 * @param restarts number of restarts of the scheduler from a snapshot
 * @param misjudged the longest time by which the service of a request, as the scheduler accounts
 *     for it, differs from the true one
 */
@Experimental
public record FaultCounts(
    long reports,
    long lost,
    long doubled,
    long delayed,
    long stale,
    long refused,
    long impossible,
    long undone,
    long failedStarts,
    long drifts,
    long reconciliations,
    long differences,
    long restarts,
    Duration misjudged) {}
