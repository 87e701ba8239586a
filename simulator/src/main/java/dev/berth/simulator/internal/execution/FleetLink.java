package dev.berth.simulator.internal.execution;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.simulator.result.FaultCounts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is between the simulated fleet and its scheduler: reports one way, actions the other. The
 * executions are the truth; what the scheduler believes may differ from it. The defaults are those
 * of a fleet without faults.
 */
public interface FleetLink {

  /** Returns the scheduler. It may be another object after each instant. */
  Scheduler scheduler();

  // ---- The truth

  /** Returns a host that is up. */
  Optional<Host> host(String id);

  /** Returns the grant of an instance that has a host. */
  Resources granted(Execution execution);

  /** Returns a host that is to fail; null if it is down already. */
  @Nullable Host failing(String id);

  // ---- Actions

  /** Returns whether the fleet has to carry out an action. It may refuse, or have nothing to do. */
  default boolean accepts(Plan plan, int index, long now) {
    return true;
  }

  /**
   * Returns what counts for an instance that a plan ended.
   *
   * @param theirs the account of the scheduler
   */
  default InstanceReport ended(Execution execution, InstanceReport theirs, long now) {
    return theirs;
  }

  /** Notes that a plan ended an instance for good. */
  default void forgotten(Execution execution) {}

  // ---- Reports

  /** Reports that a request was admitted. */
  default void admitted(Execution execution) {}

  /** Returns whether an instance that starts becomes ready now; otherwise its start fails. */
  default boolean becomesReady(Execution execution, long now) {
    return true;
  }

  /** Reports an instance that is ready. */
  void started(Execution execution, long now);

  /** Reports an instance that lost its host, or whose start failed. The execution has stopped. */
  void failed(Execution execution, long now);

  /** Reports an instance that has done its work. */
  void completed(Execution execution, Optional<Duration> cpuTime, long now);

  /** Reports a host that is up. */
  void hostUp(HostSpec spec, long now);

  /** Reports a host that has other taints; if it is down, it has them when it is up again. */
  void hostTainted(String id, List<Taint> taints, long now);

  /** Reports a host that failed, stopped, or did not start. Its instances are lost. */
  void hostGone(String id, long now);

  /** Reports the usage of an instance that has a host. */
  void usageReported(Execution execution, Resources used, Resources shortfall, long now);

  /** Reports the load of a host. */
  void loadReported(String host, double average, long now);

  // ---- Time

  /** Called at the start of the run. */
  default void begin(long now) {}

  /** Called at the end of each instant. */
  default void instantEnds(long now) {}

  /** Returns until when no pass can begin, because of what happened to the latest plan. */
  default long nextPassFrom() {
    return Long.MIN_VALUE;
  }

  /** Called at the end of the run, before unfinished requests are accounted for. */
  default void end(long now) {}

  /** Returns what went wrong so far; empty if the fleet is reliable. */
  default Optional<FaultCounts> counts() {
    return Optional.empty();
  }
}
