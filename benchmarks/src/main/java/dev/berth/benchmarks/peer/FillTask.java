package dev.berth.benchmarks.peer;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.benchmarks.scenario.BenchmarkScenario;
import dev.berth.benchmarks.scenario.RequestStream;
import dev.berth.benchmarks.scenario.Scenarios;
import java.util.ArrayList;
import java.util.List;

/**
 * Places the requests of the scenario {@code fill} on an empty cluster, batch by batch. Only
 * placement is measured, not the conversion of hosts and requests into the types of a placer.
 */
record FillTask(Placer.Maker maker) implements Task {

  /** A limit on repetitions, since setting up takes longer than fast placement. */
  private static final int PATIENCE = 4;

  private static final double LEAST_PLACED = 0.8; // below this, a placer is set up wrongly

  @Override
  public Figures run(Size size) {
    BenchmarkScenario scenario = Scenarios.get("fill");
    List<HostSpec> hosts = scenario.hosts(size.hosts());
    List<Request> requests = new RequestStream(scenario).next(scenario.arrivals(), size.requests());
    List<List<Request>> batches = new ArrayList<>();
    for (int i = 0; i < requests.size(); i += size.batch()) {
      batches.add(requests.subList(i, Math.min(i + size.batch(), requests.size())));
    }

    long warm = System.nanoTime() + size.warmUpNanos();
    while (System.nanoTime() < warm) {
      try (Placer placer = maker.on(hosts)) {
        for (List<Request> each : batches) {
          Placer.Batch batch = placer.prepare(each);
          batch.place();
          batch.keepAccount();
          if (System.nanoTime() >= warm) {
            break;
          }
        }
      }
    }

    long measured = 0;
    long latest = System.nanoTime() + PATIENCE * size.measuredNanos();
    int runs = 0;
    Packing packing;
    do {
      try (Placer placer = maker.on(hosts)) {
        for (List<Request> each : batches) {
          Placer.Batch batch = placer.prepare(each);
          long before = System.nanoTime();
          batch.place();
          measured += System.nanoTime() - before;
          batch.keepAccount();
        }
        packing = Packing.of(hosts, requests, placer.hostsOf(requests));
      }
      runs++;
    } while (measured < size.measuredNanos() && System.nanoTime() < latest);

    int placed = requests.size() - packing.unplaced();
    if (placed < size.requests() * LEAST_PLACED) {
      throw new IllegalStateException(
          "%s of %s requests were placed, must be four fifths of them."
              .formatted(placed, requests.size()));
    }
    return Figures.of("rate", placed * 1e9 * runs / measured)
        .and("unplaced", packing.unplaced())
        .and("hosts", packing.hostsUsed())
        .and("fullest", packing.fullest());
  }
}
