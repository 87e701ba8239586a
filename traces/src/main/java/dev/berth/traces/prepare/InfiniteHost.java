package dev.berth.traces.prepare;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** A host of infinite size, on which every request starts at its admission. */
final class InfiniteHost {

  private static final double NANOS = 1e9;

  /** The last part of a workload is this fraction of it. */
  private static final int LAST_PART = 100;

  /** Instances that end in the last part were cut off if they started in more than this. */
  private static final int WIDELY = 10;

  private final Workload workload;
  private final long interval;
  private final Consumer<? super DemandSample> series;

  private final PriorityQueue<Running> running =
      new PriorityQueue<>(Comparator.comparingLong(Running::end));
  private final Usage all = new Usage();
  private final Map<String, Usage> byClass = new LinkedHashMap<>();
  private final Set<Dimension> dimensions = new TreeSet<>();
  private final Deque<Running> justEnded = new ArrayDeque<>(); // within the last part
  private long nextSample; // time of the next sample
  private long first = -1; // admission

  /** A running instance. */
  private record Running(long start, long end, Resources demand, Usage of) {}

  InfiniteHost(Workload workload, long interval, Consumer<? super DemandSample> series) {
    this.workload = workload;
    this.interval = interval;
    this.series = series;
    for (ServiceClass each : workload.serviceClasses()) {
      byClass.put(each.name(), new Usage());
    }
  }

  WorkloadDescription run() {
    try (ArrivalSource source = workload.open()) {
      refuseIf(
          !source.hasNext(),
          "workload %s has no request, so there is nothing to describe.",
          workload.name());
      long last = -1;
      long end = -1;
      while (source.hasNext()) {
        Arrival arrival = source.next();
        last = arrival.at();
        if (first < 0) {
          first = last;
          nextSample = first - first % interval;
          nextSample += nextSample < first ? interval : 0;
        }
        sampleUntil(last);
        end = Math.max(end, admit(arrival));
      }
      sampleUntil(end);
      release(end);
      sample(); // the first sample at which nothing runs
      return describe(last, end);
    }
  }

  /** Reports all samples before a time. */
  private void sampleUntil(long time) {
    while (nextSample < time) {
      release(nextSample);
      sample();
      nextSample = nextSample > Long.MAX_VALUE - interval ? Long.MAX_VALUE : nextSample + interval;
    }
  }

  private void sample() {
    Map<String, Resources> now = new LinkedHashMap<>();
    byClass.forEach(
        (name, usage) -> {
          if (usage.requests > 0) {
            now.put(name, usage.now());
          }
        });
    series.accept(new DemandSample(nextSample, now));
  }

  /** Completes the instances that end by a time. Completions precede arrivals at the same time. */
  private void release(long time) {
    for (Running next = running.peek(); next != null && next.end <= time; next = running.peek()) {
      running.remove();
      justEnded.add(next);
      next.of.release(next.demand);
      all.release(next.demand);
    }
    long lastPart = time - (time - first) / LAST_PART;
    for (Running old = justEnded.peek();
        old != null && old.end < lastPart;
        old = justEnded.peek()) {
      justEnded.remove();
    }
  }

  /** Returns how many instances end in the last part, though they started far apart. */
  private long endWithLog(long end) {
    LongSummaryStatistics starts = justEnded.stream().mapToLong(Running::start).summaryStatistics();
    return starts.getMax() - starts.getMin() > (end - first) / WIDELY ? starts.getCount() : 0;
  }

  /** Admits a request and returns when it ends. */
  private long admit(Arrival arrival) {
    long at = arrival.at();
    release(at);
    Request request = arrival.request();
    Usage usage = byClass.computeIfAbsent(request.serviceClass(), name -> new Usage());
    dimensions.addAll(request.demand().dimensions());
    long end =
        at > Long.MAX_VALUE - arrival.serviceTime() ? Long.MAX_VALUE : at + arrival.serviceTime();
    running.add(new Running(at, end, request.demand(), usage));
    usage.admit(arrival);
    all.admit(arrival);
    return end;
  }

  private WorkloadDescription describe(long last, long end) {
    Map<String, WorkloadDescription.Figures> classes = new LinkedHashMap<>();
    byClass.forEach(
        (name, usage) -> {
          if (usage.requests > 0) {
            classes.put(name, usage.figures(dimensions, first, end));
          }
        });
    return new WorkloadDescription(
        workload.name(),
        first,
        last,
        end,
        endWithLog(end),
        all.figures(dimensions, first, end),
        classes);
  }

  /** The figures of a set of requests. */
  private static final class Usage {

    private final Set<String> jobs = new HashSet<>();
    private final Set<String> users = new HashSet<>();
    private final Distribution.Collector serviceTime = new Distribution.Collector();
    private final Map<Dimension, DimensionUse> uses = new TreeMap<>();
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
        uses.computeIfAbsent(each, dimension -> new DimensionUse(requests));
      }
      requests++;
      uses.forEach((dimension, use) -> use.admit(dimension, arrival));
    }

    void release(Resources demand) {
      for (Dimension each : demand.dimensions()) {
        DimensionUse use = uses.get(each);
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
        DimensionUse use = uses.computeIfAbsent(each, dimension -> new DimensionUse(requests));
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

  /** The use of one dimension by a set of requests. */
  private static final class DimensionUse {

    private final Distribution.Collector perRequest = new Distribution.Collector();
    private double wholeSeconds; // of all requests so far
    private long now;
    private long peak;
    private long peakAt;

    /** Starts after some requests that did not demand the dimension. */
    DimensionUse(long requestsBefore) {
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
