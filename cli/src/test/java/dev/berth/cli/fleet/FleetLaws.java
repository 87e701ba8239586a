package dev.berth.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.core.Scheduler;
import dev.berth.simulator.SimulationListener;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Laws of the engine that hold whatever a fleet does, checked while a simulation runs: E05, E06,
 * E14, and that each instance that waits has a reason.
 */
final class FleetLaws implements SimulationListener {

  private static final Duration INTERVAL = Duration.ofSeconds(13);
  private static final long EXPLAINED_UNTIL = Duration.ofMinutes(10).toNanos();

  @Override
  public Optional<Duration> sampleInterval() {
    return Optional.of(INTERVAL);
  }

  @Override
  public void sampled(long now, Scheduler scheduler) {
    Set<String> onHosts = new HashSet<>();
    for (Host each : scheduler.hosts()) {
      each.instances().forEach(resident -> assertThat(onHosts.add(resident.id())).isTrue());
      assertClosedIfOverfull(each);
    }
    for (Instance each : scheduler.instances()) {
      assertThat(onHosts.contains(each.id()))
          .as("%s is %s", each.id(), each.state())
          .isEqualTo(each.state() != InstanceState.PENDING);
      long at = Math.max(now, scheduler.now());
      assertThat(each.serviceTime(at) + each.waitingTime(at)).isEqualTo(at - each.admittedAt());
      if (each.state() == InstanceState.PENDING && now < EXPLAINED_UNTIL) {
        assertThat(scheduler.explain().whyPending(each.id(), at).describe()).isNotBlank();
      }
    }
  }

  private static void assertClosedIfOverfull(Host host) {
    for (Dimension each : host.capacity().dimensions()) {
      long held = host.foreign().amount(each);
      for (Instance resident : host.instances()) {
        boolean holds =
            resident.state().holdsCapacity()
                && (resident.state() != InstanceState.PAUSED || !each.equals(Dimension.CPU));
        held += holds ? resident.granted().amount(each) : 0;
      }
      assertThat(held <= host.capacity().amount(each) || host.closed().isPresent())
          .as("host %s holds %s of %s", host.id(), held, each)
          .isTrue();
    }
  }
}
