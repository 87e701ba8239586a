package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.Experimental;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Migrates instances off hosts with too little memory (Algorithm 2).
 *
 * <p>Each host has at most one candidate: the paused instance with the smallest need, or else the
 * suspended one with the smallest need. If there is no candidate so far and the host is overloaded,
 * it is the running instance with the smallest need. A host is overloaded if instances on it lacked
 * memory twice in a row and that memory is not free. Each candidate moves to the host with the most
 * free memory that has the cores and may hold it. The free memory must exceed the need by a factor.
 *
 * <p>An instance that can resume on its host stays. Hosts with a starting instance take no part,
 * since their free memory is not known yet (section 5.1, where the whole cycle is skipped).
 */
@Experimental
public final class Migration {

  private static final Reason STANDS_STILL =
      new Reason.PolicyChoice("room-elsewhere", "it is halted, and another host has memory for it");
  private static final Reason OVERLOADED =
      new Reason.PolicyChoice(
          "host-overloaded", "its host has less memory than its instances need");

  private static final Comparator<Instance> LEAST_NEED =
      Comparator.comparingLong(ElasticityController::need)
          .thenComparing(ElasticityController.IN_ORDER);

  private final double room;

  /**
   * Creates a migration.
   *
   * @param room the free memory that a target needs, as a multiple of the need of the instance; at
   *     least 1
   */
  public Migration(double room) {
    this.room = room;
  }

  /**
   * Returns a policy that migrates before each pass of another policy. Memory may be
   * oversubscribed: an instance moves with its need, which may be less than its demand.
   */
  public Policy before(Policy policy) {
    return new Migrating(this, policy);
  }

  private void migrate(SchedulingPass pass) {
    List<Host> hosts =
        pass.hosts().stream()
            .filter(
                host ->
                    host.instances().stream()
                        .noneMatch(each -> each.state() == InstanceState.STARTING))
            .sorted(Comparator.comparing(Host::id))
            .toList();
    List<Instance> candidates = new ArrayList<>();
    for (Host host : hosts) {
      Optional<Instance> still =
          least(host, InstanceState.PAUSED).or(() -> least(host, InstanceState.SUSPENDED));
      if (still.isPresent()) {
        if (!canResume(still.get(), host)) {
          candidates.add(still.get());
        }
      } else if (candidates.isEmpty() && isOverloaded(host)) {
        least(host, InstanceState.RUNNING).ifPresent(candidates::add);
      }
    }
    for (Instance each : candidates) {
      migrate(pass, each, hosts);
    }
  }

  /** Returns whether a halted instance can resume on its host. */
  private static boolean canResume(Instance instance, Host host) {
    long held =
        instance.state() == InstanceState.PAUSED ? ElasticityController.granted(instance) : 0;
    return host.closed().isEmpty()
        && ElasticityController.need(instance) - held <= host.free(Dimension.MEMORY)
        && !isOverloaded(host);
  }

  private void migrate(SchedulingPass pass, Instance instance, List<Host> hosts) {
    Host from = instance.host().orElseThrow();
    double least = ElasticityController.need(instance) * room;
    List<Host> targets =
        hosts.stream()
            .filter(each -> !each.id().equals(from.id()) && each.closed().isEmpty())
            .filter(each -> each.free(Dimension.MEMORY) > least)
            .sorted(
                Comparator.<Host>comparingLong(each -> -each.free(Dimension.MEMORY))
                    .thenComparing(Host::id))
            .toList();
    for (Host target : targets) {
      long grant =
          Math.max(
              ElasticityController.guaranteed(instance),
              Math.min(ElasticityController.expected(instance), target.free(Dimension.MEMORY)));
      Reason why = instance.state() == InstanceState.RUNNING ? OVERLOADED : STANDS_STILL;
      if (pass.migrate(instance, target, Grants.withMemory(instance.granted(), grant), why)
          .accepted()) {
        return;
      }
    }
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

    /** Migration itself keeps nothing. */
    @Override
    public Optional<PolicyMemory> memory() {
      return policy.memory();
    }

    @Override
    public Set<Dimension> oversubscribes() {
      return ElasticityController.withMemory(policy.oversubscribes());
    }
  }
}
