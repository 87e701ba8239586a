package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Moldability;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.plan.Action;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The engine recognizes the CPU by its name, on any scale. */
class CpuScaleTest {

  private static final Dimension MILLIS = new Dimension("cpu", 1000);
  private static final Reason WHY = new Reason.PolicyChoice("test", "the test wants it");

  private static Resources millis(long units) {
    return Resources.of(MILLIS, units);
  }

  private static Scheduler scheduler(Function<PolicyContext, Policy> maker) {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("test", maker)
            .serviceClasses(ServiceClass.builder("gold").build())
            .build();
    scheduler.addHost(new HostSpec("h", millis(4000)), 0);
    return scheduler;
  }

  private static Request request(String id, long units) {
    return Request.builder(id, "gold")
        .demand(millis(units))
        .moldability(Moldability.LINPACK)
        .build();
  }

  @Test
  void pausedInstanceMayBeResizedBeyondFreeCpu() {
    List<Outcome> outcomes = new ArrayList<>();
    Scheduler scheduler =
        scheduler(
            context ->
                pass -> {
                  Host host = pass.host("h").orElseThrow();
                  Instance first = pass.instance("r1").orElseThrow();
                  switch ((int) pass.number()) {
                    case 1 -> pass.place(first, host);
                    case 2 -> pass.pause(first, WHY);
                    default -> {
                      pass.place(pass.instance("r2").orElseThrow(), host);
                      outcomes.add(pass.resize(first, millis(3000), WHY));
                    }
                  }
                });
    scheduler.submit(request("r1", 2000), 0);
    scheduler.schedule(0);
    scheduler.started("r1", 0);
    scheduler.schedule(0);
    assertThat(scheduler.host("h").orElseThrow().free()).isEqualTo(millis(4000));
    scheduler.submit(request("r2", 4000), 0);
    scheduler.schedule(0);
    assertThat(outcomes).containsExactly(Outcome.accept());
  }

  @Test
  void policyMoldsCpuOnAnyScale() {
    Scheduler scheduler = scheduler(context -> pass -> place(pass, millis(2000)));
    scheduler.submit(request("r1", 4000), 0);
    assertThat(scheduler.schedule(0).placements())
        .containsExactly(new Action.Place("r1", "h", List.of(), Optional.of(millis(2000))));
  }

  private static void place(SchedulingPass pass, Resources grant) {
    pass.place(pass.pending().get(0), pass.hosts().get(0), List.of(), grant);
  }

  @Test
  void pipelineMoldsCpuToWholeCores() {
    Scheduler scheduler = scheduler(context -> context.pipeline().molding(new Molding(2)).build());
    scheduler.submit(request("r1", 5000), 0);
    assertThat(scheduler.schedule(0).placements())
        .containsExactly(new Action.Place("r1", "h", List.of(), Optional.of(millis(4000))));
  }
}
