package dev.berth.simulator.metrics;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.Scheduler;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.Workload;
import dev.berth.simulator.metrics.Timeline.Column;
import dev.berth.simulator.metrics.Timeline.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches one simulation.
 *
 * <p>Takes memory for the requests that are live and for the intervals of the run, not for all
 * requests. Where the run ends within an interval, that is cut short. Each look costs O(instances +
 * hosts). Not thread-safe.
 */
public final class MetricsCollector {

  /** The order of classes in all that is measured; that of the scheduler. */
  public static final Comparator<ServiceClass> MOST_IMPORTANT_FIRST =
      Comparator.comparingInt(ServiceClass::importance).thenComparing(ServiceClass::name);

  private static final double NANOS = 1e9;

  private final MetricsSettings settings;
  private final List<ClassCollector> classes; // most important first
  private final Map<String, Integer> rankOf = new HashMap<>();
  private final List<Dimension> dimensions;
  private final List<Column> columns = new ArrayList<>(); // without values
  private final Buckets buckets;
  private final List<IntervalMetrics> intervals = new ArrayList<>();
  private final double[] grantedShares;
  private final double[] peakShares;
  private final double[] demandedShares;
  private final double[] capacity; // of the hosts that were there at the latest look
  private List<Host> hosts = List.of();
  private final Amounts demanded;
  private final Amounts granted;
  private long intervalStart;
  private long looks;
  private long pendingSum;
  private long pendingMax;

  /**
   * A collector for one run.
   *
   * @param settings how to measure
   * @param workload what is run
   * @param infrastructure where; what dimensions it has are looked at
   */
  public MetricsCollector(
      MetricsSettings settings, Workload workload, Infrastructure infrastructure) {
    this.settings = settings;
    this.classes =
        workload.serviceClasses().stream()
            .sorted(MOST_IMPORTANT_FIRST)
            .map(each -> new ClassCollector(each, settings.penalties()))
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
    this.capacity = new double[dimensions.size()];
    this.demanded = new Amounts();
    this.granted = new Amounts();
  }

  private void addColumns(Quantity quantity, String dimension) {
    for (ClassCollector each : classes) {
      columns.add(new Column(quantity, dimension, each.serviceClass().name(), List.of()));
    }
  }

  /**
   * Lets a simulation in the making show this collector its state. What becomes of its requests is
   * for the caller to {@linkplain #ended pass on}.
   */
  public Simulation.Builder watch(Simulation.Builder simulation) {
    return simulation.states(settings.sample(), this::look);
  }

  /** Is told what became of a request; in order of time, and of the unfinished at the end. */
  public void ended(RequestOutcome outcome) {
    if (outcome.report().availability().isEmpty()) {
      return;
    }
    ClassCollector collector = collector(outcome.report().serviceClass());
    collector.ended(outcome);
    if (outcome.report().endedAt() > intervalStart) { // or it was seen when the last interval ended
      long service = outcome.report().serviceTime();
      collector.active(service, service + outcome.report().waitingTime());
    }
  }

  private void look(long now, Scheduler scheduler) {
    double[] row = new double[columns.size()];
    boolean endOfInterval = now - intervalStart >= settings.interval().toNanos();
    int perDimension = 1 + 2 * classes.size();
    lookAtCapacity(scheduler.hosts());
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

  /** A host has the same capacity as long as it is there. */
  private void lookAtCapacity(List<Host> present) {
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
    looks++;
    pendingSum += pending;
    pendingMax = Math.max(pendingMax, pending);
    for (int d = 0; d < dimensions.size(); d++) {
      double capacity = row[d * perDimension];
      double demanded = 0;
      double granted = 0;
      for (int rank = 0; rank < classes.size(); rank++) {
        demanded += row[d * perDimension + 1 + rank];
        granted += row[d * perDimension + 1 + classes.size() + rank];
      }
      if (capacity > 0) {
        grantedShares[d] += granted / capacity;
        demandedShares[d] += demanded / capacity;
        peakShares[d] = Math.max(peakShares[d], granted / capacity);
      }
    }
  }

  private void endInterval(long now, Scheduler scheduler) {
    for (Instance each : scheduler.instances()) {
      long service = each.serviceTime(now);
      classes.get(rank(each.serviceClass())).active(service, now - each.admittedAt());
    }
    endInterval(now);
  }

  private void endInterval(long now) {
    intervals.add(
        new IntervalMetrics(
            intervalStart / NANOS,
            now / NANOS,
            classes.stream().map(ClassCollector::interval).toList()));
    intervalStart = now;
  }

  /**
   * Returns what was measured, once the simulation has ended.
   *
   * @param result its totals
   */
  public RunMetrics result(RunResult result) {
    long end = result.simulated().toNanos();
    if (end > intervalStart) { // cut short; who was still there has been told as unfinished
      endInterval(end);
    }
    List<DimensionUsage> use = new ArrayList<>();
    double all = Math.max(1, looks);
    for (int d = 0; d < dimensions.size(); d++) {
      use.add(
          new DimensionUsage(
              dimensions.get(d).name(),
              grantedShares[d] / all,
              peakShares[d],
              demandedShares[d] / all));
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
        classes.stream().map(ClassCollector::result).toList(),
        use,
        pendingSum / all,
        pendingMax,
        intervals,
        new Timeline(step, filled));
  }

  /**
   * Amounts in whole units of each dimension. Requests of one job follow each other and share what
   * they ask for, so what was looked at last is often what is looked at next.
   */
  private final class Amounts {

    private @Nullable Resources latest;
    private final double[] wholes = new double[dimensions.size()];

    @SuppressWarnings("ReferenceEquality") // an equal one is only looked at once more
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

  private ClassCollector collector(ServiceClass serviceClass) {
    return classes.get(rank(serviceClass));
  }

  private int rank(ServiceClass serviceClass) {
    return Objects.requireNonNull(rankOf.get(serviceClass.name()), serviceClass.name());
  }
}
