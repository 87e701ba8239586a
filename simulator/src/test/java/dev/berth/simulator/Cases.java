package dev.berth.simulator;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagReport;
import dev.berth.core.Scheduler;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.FleetSample;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/** Small workloads and infrastructures in one dimension: hosts and requests of whole cores. */
public final class Cases {

  public static final ServiceClass GOLD = ServiceClass.builder("gold").slo(1).importance(1).build();
  static final ServiceClass BRONZE = ServiceClass.builder("bronze").slo(0.5).importance(3).build();

  private Cases() {}

  /** Nanoseconds of a number of seconds. */
  static long s(double seconds) {
    return Math.round(seconds * 1e9);
  }

  static Duration seconds(double seconds) {
    return Duration.ofNanos(s(seconds));
  }

  static Overheads coldAndHot(double cold, double hot) {
    return new Overheads(List.of(seconds(cold)), List.of(seconds(hot)));
  }

  /** Hosts h1, h2, … of so many cores each. */
  static Infrastructure hosts(int... cores) {
    return new Infrastructure(
        "test hosts",
        IntStream.rangeClosed(1, cores.length)
            .mapToObj(i -> new HostSpec("h" + i, cores(cores[i - 1])))
            .toList());
  }

  /** A gold request of one core. */
  public static Arrival arrival(String id, long at, long serviceTime) {
    return arrival(id, "gold", 1, at, serviceTime);
  }

  public static Arrival arrival(
      String id, String serviceClass, int cores, long at, long serviceTime) {
    return new Arrival(
        at, Request.builder(id, serviceClass).demand(cores(cores)).build(), serviceTime);
  }

  static Workload workload(Arrival... arrivals) {
    return Workload.of(
        "test requests",
        List.of(GOLD, BRONZE),
        Arrays.stream(arrivals).sorted(Comparator.comparingLong(Arrival::at)).toList());
  }

  static Resources cores(int cores) {
    return Resources.of(Dimension.CPU, cores * 1_000_000_000L);
  }

  static SimulationListener bagsTo(List<BagReport> reports) {
    return new SimulationListener() {
      @Override
      public void bagEnded(BagReport report) {
        reports.add(report);
      }
    };
  }

  static SimulationListener fleetTo(List<FleetSample> samples) {
    return new SimulationListener() {
      @Override
      public void fleetChanged(FleetSample sample) {
        samples.add(sample);
      }
    };
  }

  /** Calls {@code effect} for each sample. */
  static SimulationListener sampling(Duration interval, BiConsumer<Long, Scheduler> effect) {
    return new SimulationListener() {
      @Override
      public Optional<Duration> sampleInterval() {
        return Optional.of(interval);
      }

      @Override
      public void sampled(long now, Scheduler scheduler) {
        effect.accept(now, scheduler);
      }
    };
  }
}
