package dev.berth.benchmarks.scenario;

import dev.berth.api.Constraint;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The requests of a scenario, one after the other; the same each time. */
public final class RequestStream {

  private static final int SIBLINGS = 4;

  private final SplittableRandom random = new SplittableRandom(ScenarioRun.SEED);
  private final List<Resources> demands;
  private final boolean constrained;
  private int made;

  /** Starts with the first. */
  public RequestStream(BenchmarkScenario scenario) {
    this.demands = scenario.demands().stream().map(BenchmarkScenario.Demand::resources).toList();
    this.constrained = scenario.constrained();
  }

  /** Returns the next request, of one of some classes. */
  public Request next(List<String> classes) {
    int number = made++;
    Request.Builder request =
        Request.builder("r" + number, classes.get(random.nextInt(classes.size())))
            .demand(demands.get(random.nextInt(demands.size())));
    if (constrained) {
      condition(request, number);
    }
    return request.build();
  }

  /** Returns the next requests. */
  public List<Request> next(List<String> classes, int count) {
    List<Request> requests = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      requests.add(next(classes));
    }
    return requests;
  }

  /**
   * Of four requests, one requires an architecture, one excludes a zone, and two avoid siblings.
   */
  private static void condition(Request.Builder request, int number) {
    switch (number % 4) {
      case 0 ->
          request.constraint(new Constraint.Equal("arch", number % 8 == 0 ? "arm64" : "amd64"));
      case 1 ->
          request.constraint(new Constraint.NotEqual("zone", BenchmarkScenario.zone(number / 4)));
      default -> request.job("job-" + number / (2 * SIBLINGS)).antiAffinity(true);
    }
  }
}
