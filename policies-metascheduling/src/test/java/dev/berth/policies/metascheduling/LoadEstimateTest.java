package dev.berth.policies.metascheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LoadEstimateTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long WHOLE = Dimension.CPU.unitsPerWhole();

  /** Eqs. 5 to 7, computed from the current views. */
  private static double formula(Host host, long now, double window) {
    double exec = 0;
    double there = 0;
    for (Instance each : host.instances()) {
      if (each.state() == InstanceState.STARTING) {
        exec += 1;
        there += 1;
      } else if (each.state() == InstanceState.RUNNING) {
        exec += Math.max(0, (window - (double) (now - each.stateSince())) / window);
        there += 1;
      }
    }
    double fin = 0;
    for (long end : host.recentCompletions()) {
      fin += Math.max(0, (window - (double) (now - end)) / window);
    }
    return host.load().isEmpty() ? there : host.load().get().average() + exec - fin;
  }

  private static double cores(Host host) {
    long amount = host.capacity().amount(Dimension.CPU);
    return amount == 0 ? 1 : (double) amount / WHOLE;
  }

  /** Places at random, queries in between, discards forks, and compares in every pass. */
  private static final class Comparing implements Policy {

    private final Random random;
    private final double window;
    private final LoadEstimate estimate;
    private final LoadEstimate reported = LoadEstimate.asReported();
    int compared;

    Comparing(Random random, Duration window) {
      this.random = random;
      this.window = window.toNanos();
      this.estimate = LoadEstimate.over(window);
    }

    @Override
    public void schedule(SchedulingPass pass) {
      follow(pass);
      if (random.nextInt(3) == 0) {
        try (SchedulingPass.Fork fork = pass.fork()) {
          place(fork);
        }
        follow(pass);
      }
      place(pass);
    }

    private void follow(SchedulingPass pass) {
      estimate.follow(pass.hosts(), pass.now());
      reported.follow(pass.hosts(), pass.now());
      compare(pass);
    }

    private void place(SchedulingPass pass) {
      for (Instance each : pass.pending()) {
        if (!pass.hosts().isEmpty()) {
          int site = random.nextInt(pass.hosts().size());
          Host host = pass.hosts().get(site);
          if (pass.place(each, host).accepted()) {
            estimate.look(site, host);
            reported.look(site, host);
          }
        }
      }
      compare(pass);
    }

    private void compare(SchedulingPass pass) {
      for (int site = 0; site < pass.hosts().size(); site++) {
        Host host = pass.hosts().get(site);
        double expected = formula(host, pass.now(), window);
        assertThat(estimate.load(site)).isCloseTo(expected, within(1e-9));
        assertThat(estimate.perCore(site)).isCloseTo(expected / cores(host), within(1e-8));
        assertThat(estimate.perCoreWithOneMore(site))
            .isCloseTo((expected + 1) / cores(host), within(1e-8));
        if (host.load().isPresent()) {
          assertThat(reported.load(site)).isEqualTo(host.load().get().average());
        } else if (host.timeShared()) {
          assertThat(reported.load(site)).isZero();
        } else {
          assertThat(reported.load(site)).isCloseTo(expected, within(1e-9));
        }
        compared++;
      }
    }
  }

  @Property(tries = 150)
  void matchesTheFormula(@ForAll long seed) {
    Random random = new Random(seed);
    Duration window = random.nextBoolean() ? HostLoad.WINDOW : Duration.ofSeconds(7);
    Comparing policy = new Comparing(random, window);
    Scheduler scheduler =
        Scheduler.builder()
            .policy("comparing", context -> policy)
            .serviceClasses(ServiceClass.builder("bronze").build())
            .build();
    // Also for times whose sums overflow
    long now = random.nextBoolean() ? 0 : Long.MAX_VALUE / 2 + random.nextInt();
    int hosts = 0;
    int requests = 0;
    for (int step = 0; step < 120; step++) {
      now += random.nextInt(4) == 0 ? random.nextInt(30) * SECOND : random.nextInt(2_000_000_000);
      List<Instance> live = new ArrayList<>(scheduler.instances());
      Instance one = live.isEmpty() ? null : live.get(random.nextInt(live.size()));
      List<Host> present = scheduler.hosts();
      switch (random.nextInt(10)) {
        case 0 -> {
          Resources capacity =
              Resources.of(Dimension.CPU, random.nextInt(3) * WHOLE, Dimension.MEMORY, 5);
          scheduler.addHost(
              new HostSpec("h" + hosts++, capacity, Map.of(), random.nextInt(4) > 0), now);
        }
        case 1, 2 -> {
          if (!present.isEmpty()) {
            String id = present.get(random.nextInt(present.size())).id();
            if (random.nextInt(8) == 0) {
              scheduler.removeHost(id, now);
            } else {
              scheduler.loadReported(id, 3 * random.nextDouble(), now);
            }
          }
        }
        case 3, 4, 5 -> {
          Resources demand = Resources.of(Dimension.CPU, WHOLE / 2, Dimension.MEMORY, 1);
          scheduler.submit(Request.builder("r" + requests++, "bronze").demand(demand).build(), now);
        }
        default -> {
          if (one != null && one.state() == InstanceState.STARTING) {
            scheduler.started(one.id(), now);
          } else if (one != null && one.state() == InstanceState.RUNNING) {
            if (random.nextInt(3) == 0) {
              scheduler.failed(one.id(), now);
            } else {
              scheduler.completed(one.id(), now);
            }
          }
        }
      }
      if (random.nextBoolean()) {
        Plan plan = scheduler.schedule(now);
        assertThat(plan.policyErrors()).isEmpty();
      }
    }
    assertThat(policy.compared).isPositive();
  }

  @Test
  void windowsArePositive() {
    assertThatThrownBy(() -> LoadEstimate.over(Duration.ZERO))
        .hasMessageContaining("window was PT0S, must be positive");
  }
}
