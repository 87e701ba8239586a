package dev.berth.testkit.asserting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.core.error.PolicyFailedException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rest of what surrounds a policy. */
class AssertingTest {

  @Test
  void servesOneSchedulerOnly() {
    Asserting asserting = new Asserting(OptionalLong.empty());
    Scheduler.Builder builder =
        Scheduler.builder()
            .policy("watched", asserting.wrap(context -> pass -> {}))
            .serviceClasses(ServiceClass.builder("gold").build());
    builder.build();
    assertThatIllegalStateException()
        .isThrownBy(builder::build)
        .withMessage("an Asserting is for one scheduler, this is another. Make one for each.");
  }

  @Test
  void keepsTheWatchdogOfThePolicy() {
    Policy byHand =
        new Policy() {
          @Override
          public void schedule(SchedulingPass pass) {}

          @Override
          public Optional<Duration> watchdog() {
            return Optional.of(Duration.ofSeconds(3));
          }
        };
    assertThat(new Stage(context -> byHand).scheduler.watchdog()).hasValue(Duration.ofSeconds(3));
    assertThat(
            new Stage(context -> context.pipeline().watchdog(Duration.ofSeconds(4)).build())
                .scheduler.watchdog())
        .hasValue(Duration.ofSeconds(4));
    assertThat(new Stage(context -> pass -> {}).scheduler.watchdog()).isEmpty();
  }

  @Test
  void passesOnTheContextOfTheScheduler() {
    List<PolicyContext> given = new ArrayList<>();
    Stage stage =
        new Stage(
            context -> {
              given.add(context);
              return pass -> {};
            });
    assertThat(given.get(0).serviceClasses()).isEqualTo(stage.scheduler.serviceClasses());
    assertThat(given.get(0).seed()).isEqualTo(stage.scheduler.seed());
  }

  // ---- Pipelines that hand-written policies run

  @Test
  void pipelineRunsOnAForkOfAFork() {
    Stage stage =
        new Stage(
            context -> {
              Policy pipeline = context.pipeline().build();
              return pass -> {
                try (SchedulingPass.Fork outer = pass.fork();
                    SchedulingPass.Fork inner = outer.fork()) {
                  pipeline.schedule(inner);
                  inner.keep();
                  outer.keep();
                }
              };
            });
    stage.host("h1", 1).submit("b1", "bronze", 1);
    assertThat(stage.pass().placements()).hasSize(1);
    stage.findsNothing();
  }

  @Test
  void pipelineRefusesAPassWithAnOpenFork() {
    Stage stage =
        new Stage(
            context -> {
              Policy pipeline = context.pipeline().build();
              return pass -> {
                SchedulingPass.Fork fork = pass.fork();
                fork.pending();
                pipeline.schedule(pass);
              };
            });
    assertThat(catchThrowable(stage::pass))
        .isInstanceOf(PolicyFailedException.class)
        .cause()
        .hasMessage("pass 1 has an open fork: act on that, or close it first.");
    stage.findsNothing();
  }

  @Test
  void pipelineRefusesAForeignPass() {
    Stage stage =
        new Stage(
            context -> {
              Policy pipeline = context.pipeline().build();
              return pass -> pipeline.schedule(copy(pass));
            });
    assertThat(catchThrowable(stage::pass))
        .cause()
        .hasMessageStartingWith("a pipeline runs only on a pass of its own scheduler, but got a ");
    stage.findsNothing();
  }

  private static SchedulingPass copy(SchedulingPass pass) {
    return (SchedulingPass)
        Proxy.newProxyInstance(
            AssertingTest.class.getClassLoader(),
            new Class<?>[] {SchedulingPass.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(pass, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  // ---- Questions

  @Test
  void countsQuestionsOfAHandWrittenPolicy() {
    Stage stage =
        new Stage(
            context ->
                pass -> {
                  List<Host> hosts = pass.hosts(); // 1 + 2 hosts
                  for (Instance instance : pass.pending()) { // 1 + 3 instances
                    for (Host host : hosts) {
                      if (pass.place(instance, host).accepted()) { // 1, 1, and 2 for the last
                        break;
                      }
                    }
                  }
                  hosts.get(0).instances(); // 1 + 2 instances
                });
    stage.host("h1", 2).host("h2", 2);
    stage.submit("b1", "bronze", 1).submit("b2", "bronze", 1).submit("b3", "bronze", 1);
    assertThat(stage.asserting.questions()).isZero();
    stage.pass();
    assertThat(stage.asserting.questions()).isEqualTo(3 + 4 + 4 + 3);
    stage.pass();
    assertThat(stage.asserting.questions()).as("of the latest pass").isEqualTo(3 + 1 + 3);
  }

  @Test
  void countsQuestionsOfPipelinePartsOnce() {
    Stage stage =
        new Stage(
            context ->
                context
                    .pipeline()
                    .queue(Instance::admittedAt)
                    .allocationScore(fit -> fit.host().instances().size())
                    .build());
    stage.host("h1", 9).host("h2", 2);
    stage.submit("b1", "bronze", 3).submit("b2", "bronze", 3).submit("b3", "bronze", 1).pass();
    // On h1: score, host, instances, and the instances there; on h2 where it fits.
    assertThat(stage.asserting.questions()).isEqualTo(3 + (3 + 1) + (3 + 2) + 3);
  }

  // ---- Shuffling

  /** Returns the collections seen in two passes, one line each. */
  private static List<String> seen(OptionalLong shuffleSeed) {
    List<String> seen = new ArrayList<>();
    Stage stage =
        new Stage(
            shuffleSeed,
            context -> {
              Policy pipeline = context.pipeline().build();
              return pass -> {
                seen.add("hosts " + ids(pass.hosts()));
                seen.add("pending " + pass.pending().stream().map(Instance::id).toList());
                for (int i = 0; i < 3; i++) {
                  seen.add("instances " + pass.instances().stream().map(Instance::id).toList());
                  Host h1 = pass.hosts().get(0);
                  seen.add("residents " + h1.instances().stream().map(Instance::id).toList());
                  seen.add("triggers " + List.copyOf(pass.triggers()));
                }
                pipeline.schedule(pass);
              };
            });
    stage.host("h1", 20).host("h2", 0).host("h3", 0).host("h4", 0).host("h5", 0);
    for (int i = 1; i <= 8; i++) {
      stage.submit("b" + i, "bronze", 1);
    }
    stage.pass();
    stage.pass();
    stage.findsNothing();
    return seen;
  }

  private static List<String> ids(Collection<Host> hosts) {
    return hosts.stream().map(Host::id).toList();
  }

  @Test
  void shufflesUnorderedCollectionsWithASeed() {
    List<String> shuffled = seen(OptionalLong.of(7));
    assertThat(linesOf("instances", shuffled)).hasSize(6);
    assertThat(linesOf("residents", shuffled)).as("empty, and three more").hasSize(4);
    assertThat(linesOf("triggers", shuffled)).hasSizeGreaterThan(1);
    assertThat(shuffled).isEqualTo(seen(OptionalLong.of(7))).isNotEqualTo(seen(OptionalLong.of(8)));
  }

  @Test
  void keepsOrderedCollections() {
    List<String> shuffled = seen(OptionalLong.of(7));
    for (String ordered : List.of("hosts", "pending")) {
      assertThat(linesOf(ordered, shuffled))
          .isEqualTo(linesOf(ordered, seen(OptionalLong.empty())));
    }
  }

  @Test
  void shufflesNothingWithoutASeed() {
    List<String> plain = seen(OptionalLong.empty());
    assertThat(linesOf("instances", plain)).hasSize(1);
    assertThat(linesOf("residents", plain)).hasSize(2);
    assertThat(linesOf("triggers", plain)).hasSize(2);
  }

  private static Set<String> linesOf(String prefix, List<String> lines) {
    Set<String> distinct = new HashSet<>(lines);
    distinct.removeIf(line -> !line.startsWith(prefix));
    return distinct;
  }

  @Test
  void shufflingKeepsAllTriggers() {
    List<Set<Trigger>> seen = new ArrayList<>();
    Stage stage = new Stage(OptionalLong.of(1), context -> pass -> seen.add(pass.triggers()));
    stage.host("h1", 1).submit("b1", "bronze", 1).pass();
    assertThat(seen).containsExactly(Set.of(Trigger.HOST_ADDED, Trigger.REQUEST_ADMITTED));
  }
}
