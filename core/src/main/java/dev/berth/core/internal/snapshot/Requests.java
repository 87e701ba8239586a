package dev.berth.core.internal.snapshot;

import static com.google.common.base.Preconditions.checkArgument;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.snapshot.InstanceData.AmountData;
import dev.berth.core.snapshot.RequestData;
import dev.berth.core.snapshot.RequestData.MemoryPoint;
import dev.berth.core.snapshot.RequestData.MemoryStep;
import dev.berth.core.snapshot.RequestData.MoldabilityPoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Requests and amounts of resources as plain data. */
final class Requests {

  private Requests() {}

  static RequestData write(Request request) {
    return new RequestData(
        request.serviceClass(),
        write(request.demand()),
        request.guaranteed().equals(request.demand())
            ? Optional.empty()
            : Optional.of(write(request.guaranteed())),
        request.constraints().stream().map(Reasons::write).toList(),
        request.job(),
        request.application(),
        request.user(),
        request.labels(),
        request.payload(),
        request.antiAffinity(),
        request.estimatedRunTime(),
        request.deadline(),
        request.maxRunTime(),
        request.losesProgress(),
        request.maxFailures(),
        request.after(),
        request
            .moldability()
            .map(
                how ->
                    how.points().stream()
                        .map(each -> new MoldabilityPoint(each.share(), each.factor()))
                        .toList())
            .orElse(List.of()),
        request
            .memoryProfile()
            .map(
                profile ->
                    profile.steps().stream()
                        .map(each -> new MemoryStep(each.from(), each.need()))
                        .toList())
            .orElse(List.of()),
        request
            .performanceMemoryProfile()
            .map(
                profile ->
                    profile.points().stream()
                        .map(each -> new MemoryPoint(each.memory(), each.runTime()))
                        .toList())
            .orElse(List.of()),
        Placements.write(request.placement()));
  }

  /**
   * Returns the request of plain data.
   *
   * @param resources returns amounts of known dimensions, by name
   * @throws IllegalArgumentException if there is no such request
   */
  static Request read(
      String id, RequestData data, Function<Map<String, Long>, Resources> resources) {
    Request.Builder builder =
        Request.builder(id, data.serviceClass())
            .demand(resources.apply(data.demand()))
            .labels(data.labels())
            .antiAffinity(data.antiAffinity())
            .losesProgress(data.losesProgress());
    data.maxFailures().ifPresent(builder::maxFailures);
    data.after().forEach(builder::after);
    data.guaranteed().ifPresent(least -> builder.guaranteed(resources.apply(least)));
    data.constraints().forEach(each -> builder.constraint(Reasons.read(each)));
    data.placement().ifPresent(each -> builder.placement(Placements.read(each)));
    data.job().ifPresent(builder::job);
    data.application().ifPresent(builder::application);
    data.user().ifPresent(builder::user);
    data.payload().ifPresent(builder::payload);
    data.estimatedRunTime().ifPresent(nanos -> builder.estimatedRunTime(Duration.ofNanos(nanos)));
    data.deadline().ifPresent(nanos -> builder.deadline(Duration.ofNanos(nanos)));
    data.maxRunTime().ifPresent(nanos -> builder.maxRunTime(Duration.ofNanos(nanos)));
    if (!data.moldability().isEmpty()) {
      builder.moldability(
          new Moldability(
              data.moldability().stream()
                  .map(each -> new Moldability.Point(each.share(), each.factor()))
                  .toList()));
    }
    if (!data.memoryProfile().isEmpty()) {
      builder.memoryProfile(
          MemoryProfile.of(
              data.memoryProfile().stream()
                  .map(each -> new MemoryProfile.Step(each.from(), each.need()))
                  .toList()));
    }
    if (!data.performanceMemoryProfile().isEmpty()) {
      builder.performanceMemoryProfile(
          PerformanceMemoryProfile.of(
              data.performanceMemoryProfile().stream()
                  .map(each -> new PerformanceMemoryProfile.Point(each.memory(), each.runTime()))
                  .toList()));
    }
    return builder.build();
  }

  static Map<String, Long> write(Resources resources) {
    List<Dimension> dimensions = resources.dimensions();
    if (dimensions.size() == 1) {
      Dimension only = dimensions.get(0);
      return Map.of(only.name(), resources.amount(only));
    }
    Map<String, Long> amounts = new TreeMap<>();
    for (Dimension each : dimensions) {
      amounts.put(each.name(), resources.amount(each));
    }
    return amounts;
  }

  /**
   * Returns the resources of plain data.
   *
   * @throws IllegalArgumentException if a dimension is unknown or an amount negative
   */
  static Resources read(Map<String, Long> amounts, Map<String, Dimension> dimensions) {
    Resources.Builder resources = Resources.builder();
    amounts.forEach(
        (name, amount) -> {
          Dimension dimension = dimensions.get(name);
          checkArgument(dimension != null, "dimension %s is not among those of the snapshot", name);
          resources.put(dimension, amount);
        });
    return resources.build();
  }

  static List<AmountData> writeScaled(Resources resources) {
    return resources.dimensions().stream()
        .map(each -> new AmountData(each.name(), each.unitsPerWhole(), resources.amount(each)))
        .toList();
  }

  static Resources readScaled(List<AmountData> amounts) {
    Resources.Builder resources = Resources.builder();
    for (AmountData each : amounts) {
      resources.put(new Dimension(each.dimension(), each.unitsPerWhole()), each.amount());
    }
    return resources.build();
  }
}
