package dev.berth.core;

import static dev.berth.core.TestParts.ANYBODY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.PolicyFailedException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Parts that meddle or fail in the middle of a pass, under a policy that goes on regardless. */
class PartsInAPassTest {

  @Test
  void stopsAPartThatPlacesDuringItsPipelinesPass() {
    AtomicReference<@Nullable SchedulingPass> open = new AtomicReference<>();
    Cluster cluster =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy pipeline =
                      context
                          .pipeline()
                          .allocationScore(
                              fit -> {
                                open.get().place(fit.instance(), fit.host());
                                return 0;
                              })
                          .build();
                  return pass -> {
                    open.set(pass);
                    pipeline.schedule(pass);
                  };
                })
            .host("h1", 1)
            .pending("a", 1);

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(cluster::pass)
        .withMessageContaining("Parts only answer.");
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void undoesAPlacementInWhichAPartThrows() {
    AtomicReference<String> disliked = new AtomicReference<>("");
    VictimOrder picky =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            if (instance.id().equals(disliked.get())) {
              throw new IllegalArgumentException("no");
            }
            return 0;
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 0;
          }
        };
    Cluster cluster =
        Cluster.withPolicy(
            Scheduler.builder(),
            context -> {
              Policy pipeline = context.pipeline().preemption(picky, ANYBODY).build();
              return pass -> {
                if (disliked.get().isEmpty()) {
                  pipeline.schedule(pass);
                  return;
                }
                Instance a = pass.instance("a").orElseThrow();
                List<Instance> victims = List.of(pass.instance("v").orElseThrow());
                Snapshot before = Snapshot.of(pass);
                // v has left by the time a is asked about
                assertThatThrownBy(() -> pass.place(a, pass.hosts().get(0), victims))
                    .hasMessage("no");
                assertThat(Snapshot.of(pass)).isEqualTo(before);
              };
            });
    cluster.host("h1", 1).running("v", 1, "h1").at(5).pending("a", 1);

    disliked.set("a");

    assertThat(cluster.pass().actions()).isEmpty();
    assertThat(cluster.instance("v").state()).isEqualTo(InstanceState.RUNNING);
  }
}
