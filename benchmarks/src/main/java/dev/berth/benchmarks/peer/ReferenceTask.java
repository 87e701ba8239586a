package dev.berth.benchmarks.peer;

import dev.berth.api.Constraint;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.benchmarks.scenario.BenchmarkScenario;
import dev.berth.benchmarks.scenario.RequestStream;
import dev.berth.benchmarks.scenario.ScenarioRun;
import dev.berth.benchmarks.scenario.Scenarios;
import dev.berth.core.event.Event;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.ReferenceScheduler;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The reference model in the state of the scenario {@code contended-pass}. Each of its decisions
 * examines all instances for each host, so the cost of a pass is proportional to its requests.
 *
 * <p>Each resident names its host, which makes the set-up fast. Number and sizes of residents are
 * the same as with a free choice, so the measurement is not affected.
 */
record ReferenceTask() implements Task {

  private static final int PER_HOST = 20;
  private static final long LATER = 3600 * 1_000_000_000L;

  @Override
  public Figures run(Size size) {
    BenchmarkScenario scenario = Scenarios.get("contended-pass");
    RequestStream stream = new RequestStream(scenario);
    ReferenceScheduler reference =
        new ReferenceScheduler(QosDriven.PAPER, ScenarioRun.serviceClasses(), 1, Optional.empty());
    for (HostSpec each : scenario.hosts(size.hosts())) {
      reference.apply(
          new Event.HostAdded(new HostSpec(each.id(), each.capacity(), Map.of("name", each.id()))),
          0);
      for (int i = 0; i < PER_HOST; i++) {
        reference.apply(new Event.Submitted(resident(stream.next(scenario.residents()), each)), 0);
      }
    }
    Plan residents = reference.schedule(0);
    for (Action.Place each : residents.placements()) {
      reference.apply(new Event.StartedNow(each.instance()), 0);
    }
    List<Request> arrivals = stream.next(scenario.arrivals(), size.requests());
    arrivals.forEach(each -> reference.apply(new Event.Submitted(each), LATER));
    long begin = System.nanoTime();
    Plan plan = reference.schedule(LATER);
    long took = System.nanoTime() - begin;
    if (plan.placements().size() != size.requests()
        || plan.preemptions().size() != size.requests()) {
      throw new IllegalStateException("not every request took the place of an instance.");
    }
    return Figures.of("rate", size.requests() * 1e9 / took);
  }

  private static Request resident(Request request, HostSpec host) {
    return Request.builder(request.id(), request.serviceClass())
        .demand(request.demand())
        .constraint(new Constraint.Equal("name", host.id()))
        .build();
  }
}
