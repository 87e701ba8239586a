package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Policy;
import dev.berth.api.Reason;
import dev.berth.api.SchedulingPass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Moves instances off hosts that have too little memory (Algorithm 2).
 *
 * <p>Of each host at most one is a candidate: the paused one that needs least; if none is paused,
 * the suspended one that needs least; and if there is no candidate so far and the host is
 * overloaded, that is, somebody there has lacked memory twice in a row that is not free, the
 * running one that needs least. Each goes to the host with most free memory, if that is more than
 * {@linkplain Elasticity#migrationRoom so many times} what it needs.
 *
 * <p>While anybody is still starting nobody is moved: what is free is not yet known (section 5.1,
 * where a cycle is skipped).
 */
final class Migration {

  private static final Reason STANDS_STILL =
      new Reason.PolicyChoice(
          "room-elsewhere", "it stands still, and another host has memory for it");
  private static final Reason OVERLOADED =
      new Reason.PolicyChoice("host-overloaded", "its host has less memory than is needed there");

  private static final Comparator<Instance> LEAST_NEED =
      Comparator.comparingLong(ElasticityController::need)
          .thenComparingLong(Instance::admittedAt)
          .thenComparing(Instance::id);

  private final double room;

  Migration(double room) {
    this.room = room;
  }

  /** Lets a policy run after the migrations of each pass. */
  Policy before(Policy policy) {
    return new Migrating(this, policy);
  }

  private void migrate(SchedulingPass pass) {
    List<Host> hosts = pass.hosts().stream().sorted(Comparator.comparing(Host::id)).toList();
    if (hosts.size() < 2
        || pass.instances().stream().anyMatch(each -> each.state() == InstanceState.STARTING)) {
      return;
    }
    List<Instance> candidates = new ArrayList<>();
    for (Host host : hosts) {
      Optional<Instance> still =
          least(host, InstanceState.PAUSED).or(() -> least(host, InstanceState.SUSPENDED));
      if (still.isPresent()) {
        candidates.add(still.get());
      } else if (candidates.isEmpty() && isOverloaded(host)) {
        least(host, InstanceState.RUNNING).ifPresent(candidates::add);
      }
    }
    for (Instance each : candidates) {
      migrate(pass, each, hosts);
    }
  }

  private void migrate(SchedulingPass pass, Instance instance, List<Host> hosts) {
    Host from = instance.host().orElseThrow();
    long need = ElasticityController.need(instance);
    hosts.stream()
        .filter(each -> !each.id().equals(from.id()))
        .max(
            Comparator.<Host>comparingLong(each -> each.free(Dimension.MEMORY))
                .thenComparing(Comparator.comparing(Host::id).reversed()))
        .filter(each -> each.free(Dimension.MEMORY) > need * room)
        .ifPresent(
            target ->
                pass.migrate(
                    instance,
                    target,
                    Grants.withMemory(
                        instance.granted(),
                        Math.max(
                            ElasticityController.pinned(instance),
                            Math.min(
                                ElasticityController.expected(instance),
                                target.free(Dimension.MEMORY)))),
                    instance.state() == InstanceState.RUNNING ? OVERLOADED : STANDS_STILL));
  }

  private static Optional<Instance> least(Host host, InstanceState state) {
    return host.instances().stream().filter(each -> each.state() == state).min(LEAST_NEED);
  }

  private static boolean isOverloaded(Host host) {
    long lacking =
        host.instances().stream()
            .filter(ElasticityController::lackedBefore)
            .mapToLong(ElasticityController::shortfall)
            .sum();
    return lacking > host.free(Dimension.MEMORY);
  }

  private record Migrating(Migration migration, Policy policy) implements Policy {

    @Override
    public void schedule(SchedulingPass pass) {
      migration.migrate(pass);
      policy.schedule(pass);
    }

    @Override
    public Optional<Duration> watchdog() {
      return policy.watchdog();
    }

    @Override
    public Set<Dimension> oversubscribes() {
      return policy.oversubscribes();
    }
  }
}
