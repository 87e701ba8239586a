package dev.berth.simulator;

import dev.berth.api.Experimental;
import dev.berth.api.HostSpec;
import dev.berth.api.batch.BagReport;
import dev.berth.api.plan.Action;
import dev.berth.core.Scheduler;
import dev.berth.simulator.fleet.FleetSample;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Receives what happens in a simulation. Every method does nothing by default.
 *
 * <p>The thread that runs the simulation calls all methods, so they need no synchronization. A
 * method that throws ends the simulation. Listeners observe: they must not change the scheduler.
 */
@Experimental
public interface SimulationListener {

  /**
   * Returns the interval between two calls of {@link #sampled}; empty, the default, for none.
   * Positive, at most a century. The simulation asks once, when the listener is added.
   */
  default Optional<Duration> sampleInterval() {
    return Optional.empty();
  }

  /**
   * Called after each sample interval, when all events up to {@code now} have happened. Called once
   * more at the end, before the simulation accounts for unfinished requests.
   *
   * @param now nanoseconds since the start
   * @param scheduler in the state of that time; valid during the call, and only to be read
   */
  default void sampled(long now, Scheduler scheduler) {}

  /** Called when a host is up that was not. */
  default void hostUp(HostSpec host, long now) {}

  /** Called when a host is no longer up. Its instances were {@linkplain #lost lost} before. */
  default void hostDown(String host, long now) {}

  /** Called when a request is admitted. */
  default void admitted(Arrival arrival) {}

  /** Called when the fleet carries out an action of a plan, in the order of the plan. */
  default void carriedOut(Action action, long now) {}

  /** Called when an instance is ready on its host and begins or resumes its work. */
  default void ready(String instance, long now) {}

  /**
   * Called when an instance lost its host without an action on it: the host failed, or the start
   * did. Also called for each instance of a bag that is cancelled, after the action.
   */
  default void lost(String instance, long now) {}

  /**
   * Called when a request ends, in order of time. Unfinished requests follow at the end of the
   * simulation, in order of admission.
   */
  default void requestEnded(RequestOutcome outcome) {}

  /** Called when a bag of tasks ends. */
  default void bagEnded(BagReport report) {}

  /** Called at the end of an instant in which the number of pool hosts in some state changed. */
  default void fleetChanged(FleetSample sample) {}

  /**
   * Called from time to time with the progress of the simulation: at most about a thousand times if
   * the end or the number of requests is known.
   *
   * @param simulated the simulated time so far
   * @param fraction of the run that is complete, in [0, 1], never decreasing; empty if neither the
   *     end nor the number of requests is known
   */
  default void progressed(Duration simulated, OptionalDouble fraction) {}

  /** Returns a listener that passes each ended request to {@code consumer}. */
  static SimulationListener onRequestEnded(Consumer<? super RequestOutcome> consumer) {
    Objects.requireNonNull(consumer, "consumer");
    return new SimulationListener() {
      @Override
      public void requestEnded(RequestOutcome outcome) {
        consumer.accept(outcome);
      }
    };
  }

  /** Returns a listener that passes the progress of the simulation to {@code progress}. */
  static SimulationListener onProgress(Progress progress) {
    Objects.requireNonNull(progress, "progress");
    return new SimulationListener() {
      @Override
      public void progressed(Duration simulated, OptionalDouble fraction) {
        progress.reached(simulated, fraction);
      }
    };
  }
}
