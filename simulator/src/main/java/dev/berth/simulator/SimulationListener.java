package dev.berth.simulator;

import dev.berth.api.Experimental;
import dev.berth.api.batch.BagReport;
import dev.berth.core.Scheduler;
import dev.berth.simulator.fleet.FleetSample;
import dev.berth.simulator.result.RequestOutcome;
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
