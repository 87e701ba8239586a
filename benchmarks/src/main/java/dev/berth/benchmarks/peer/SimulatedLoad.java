package dev.berth.benchmarks.peer;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.benchmarks.scenario.BenchmarkScenario;
import dev.berth.benchmarks.scenario.RequestStream;
import dev.berth.benchmarks.scenario.Scenarios;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The load on which simulators are compared: every second a batch of requests arrives, which run
 * for ten seconds to a minute. No request ever waits. Events are arrivals, placements and ends, in
 * both simulators.
 *
 * @param hosts in no particular order
 * @param requests in the order in which they arrive
 * @param seconds how long each request runs
 * @param batch number of requests that arrive together
 */
record SimulatedLoad(
    List<HostSpec> hosts, List<Request> requests, List<Integer> seconds, int batch) {

  private static final int EVENTS = 3;

  static SimulatedLoad of(Task.Size size) {
    BenchmarkScenario scenario = Scenarios.get("fill");
    return new SimulatedLoad(
        scenario.hosts(size.hosts()),
        new RequestStream(scenario).next(scenario.arrivals(), size.requests()),
        new SplittableRandom(1).ints(size.requests(), 10, 61).boxed().toList(),
        size.batch());
  }

  /** Returns when a request arrives, in seconds from the start. */
  int arrival(int request) {
    return 1 + request / batch;
  }

  int events() {
    return EVENTS * requests.size();
  }

  /** Simulates the load, first to warm up and then to measure. */
  static Task.Figures measure(Task.Size size, Consumer<SimulatedLoad> simulator) {
    SimulatedLoad load = of(size);
    long warm = System.nanoTime() + size.warmUpNanos();
    do {
      simulator.accept(load);
    } while (System.nanoTime() < warm);
    int runs = 0;
    long begin = System.nanoTime();
    long enough = begin + size.measuredNanos();
    do {
      simulator.accept(load);
      runs++;
    } while (System.nanoTime() < enough);
    return Task.Figures.of("rate", load.events() * 1e9 * runs / (System.nanoTime() - begin));
  }
}
