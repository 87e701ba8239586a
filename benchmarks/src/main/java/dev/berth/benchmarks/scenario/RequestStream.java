package dev.berth.benchmarks.scenario;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Toleration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The requests of a scenario, one after the other; the same each time. */
public final class RequestStream {

  private static final int SIBLINGS = 4;
  private static final int MEMBERS = 10;

  private final SplittableRandom random = new SplittableRandom(ScenarioRun.SEED);
  private final List<Resources> demands;
  private final BenchmarkScenario.Conditions conditions;
  private int made;

  /** Starts with the first. */
  public RequestStream(BenchmarkScenario scenario) {
    this.demands = scenario.demands().stream().map(BenchmarkScenario.Demand::resources).toList();
    this.conditions = scenario.conditions();
  }

  /** Returns the next request, of one of some classes. */
  public Request next(List<String> classes) {
    int number = made++;
    Request.Builder request =
        Request.builder("r" + number, classes.get(random.nextInt(classes.size())))
            .demand(demands.get(random.nextInt(demands.size())));
    switch (conditions) {
      case NONE -> {} // room is enough
      case CONSTRAINTS -> constrain(request, number);
      case PLACEMENT -> rule(request, number);
    }
    return request.build();
  }

  /** Returns the next requests. */
  public List<Request> next(List<String> classes, int count) {
    return IntStream.range(0, count).mapToObj(i -> next(classes)).toList();
  }

  /**
   * Of four requests, one requires an architecture, one excludes a zone, and two avoid siblings.
   */
  private static void constrain(Request.Builder request, int number) {
    switch (number % 4) {
      case 0 ->
          request.constraint(new Constraint.Equal("arch", number % 8 == 0 ? "arm64" : "amd64"));
      case 1 ->
          request.constraint(new Constraint.NotEqual("zone", BenchmarkScenario.zone(number / 4)));
      default -> request.job("job-" + number / (2 * SIBLINGS)).antiAffinity(true);
    }
  }

  /** Each spreads with its siblings and prefers an architecture; one of four tolerates a taint. */
  private static void rule(Request.Builder request, int number) {
    String job = "job-" + number / MEMBERS;
    PlacementSpec.Builder placement =
        PlacementSpec.builder()
            .spread(Peers.ofJob(job), Domain.of("zone"), 1)
            .prefer(new Preference.OnHost(new Constraint.Equal("arch", "amd64"), 10));
    if (number / MEMBERS % 4 == 0) {
      placement.tolerate(Toleration.of("reserved"));
    }
    request.job(job).placement(placement.build());
  }
}
