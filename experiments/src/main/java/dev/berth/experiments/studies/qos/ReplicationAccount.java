package dev.berth.experiments.studies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.experiments.ClassFigures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The account of a replication: the figures of each class from the requests, added one by one. */
final class ReplicationAccount {

  private static final class Sums {

    private long count;
    private long fulfilled;
    private long neverRan;
    private long preemptions;
    private double availability;
    private double min = 1;
    private double max;
    private double deficit;
    private double maxDeficit;
  }

  private final PublishedRun.Source source;
  private final Map<ServiceClass, Sums> classes = new LinkedHashMap<>();
  private OptionalLong placements = OptionalLong.empty();

  ReplicationAccount(PublishedRun.Source source, Requests requests) {
    this.source = source;
    requests.serviceClasses().forEach(each -> classes.put(each, new Sums()));
  }

  /**
   * Adds a request.
   *
   * @param serviceClass its class
   * @param service time in service, in nanoseconds
   * @param life time from its admission to its end, in nanoseconds; positive
   * @param preemptions number of its preemptions
   */
  void add(ServiceClass serviceClass, long service, long life, int preemptions) {
    Sums sums = Objects.requireNonNull(classes.get(serviceClass), serviceClass.name());
    double availability = (double) service / life;
    sums.count++;
    sums.preemptions += preemptions;
    sums.neverRan += service == 0 ? 1 : 0;
    sums.availability += availability;
    sums.min = Math.min(sums.min, availability);
    sums.max = Math.max(sums.max, availability);
    if (serviceClass.slo().isMetBy(service, life)) {
      sums.fulfilled++;
    } else {
      double deficit = serviceClass.slo().share() - availability;
      sums.deficit += deficit;
      sums.maxDeficit = Math.max(sums.maxDeficit, deficit);
    }
  }

  /** Sets the number of placements of the whole replication. */
  void placements(long count) {
    placements = OptionalLong.of(count);
  }

  /**
   * Returns the result.
   *
   * @param name of the replication
   */
  Replication result(String name) {
    List<ClassFigures> figures = new ArrayList<>();
    classes.forEach(
        (serviceClass, sums) -> {
          if (sums.count > 0) {
            figures.add(figures(serviceClass, sums));
          }
        });
    long preemptions = classes.values().stream().mapToLong(each -> each.preemptions).sum();
    return new Replication(name, source, OptionalLong.of(preemptions), placements, figures);
  }

  private static ClassFigures figures(ServiceClass serviceClass, Sums sums) {
    long missed = sums.count - sums.fulfilled;
    return new ClassFigures(
        serviceClass.name(),
        serviceClass.slo().share(),
        sums.count,
        OptionalDouble.of(sums.min),
        OptionalDouble.of(sums.availability / sums.count),
        OptionalDouble.of(sums.max),
        OptionalDouble.of((double) sums.fulfilled / sums.count),
        missed == 0 ? OptionalDouble.empty() : OptionalDouble.of(sums.deficit / missed),
        missed == 0 ? OptionalDouble.empty() : OptionalDouble.of(sums.maxDeficit),
        OptionalLong.of(sums.neverRan),
        OptionalLong.of(sums.preemptions));
  }
}
