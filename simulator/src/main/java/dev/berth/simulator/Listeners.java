package dev.berth.simulator;

import dev.berth.core.Scheduler;
import dev.berth.simulator.internal.execution.ExecutionEngine;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** The listeners of one run, called in the order in which they were added. */
final class Listeners implements ExecutionEngine.Watcher {

  private static final long REPORT_EVERY_INSTANTS = 1 << 12;
  private static final double REPORT_EVERY_FRACTION = 0.001;

  /**
   * A listener and its sample interval.
   *
   * @param sampleInterval in nanoseconds; 0: never
   */
  record Registration(SimulationListener listener, long sampleInterval) {}

  private final List<Registration> registrations;
  private final long[] sampledAt; // the time of the latest sample, by registration
  private long instantsSinceReport;
  private double reportedFraction;

  Listeners(List<Registration> registrations) {
    this.registrations = List.copyOf(registrations);
    this.sampledAt = new long[registrations.size()];
  }

  boolean isEmpty() {
    return registrations.isEmpty();
  }

  /** Calls each listener. */
  void each(Consumer<SimulationListener> call) {
    registrations.forEach(each -> call.accept(each.listener()));
  }

  @Override
  public void ready(String instance, long now) {
    each(listener -> listener.ready(instance, now));
  }

  @Override
  public void lost(String instance, long now) {
    each(listener -> listener.lost(instance, now));
  }

  /** Takes all samples due up to {@code latest}. The state does not change between two instants. */
  void sampleUntil(long latest, Scheduler scheduler) {
    for (int i = 0; i < sampledAt.length; i++) {
      Registration each = registrations.get(i);
      while (each.sampleInterval() > 0 && latest - sampledAt[i] >= each.sampleInterval()) {
        sampledAt[i] += each.sampleInterval();
        each.listener().sampled(sampledAt[i], scheduler);
      }
    }
  }

  /** Takes the samples due before the end, then the sample at the end. */
  void sampleEnd(long end, Scheduler scheduler) {
    sampleUntil(end - 1, scheduler);
    for (Registration each : registrations) {
      if (each.sampleInterval() > 0) {
        each.listener().sampled(end, scheduler);
      }
    }
  }

  /** Reports the progress after an instant, if it has changed enough since the last report. */
  void instantPassed(long now, OptionalDouble fraction) {
    instantsSinceReport++;
    boolean due =
        fraction.isPresent()
            ? fraction.getAsDouble() >= reportedFraction + REPORT_EVERY_FRACTION
            : instantsSinceReport >= REPORT_EVERY_INSTANTS;
    if (due) {
      instantsSinceReport = 0;
      reportedFraction = fraction.orElse(0);
      progressed(now, fraction);
    }
  }

  void progressed(long now, OptionalDouble fraction) {
    each(listener -> listener.progressed(Duration.ofNanos(now), fraction));
  }
}
