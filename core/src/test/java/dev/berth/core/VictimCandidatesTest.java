package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.Plans.victims;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.victimsBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Reason;
import dev.berth.api.policy.Policy;
import dev.berth.core.decision.SeededTieBreaker;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The candidates for preemption while instances come, pause and leave, on several hosts. */
class VictimCandidatesTest {

  @Test
  void forgetsVictimsOfTheFirstClassThatLeft() {
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .minimizeVictims(false)
                        .preemption(victimsBy(Map.of("v1", 2L, "v2", 1L)), ALLOW_ALL))
            .host("h1", 2);
    cluster.running("v1", "gold", 1, "h1").running("v2", "gold", 1, "h1");
    cluster.at(1).completed("v1");

    assertThat(victims(cluster.pending("a", 2).pass())).containsExactly("v2");
  }

  @Test
  void ordersTheVictimsOnEveryHostByItsOwnValues() {
    Map<String, Long> values = new TreeMap<>();
    for (int i = 0; i < 8; i++) {
      values.put("g" + i, i % 3L);
      values.put("b" + i, i % 2L);
    }
    Cluster cluster = Cluster.of(parts -> parts.preemption(victimsBy(values), ALLOW_ALL));
    for (int i = 0; i < 8; i++) {
      cluster.host("h" + i, 2);
      cluster.running("g" + i, "gold", 1, "h" + i).running("b" + i, "bronze", 1, "h" + i);
    }
    for (int i = 0; i < 8; i++) {
      String first =
          Stream.of("g" + i, "b" + i)
              .max(
                  Comparator.<String>comparingLong(values::get)
                      .thenComparingLong(id -> SeededTieBreaker.hash(0, id)))
              .orElseThrow();
      Constraint here = new Constraint.Equal("name", "h" + i);

      assertThat(victims(cluster.pending(request("a" + i, 1).constraint(here)).pass()))
          .containsExactly(first);
      cluster.cancel("a" + i);
      cluster.cancel(first);
    }
  }

  @Test
  void sparesPausedInstances() {
    boolean[] pauses = {false};
    Cluster cluster =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy pipeline =
                      context
                          .pipeline()
                          .preemptStarting(true)
                          .preemption(victimsBy(Map.of()), ALLOW_ALL)
                          .build();
                  return pass -> {
                    if (pauses[0]) {
                      Reason why = new Reason.PolicyChoice("test", "because");
                      pass.pause(pass.instance("v").orElseThrow(), why);
                    } else {
                      pipeline.schedule(pass);
                    }
                  };
                })
            .host("h1", cores(2, 2));
    cluster.running(request("v", 0).demand(cores(2, 2)), "h1");
    pauses[0] = true;
    cluster.pass();
    pauses[0] = false;

    // The CPU is free, but v keeps its memory.
    cluster.pending(request("a", 0).demand(cores(1, 1)));

    assertThat(cluster.pass().actions()).isEmpty();
  }
}
