package dev.berth.traces.prepare;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Workload;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** A host on which everything runs at once; see {@link WorkloadDescription}. */
final class InfiniteHost {

  private static final double NANOS = 1e9;

  private final Workload workload;
  private final long interval;
  private final Consumer<? super DemandSample> series;

  private final PriorityQueue<Running> running =
      new PriorityQueue<>(Comparator.comparingLong(Running::end));
  private final Tally all = new Tally();
  private final Map<String, Tally> byClass = new LinkedHashMap<>();
  private final Set<Dimension> dimensions = new TreeSet<>();
  private long mark; // the next moment to tell of

  /** An instance that has not ended. */
  private record Running(long end, Resources demand, Tally of) {}

  InfiniteHost(Workload workload, long interval, Consumer<? super DemandSample> series) {
    this.workload = workload;
    this.interval = interval;
    this.series = series;
    for (ServiceClass each : workload.serviceClasses()) {
      byClass.put(each.name(), new Tally());
    }
  }

  WorkloadDescription run() {
    try (ArrivalSource source = workload.open()) {
      if (!source.hasNext()) {
        throw new IllegalArgumentException(
            "workload %s has no request, so there is nothing to describe."
                .formatted(workload.name()));
      }
      long first = -1;
      long last = -1;
      long end = -1;
      while (source.hasNext()) {
        Arrival arrival = source.next();
        last = arrival.at();
        if (first < 0) {
          first = last;
          mark = first - first % interval;
          mark += mark < first ? interval : 0;
        }
        tellUntil(last);
        end = Math.max(end, admit(arrival));
      }
      tellUntil(end);
      release(end);
      tell(); // the first moment at which nothing runs
      return describe(first, last, end);
    }
  }

  /** Tells of all moments before a time at which more may come. */
  private void tellUntil(long time) {
    while (mark < time) {
      release(mark);
      tell();
      mark = mark > Long.MAX_VALUE - interval ? Long.MAX_VALUE : mark + interval;
    }
  }

  private void tell() {
    Map<String, Resources> now = new LinkedHashMap<>();
    byClass.forEach(
        (name, tally) -> {
          if (tally.requests > 0) {
            now.put(name, tally.now());
          }
        });
    series.accept(new DemandSample(mark, now));
  }

  /** Lets all end that do so by a time; it comes before what is admitted then. */
  private void release(long time) {
    for (Running next = running.peek(); next != null && next.end <= time; next = running.peek()) {
      running.remove();
      next.of.release(next.demand);
      all.release(next.demand);
    }
  }

  /** Returns when it ends. */
  private long admit(Arrival arrival) {
    long at = arrival.at();
    release(at);
    Request request = arrival.request();
    Tally tally = byClass.computeIfAbsent(request.serviceClass(), name -> new Tally());
    dimensions.addAll(request.demand().dimensions());
    long end =
        at > Long.MAX_VALUE - arrival.serviceTime() ? Long.MAX_VALUE : at + arrival.serviceTime();
    running.add(new Running(end, request.demand(), tally));
    tally.admit(arrival);
    all.admit(arrival);
    return end;
  }

  private WorkloadDescription describe(long first, long last, long end) {
    Map<String, WorkloadDescription.Figures> classes = new LinkedHashMap<>();
    byClass.forEach(
        (name, tally) -> {
          if (tally.requests > 0) {
            classes.put(name, tally.figures(dimensions, first, end));
          }
        });
    return new WorkloadDescription(
        workload.name(), first, last, end, all.figures(dimensions, first, end), classes);
  }

  /** What is known of some requests. */
  private static final class Tally {

    private final Set<String> jobs = new HashSet<>();
    private final Set<String> users = new HashSet<>();
    private final Distribution.Collector serviceTime = new Distribution.Collector();
    private final Map<Dimension, Use> uses = new TreeMap<>();
    private long requests;
    private long withoutUser;
    private long antiAffine;
    private long constrained;

    void admit(Arrival arrival) {
      Request request = arrival.request();
      request.job().ifPresent(jobs::add);
      arrival.user().ifPresent(users::add);
      withoutUser += arrival.user().isPresent() ? 0 : 1;
      antiAffine += request.antiAffinity() ? 1 : 0;
      constrained += request.constraints().isEmpty() ? 0 : 1;
      serviceTime.add(arrival.serviceTime() / NANOS);
      for (Dimension each : request.demand().dimensions()) {
        uses.computeIfAbsent(each, dimension -> new Use(requests));
      }
      requests++;
      uses.forEach((dimension, use) -> use.admit(dimension, arrival));
    }

    void release(Resources demand) {
      for (Dimension each : demand.dimensions()) {
        Use use = uses.get(each);
        if (use != null) {
          use.now -= demand.amount(each);
        }
      }
    }

    Resources now() {
      Resources.Builder now = Resources.builder();
      uses.forEach((dimension, use) -> now.put(dimension, use.now));
      return now.build();
    }

    WorkloadDescription.Figures figures(Set<Dimension> dimensions, long first, long end) {
      Map<Dimension, WorkloadDescription.Demand> demand = new LinkedHashMap<>();
      for (Dimension each : dimensions) {
        Use use = uses.computeIfAbsent(each, dimension -> new Use(requests));
        demand.put(each, use.figures((end - first) / NANOS));
      }
      return new WorkloadDescription.Figures(
          requests,
          jobs.size(),
          users.size(),
          withoutUser,
          antiAffine,
          constrained,
          serviceTime.get(),
          demand);
    }
  }

  /** Of one dimension by some requests. */
  private static final class Use {

    private final Distribution.Collector perRequest = new Distribution.Collector();
    private double wholeSeconds; // of all requests so far
    private long now;
    private long peak;
    private long peakAt;

    /** One that some requests did not ask for. */
    Use(long requestsBefore) {
      for (long i = 0; i < requestsBefore; i++) {
        perRequest.add(0);
      }
    }

    void admit(Dimension dimension, Arrival arrival) {
      long amount = arrival.request().demand().amount(dimension);
      double whole = (double) amount / dimension.unitsPerWhole();
      perRequest.add(whole);
      wholeSeconds += whole * (arrival.serviceTime() / NANOS);
      now = Math.addExact(now, amount);
      if (now > peak) {
        peak = now;
        peakAt = arrival.at();
      }
    }

    WorkloadDescription.Demand figures(double seconds) {
      return new WorkloadDescription.Demand(perRequest.get(), peak, peakAt, wholeSeconds / seconds);
    }
  }
}
