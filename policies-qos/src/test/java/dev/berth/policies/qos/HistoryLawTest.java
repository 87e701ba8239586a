package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.core.Scheduler;
import dev.berth.test.TestRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * An instance that is cancelled and submitted again with its history is as if it had stayed: its
 * accounting and all later plans are the same. Objectives are halves and quarters, so that the
 * earned time is not rounded.
 */
class HistoryLawTest {

  private static final long SECOND = 1_000_000_000;

  private static final List<ServiceClass> CLASSES =
      List.of(
          ServiceClass.builder("gold").slo(1).build(),
          ServiceClass.builder("silver").slo(0.5).importance(2).build(),
          ServiceClass.builder("bronze").slo(0.25).importance(3).build());

  private static int preempted;
  private static int restarted;
  private static int resubmitted;

  /** What happens to both clusters. */
  private enum What {
    SUBMIT,
    PASS,
    START,
    COMPLETE,
    RETURN
  }

  private record Event(What what, int which, long seconds) {}

  @Provide
  Arbitrary<List<Event>> histories() {
    return Combinators.combine(
            Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.just(What.SUBMIT)),
                Tuple.of(5, Arbitraries.just(What.PASS)),
                Tuple.of(4, Arbitraries.just(What.START)),
                Tuple.of(1, Arbitraries.just(What.COMPLETE)),
                Tuple.of(4, Arbitraries.just(What.RETURN))),
            Arbitraries.integers().between(0, 20),
            Arbitraries.longs().between(0, 40))
        .as(Event::new)
        .list()
        .ofMinSize(20)
        .ofMaxSize(60);
  }

  @Provide
  Arbitrary<String> policies() {
    return Arbitraries.of("qos-driven", "priority", "qos-hysteresis", "qos-attained");
  }

  @Property(tries = 2_500)
  void returningIsStaying(@ForAll("policies") String policy, @ForAll("histories") List<Event> all) {
    Scheduler staying = scheduler(policy);
    Scheduler returning = scheduler(policy);
    long now = 0;
    int submitted = 0;
    for (Event each : all) {
      now += each.seconds * SECOND;
      switch (each.what) {
        case SUBMIT -> {
          Request request = request("r" + submitted++, each.which);
          staying.submit(request, now);
          returning.submit(request, now);
        }
        case PASS -> {
          List<Action> expected = staying.schedule(now).actions();
          assertThat(returning.schedule(now).actions()).isEqualTo(expected);
          preempted += (int) expected.stream().filter(Action.Preempt.class::isInstance).count();
        }
        case START -> {
          for (Instance starting : in(InstanceState.STARTING, staying)) {
            restarted += starting.restarting() ? 1 : 0;
            staying.started(starting.id(), now);
            returning.started(starting.id(), now);
          }
        }
        case COMPLETE -> {
          List<Instance> running = in(InstanceState.RUNNING, staying);
          if (!running.isEmpty()) {
            String id = running.get(each.which % running.size()).id();
            assertThat(returning.completed(id, now)).isEqualTo(staying.completed(id, now));
          }
        }
        case RETURN -> comesBack(each.which, staying, returning, now);
      }
      assertThat(figures(returning, now)).isEqualTo(figures(staying, now));
    }
  }

  /** An instance stays pending, or fails and is pending; elsewhere it is cancelled and returns. */
  private static void comesBack(int which, Scheduler staying, Scheduler returning, long now) {
    List<Instance> all = List.copyOf(returning.instances());
    if (all.isEmpty()) {
      return;
    }
    Instance one = all.get(which % all.size());
    History history = History.of(one, now);
    if (one.state() != InstanceState.PENDING) {
      staying.failed(one.id(), now);
      history = history.failed();
    }
    returning.cancel(one.id(), now);
    returning.submit(one.request(), history, now);
    resubmitted += history.preemptions() > 0 ? 1 : 0;
  }

  private static Scheduler scheduler(String policy) {
    Scheduler scheduler =
        Scheduler.builder()
            .registry(Policies.REGISTRY)
            .policy(policy)
            .serviceClasses(CLASSES)
            .seed(7)
            .build();
    for (int i = 0; i < 3; i++) {
      scheduler.addHost(new HostSpec("h" + i, cores(4)), 0);
    }
    return scheduler;
  }

  private static Resources cores(int cores) {
    return Resources.of(Dimension.CPU, cores * SECOND);
  }

  private static Request request(String id, int which) {
    return Request.builder(id, CLASSES.get(which % 3).name())
        .demand(cores(1 + which % 4))
        .estimatedRunTime(Duration.ofSeconds(60))
        .build();
  }

  private static List<Instance> in(InstanceState state, Scheduler scheduler) {
    return scheduler.instances().stream().filter(each -> each.state() == state).toList();
  }

  /** Returns the figures by id: those of one admission are listed as they came. */
  private static Map<String, Object> figures(Scheduler scheduler, long now) {
    Map<String, Object> figures = new TreeMap<>();
    for (Instance each : scheduler.instances()) {
      figures.put(
          each.id(),
          List.of(
              InstanceReport.of(each, now),
              History.of(each, now),
              each.earnedTime(now),
              each.availability(now),
              each.preemptionOverhead(now),
              each.state(),
              each.host().map(host -> host.id())));
    }
    return figures;
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (TestRun.isFixed()) {
      assertThat(List.of(preempted, restarted, resubmitted)).allMatch(each -> each > 20);
    }
  }
}
