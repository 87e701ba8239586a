package dev.berth.experiments.studies.qos;

import dev.berth.api.Instance;
import dev.berth.core.Scheduler;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.Study;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/** Places all requests at once. */
final class AtOnce {

  private AtOnce() {}

  /**
   * Returns what is to be known of each request that waits after the passes at time 0.
   *
   * @param policy id of the policy
   */
  static <T> List<T> place(
      String policy,
      Workload requests,
      Infrastructure hosts,
      Study.Setting setting,
      BiFunction<Scheduler, Instance, T> of) {
    return PolicySpec.of(policy)
        .resolve(setting.registry())
        .choice()
        .simulate(
            scheduler ->
                Simulation.builder()
                    .scheduler(scheduler)
                    .workload(requests)
                    .infrastructure(hosts)
                    .seed(setting.seed()),
            simulation -> {
              simulation.runUntil(Duration.ZERO);
              return simulation.scheduler().instances().stream()
                  .filter(each -> each.host().isEmpty())
                  .map(each -> of.apply(simulation.scheduler(), each))
                  .toList();
            });
  }
}
