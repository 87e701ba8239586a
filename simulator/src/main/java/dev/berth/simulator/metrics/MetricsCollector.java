package dev.berth.simulator.metrics;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.core.Scheduler;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.metrics.Timeline.Column;
import dev.berth.simulator.metrics.Timeline.Quantity;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Samples one simulation. {@link #attachTo} adds the collector to the simulation, {@link #result}
 * returns the figures after the run.
 *
 * <p>Memory use tracks live requests and the intervals of the run, not all requests. If the run
 * ends within an interval, that interval is shorter. Each sample costs O(instances + hosts). Not
 * thread-safe.
 */
public final class MetricsCollector implements SimulationListener {

  /** The order of classes in all figures: the order of the scheduler. */
  public static final Comparator<ServiceClass> MOST_IMPORTANT_FIRST =
      Comparator.comparingInt(ServiceClass::importance).thenComparing(ServiceClass::name);

  private static final double NANOS = 1e9;

  private final MetricsSettings settings;
  private final List<ActiveRequests> classes; // most important first
  private final Map<String, Integer> rankOf = new HashMap<>();
  private final List<Dimension> dimensions;
  private final List<Column> columns = new ArrayList<>(); // without values
  private final Buckets buckets;
  private final List<IntervalMetrics> intervals = new ArrayList<>();
  private final double[] grantedShares;
  private final double[] peakShares;
  private final double[] demandedShares;
  private final boolean[] hadCapacity; // in any sample
  private final double[] capacity; // of all hosts at the latest sample
  private List<Host> hosts = List.of();
  private final Amounts demanded;
  private final Amounts granted;
  private final Set<String> arrived = new HashSet<>(); // at the latest arrival, and not placed
  private final Set<String> undisturbed = new HashSet<>(); // placed on arrival, on the same host
  private long arrivedAt;
  private long intervalStart;
  private long samples;
  private long pendingSum;
  private long pendingMax;

  /**
   * Creates a collector for one run.
   *
   * @param settings intervals and penalties
   * @param workload the workload of the run
   * @param infrastructure the infrastructure of the run; its dimensions are sampled
   */
  public MetricsCollector(
      MetricsSettings settings, Workload workload, Infrastructure infrastructure) {
    this.settings = settings;
    this.classes =
        workload.serviceClasses().stream()
            .sorted(MOST_IMPORTANT_FIRST)
            .map(ActiveRequests::new)
            .toList();
    for (int rank = 0; rank < classes.size(); rank++) {
      rankOf.put(classes.get(rank).serviceClass().name(), rank);
    }
    this.dimensions =
        Stream.concat(
                infrastructure.hosts().stream().map(each -> each.capacity()),
                infrastructure.pools().stream().map(each -> each.capacity()))
            .flatMap(each -> each.dimensions().stream())
            .distinct()
            .sorted(Comparator.comparing(Dimension::name))
            .toList();
    for (Dimension each : dimensions) {
      columns.add(new Column(Quantity.CAPACITY, each.name(), "", List.of()));
      addColumns(Quantity.DEMAND, each.name());
      addColumns(Quantity.GRANTED, each.name());
    }
    addColumns(Quantity.PENDING, "");
    this.buckets = new Buckets(columns.size());
    this.grantedShares = new double[dimensions.size()];
    this.peakShares = new double[dimensions.size()];
    this.demandedShares = new double[dimensions.size()];
    this.hadCapacity = new boolean[dimensions.size()];
    this.capacity = new double[dimensions.size()];
    this.demanded = new Amounts();
    this.granted = new Amounts();
  }

  private void addColumns(Quantity quantity, String dimension) {
    for (ActiveRequests each : classes) {
      columns.add(new Column(quantity, dimension, each.serviceClass().name(), List.of()));
    }
  }

  /** Makes the simulation inform this collector, and use the penalties of its settings. */
  public Simulation.Builder attachTo(Simulation.Builder simulation) {
    return simulation.penalties(settings.penalties()).listener(this);
  }

  @Override
  public Optional<Duration> sampleInterval() {
    return Optional.of(settings.sample());
  }

  @Override
  public void admitted(Arrival arrival) {
    if (arrival.at() != arrivedAt) {
      arrived.clear();
      arrivedAt = arrival.at();
    }
    arrived.add(arrival.request().id());
  }

  @Override
  public void carriedOut(Action action, long now) {
    if (action instanceof Action.Place place) {
      if (now == arrivedAt && arrived.remove(place.instance())) {
        undisturbed.add(place.instance());
      }
    } else if (action instanceof Action.Preempt
        || action instanceof Action.Evict
        || action instanceof Action.Suspend) {
      undisturbed.remove(((Action.OnInstance) action).instance());
    }
  }

  @Override
  public void lost(String instance, long now) {
    undisturbed.remove(instance);
  }

  @Override
  public void requestEnded(RequestOutcome outcome) {
    InstanceReport report = outcome.report();
    boolean kept = undisturbed.remove(report.id());
    if (report.endedAt() > intervalStart) { // otherwise the previous interval has it
      long service = report.serviceTime();
      classes.get(rank(report.serviceClass())).add(service, service + report.waitingTime(), kept);
    }
  }

  @Override
  public void sampled(long now, Scheduler scheduler) {
    double[] row = new double[columns.size()];
    boolean endOfInterval = now - intervalStart >= settings.interval().toNanos();
    int perDimension = 1 + 2 * classes.size();
    updateCapacity(scheduler.hosts());
    for (int d = 0; d < dimensions.size(); d++) {
      row[d * perDimension] = capacity[d];
    }
    long pending = 0;
    for (Instance each : scheduler.instances()) {
      int rank = rank(each.serviceClass());
      boolean placed = each.host().isPresent();
      double[] demand = demanded.in(each.request().demand());
      double[] grant = placed ? granted.in(each.granted()) : demand;
      for (int d = 0; d < dimensions.size(); d++) {
        int at = d * perDimension + 1 + rank;
        row[at] += demand[d];
        row[at + classes.size()] += placed ? grant[d] : 0;
      }
      if (!placed) {
        pending++;
        row[dimensions.size() * perDimension + rank]++;
      }
    }
    buckets.add(row);
    count(row, perDimension, pending);
    if (endOfInterval) {
      endInterval(now, scheduler);
    }
  }

  /** The capacity of a host is constant, so it is summed only when the hosts change. */
  private void updateCapacity(List<Host> present) {
    if (present.equals(hosts)) {
      return;
    }
    hosts = present;
    Arrays.fill(capacity, 0);
    for (Host host : present) {
      for (int d = 0; d < dimensions.size(); d++) {
        capacity[d] += whole(host.capacity().amount(dimensions.get(d)), d);
      }
    }
  }

  private void count(double[] row, int perDimension, long pending) {
    samples++;
    pendingSum += pending;
    pendingMax = Math.max(pendingMax, pending);
    for (int d = 0; d < dimensions.size(); d++) {
      double capacitySum = row[d * perDimension];
      double demandedSum = 0;
      double grantedSum = 0;
      for (int rank = 0; rank < classes.size(); rank++) {
        demandedSum += row[d * perDimension + 1 + rank];
        grantedSum += row[d * perDimension + 1 + classes.size() + rank];
      }
      if (capacitySum > 0) {
        hadCapacity[d] = true;
        grantedShares[d] += grantedSum / capacitySum;
        demandedShares[d] += demandedSum / capacitySum;
        peakShares[d] = Math.max(peakShares[d], grantedSum / capacitySum);
      }
    }
  }

  private void endInterval(long now, Scheduler scheduler) {
    for (Instance each : scheduler.instances()) {
      long service = each.serviceTime(now);
      classes
          .get(rank(each.serviceClass()))
          .add(service, service + each.waitingTime(now), undisturbed.contains(each.id()));
    }
    endInterval(now);
  }

  private void endInterval(long now) {
    intervals.add(
        new IntervalMetrics(
            intervalStart / NANOS,
            now / NANOS,
            classes.stream().map(ActiveRequests::endInterval).toList()));
    intervalStart = now;
  }

  /**
   * Returns the figures of the run, once the simulation has ended.
   *
   * @param result of the simulation
   */
  public RunMetrics result(RunResult result) {
    long end = result.simulated().toNanos();
    if (end > intervalStart) { // the unfinished requests have ended by now
      endInterval(end);
    }
    List<DimensionUsage> usage = new ArrayList<>();
    for (int d = 0; d < dimensions.size(); d++) {
      usage.add(usage(d));
    }
    List<Column> filled = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      filled.add(
          new Column(
              column.quantity(), column.dimension(), column.serviceClass(), buckets.means(i)));
    }
    double step = settings.sample().toNanos() / NANOS * buckets.rowsPerBucket();
    return new RunMetrics(
        result,
        usage,
        (double) pendingSum / samples,
        pendingMax,
        intervals,
        new Timeline(step, filled));
  }

  private DimensionUsage usage(int dimension) {
    return new DimensionUsage(
        dimensions.get(dimension).name(),
        share(dimension, grantedShares[dimension] / samples),
        share(dimension, peakShares[dimension]),
        share(dimension, demandedShares[dimension] / samples));
  }

  /** Without capacity there is nothing to have a share of. */
  private OptionalDouble share(int dimension, double value) {
    return hadCapacity[dimension] ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /**
   * Converts amounts to whole units of each dimension. Consecutive requests of one job share their
   * demand, so the previous conversion is often valid for the next.
   */
  private final class Amounts {

    private @Nullable Resources latest;
    private final double[] wholes = new double[dimensions.size()];

    @SuppressWarnings("ReferenceEquality") // equal resources are only converted again
    double[] in(Resources resources) {
      if (resources != latest) {
        latest = resources;
        for (int d = 0; d < wholes.length; d++) {
          wholes[d] = whole(resources.amount(dimensions.get(d)), d);
        }
      }
      return wholes;
    }
  }

  private double whole(long units, int dimension) {
    return (double) units / dimensions.get(dimension).unitsPerWhole();
  }

  private int rank(ServiceClass serviceClass) {
    return Objects.requireNonNull(rankOf.get(serviceClass.name()), serviceClass.name());
  }
}
