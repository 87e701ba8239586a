package dev.berth.policies.baselines;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;

/**
 * Packs hosts tightly, so that as few requests as possible stay without a host.
 *
 * <p>Each pass first computes a packing of the pending requests, then places them by it:
 *
 * <ol>
 *   <li>Equivalent requests form a group. More important groups come first, then {@linkplain
 *       Scarcity scarcer} ones: those whose hosts are in the greatest demand.
 *   <li>A group fills the hosts with the least capacity left and the least demand by others.
 *   <li>If requests of a group have no room, a {@linkplain Relocation relocation} changes the hosts
 *       that the pass chose for others. Instances that are already on hosts never move.
 *   <li>The packing knows demands, constraints and anti-affinity. If a host is refused for another
 *       reason, such as a taint or a rule about other instances, the requests that wait then go to
 *       the first host that accepts them.
 * </ol>
 *
 * <p>No request that waits fits on a host after the pass.
 *
 * <p>A pass costs O(instances + groups · hosts · log hosts). The relocations of a pass visit at
 * most {@value Relocation#VISITS} times as many hosts as there are.
 */
final class BinPacking implements Policy {

  private final Duration watchdog;

  BinPacking(Duration watchdog) {
    this.watchdog = watchdog;
  }

  @Override
  public Optional<Duration> watchdog() {
    return Optional.of(watchdog);
  }

  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(PolicyMemory.none());
  }

  @Override
  public void schedule(SchedulingPass pass) {
    PackingProblem problem = PackingProblem.of(pass);
    Packing packing = new Packing(problem.hosts(), problem.groups());
    packing.pack();
    int[] refused = {0};
    packing.forEachPlacement(
        (instance, host) -> {
          if (!pass.place(instance, problem.host(host)).accepted()) {
            refused[0]++;
          }
        });
    if (refused[0] > 0) {
      new FirstFit(pass).placeAll();
    }
  }
}
