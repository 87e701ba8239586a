package dev.berth.cli.fleet;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A policy that does at random all that can be done to instances on hosts; from some time on, it
 * only places and resumes, so that every run ends.
 */
final class Restless implements Policy {

  private static final long RESTS_FROM = Duration.ofMinutes(5).toNanos();
  private static final Reason WHIM = new Reason.PolicyChoice("whim", "a toss of the coin");

  @Override
  public void schedule(SchedulingPass pass) {
    if (pass.hosts().isEmpty()) {
      return;
    }
    boolean rests = pass.now() >= RESTS_FROM;
    for (Instance each : List.copyOf(pass.instances())) {
      Host host = pass.hosts().get(pass.random().nextInt(pass.hosts().size()));
      switch (each.state()) {
        case PENDING -> place(pass, each, host, rests);
        case RUNNING -> {
          if (!rests) {
            disturb(pass, each, host);
          }
        }
        case PAUSED, SUSPENDED -> {
          int toss = pass.random().nextInt(3);
          if (rests || toss == 0) {
            pass.resume(each, grant(each, pass.random(), rests), WHIM);
          }
          if (rests || toss == 1) { // if that was not possible
            pass.migrate(each, host, grant(each, pass.random(), rests), WHIM);
          }
        }
        default -> {
          // is starting
        }
      }
    }
    if (!rests) {
      pass.wakeAt(pass.now() + Duration.ofSeconds(5).toNanos());
    }
  }

  private static void place(SchedulingPass pass, Instance instance, Host host, boolean rests) {
    Resources grant = grant(instance, pass.random(), rests);
    boolean preempts = !rests && pass.random().nextBoolean();
    List<Instance> victims = preempts ? host.instances().stream().limit(2).toList() : List.of();
    pass.place(instance, host, victims, grant);
  }

  private static void disturb(SchedulingPass pass, Instance running, Host elsewhere) {
    Resources grant = grant(running, pass.random(), false);
    switch (pass.random().nextInt(8)) {
      case 0 -> pass.pause(running, WHIM);
      case 1 -> pass.suspend(running, WHIM);
      case 2 -> pass.migrate(running, elsewhere, grant, WHIM);
      case 3 -> pass.resize(running, grant, WHIM);
      default -> {
        // stays
      }
    }
  }

  private static Resources grant(Instance instance, RandomGenerator random, boolean all) {
    Resources demand = instance.request().demand();
    long memory = demand.amount(Dimension.MEMORY);
    return all
        ? demand
        : Resources.of(
            Dimension.CPU,
            demand.amount(Dimension.CPU),
            Dimension.MEMORY,
            random.nextLong(memory / 2, memory * 5 / 4));
  }

  @Override
  public Set<Dimension> oversubscribes() {
    return Set.of(Dimension.MEMORY);
  }

  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(PolicyMemory.none());
  }
}
