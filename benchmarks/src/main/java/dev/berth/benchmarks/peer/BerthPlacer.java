package dev.berth.benchmarks.peer;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.benchmarks.scenario.ScenarioRun;
import dev.berth.core.Scheduler;
import java.util.List;

/** Berth's scheduler: requests are submitted, and a pass places them. */
final class BerthPlacer implements Placer {

  private static final long SECOND = 1_000_000_000L;

  private final Scheduler scheduler;
  private List<Request> latest = List.of();
  private long now;

  BerthPlacer(Scheduler.Builder builder, List<HostSpec> hosts) {
    this.scheduler = builder.serviceClasses(ScenarioRun.serviceClasses()).decisionLog(0).build();
    hosts.forEach(each -> scheduler.addHost(each, now));
  }

  /**
   * Cancels requests without a host, since other placers do not keep them for the next batch
   * either.
   */
  @Override
  public Batch prepare(List<Request> requests) {
    if (scheduler.pendingCount() > 0) {
      for (Request each : latest) {
        if (scheduler.instance(each.id()).orElseThrow().state() == InstanceState.PENDING) {
          scheduler.cancel(each.id(), now);
        }
      }
    }
    latest = requests;
    now += SECOND;
    return () -> {
      for (Request each : requests) {
        scheduler.submit(each, now);
      }
      scheduler.schedule(now);
    };
  }

  @Override
  public List<String> hostsOf(List<Request> requests) {
    return requests.stream()
        .map(each -> scheduler.instance(each.id()).flatMap(Instance::host).map(Host::id).orElse(""))
        .toList();
  }
}
