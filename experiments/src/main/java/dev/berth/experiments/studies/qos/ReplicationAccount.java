package dev.berth.experiments.studies.qos;

import com.google.common.collect.Maps;
import dev.berth.api.ServiceClass;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Sample;
import dev.berth.simulator.result.ClassResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  PublishedRun result(String name) {
    List<ClassFigures> figures = new ArrayList<>();
    classes.forEach(
        (serviceClass, sums) -> {
          if (sums.count > 0) {
            figures.add(figures(serviceClass, sums));
          }
        });
    long preemptions = classes.values().stream().mapToLong(each -> each.preemptions).sum();
    return new PublishedRun(name, "", source, OptionalLong.of(preemptions), placements, figures);
  }

  private static ClassFigures figures(ServiceClass serviceClass, Sums sums) {
    long missed = sums.count - sums.fulfilled;
    Map<Figure<ClassResult>, Double> figures = new HashMap<>();
    figures.put(ClassFigures.SLO, serviceClass.slo().share());
    figures.put(ClassFigures.COUNT, (double) sums.count);
    figures.put(ClassFigures.MIN, sums.min);
    figures.put(ClassFigures.MEAN, sums.availability / sums.count);
    figures.put(ClassFigures.MAX, sums.max);
    figures.put(ClassFigures.FULFILMENT, (double) sums.fulfilled / sums.count);
    figures.put(ClassFigures.NEVER_RAN, (double) sums.neverRan);
    figures.put(ClassFigures.PREEMPTIONS, (double) sums.preemptions);
    if (missed > 0) {
      figures.put(ClassFigures.MEAN_DEFICIT, sums.deficit / missed);
      figures.put(ClassFigures.MAX_DEFICIT, sums.maxDeficit);
    }
    return new ClassFigures(
        serviceClass.name(), Maps.transformValues(figures, each -> Sample.of(List.of(each))));
  }
}
