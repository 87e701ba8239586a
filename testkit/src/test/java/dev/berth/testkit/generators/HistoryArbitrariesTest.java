package dev.berth.testkit.generators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagReport;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.core.event.Event;
import dev.berth.test.TestRun;
import dev.berth.testkit.event.Call;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.HistoryPlayer;
import dev.berth.testkit.history.Scale;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.LedgerCalls;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferenceScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/** Histories cover the documented edge cases, and failures shrink to few events. */
@PropertyDefaults(
    tries = 2000,
    generation = GenerationMode.RANDOMIZED,
    shrinking = ShrinkingMode.FULL) // without a time limit, since the machine may be busy
class HistoryArbitrariesTest {

  private static final int STEPS = 60;

  // ---- Edge cases

  private enum EdgeCase {
    NO_HOST_EVER(0.01),
    NO_HOST_AT_FIRST(0.03),
    ONE_HOST(0.05),
    HOST_WITHOUT_CAPACITY(0.02),
    HOST_WITH_MAXIMUM_AMOUNT(0.01),
    DEMAND_OF_A_WHOLE_HOST(0.1),
    DEMANDS_THAT_OVERFLOW(0.01),
    FREE_CAPACITY_USED_UP(0.05),
    EQUAL_KEYS(0.2),
    ID_REUSED(0.03),
    PASS_WITH_EMPTY_QUEUE(0.2),
    PASS_WITHOUT_ACTIONS(0.3),
    PASS_WITHOUT_HOSTS(0.05),
    PASS_FOR_THE_WATCHDOG_ONLY(0.2),
    READY_AT_ONCE(0.1),
    READY_AFTER_A_DELAY(0.2),
    COMPLETION(0.1),
    CANCELLATION(0.1),
    FAILURE_OF_AN_INSTANCE(0.05),
    USE_OF_THE_WHOLE_GRANT(0.015),
    USE_OF_NOTHING(0.02),
    SHORTFALL(0.05),
    REQUEST_WITH_OPTIONS(0.3),
    HOST_LOST_WITH_INSTANCES(0.05),
    HOST_BACK_UNCHANGED(0.1),
    HOST_BACK_AS_ANOTHER_MACHINE(0.025),
    PREEMPTION(0.03),
    HOST_CHANGED(0.05),
    HOST_OVER_CAPACITY(0.01),
    FOREIGN_LOAD(0.03),
    STALE_REPORT(0.02),
    REPORT_OF_AN_ATTEMPT(0.02),
    ACTION_REJECTED(0.01),
    RECONCILIATION(0.01),
    RECONCILIATION_WITHOUT_DIFFERENCE(0.001),
    HOST_CORDONED(0.05),
    HOST_UNCORDONED(0.05),
    HOST_DRAINED(0.05),
    INSTANCE_EVICTED(0.002),
    POOL(0.2),
    POOL_WITHOUT_HOSTS(0.02),
    OFFER_LOWERED(0.01),
    OFFER_RAISED(0.01),
    TIME_SHARED_HOST(0.1),
    LOAD(0.01),
    APPLICATION(0.1),
    CPU_TIME(0.02),
    BAG(0.3),
    BAG_OF_SEVERAL(0.2),
    BAG_WITH_A_TIME_TO_LIVE(0.15),
    BAG_CANCELLED(0.01),
    BAG_EXPIRED(0.08),
    BAG_EXPIRED_ON_A_HOST(0.03),
    BAG_COMPLETED(0.004),
    PAUSE_OF_A_NANOSECOND(0.1),
    PAUSE_OF_A_DAY(0.03),
    PAUSE_OF_A_YEAR(0.02),
    TIME_BEFORE_ZERO(0.1),
    PRESENT_DAY_TIME(0.1),
    TIME_PAST_2_TO_THE_62(0.05);

    private final double leastShare;

    EdgeCase(double leastShare) {
      this.leastShare = leastShare;
    }
  }

  @Example
  void coversTheEdgeCases() {
    int samples = TestRun.isFixed() ? 600 : 2_000;
    Map<EdgeCase, Integer> counts = new EnumMap<>(EdgeCase.class);
    for (History each : Samples.of(HistoryArbitraries.ofUpTo(STEPS), samples).all()) {
      new Observation(each).seen.forEach(it -> counts.merge(it, 1, Integer::sum));
    }
    for (EdgeCase each : EdgeCase.values()) {
      assertThat((double) counts.getOrDefault(each, 0) / samples)
          .as("share of histories with %s, of %s", each, counts)
          .isGreaterThan(each.leastShare);
    }
  }

  /** Plays a history under a policy and records the cases that occur. */
  private static final class Observation {

    private final History history;
    private final ReferenceScheduler scheduler;
    private final Set<EdgeCase> seen = EnumSet.noneOf(EdgeCase.class);
    private final Map<String, HostSpec> lastSeenAs = new HashMap<>();
    private final Set<String> idsUsed = new HashSet<>();
    private long now;

    Observation(History history) {
      this.history = history;
      this.now = history.epoch();
      this.scheduler =
          new ReferenceScheduler(
              PriorityBased.PAPER,
              history.serviceClasses(),
              history.seed(),
              Optional.of(Duration.ofSeconds(10)));
      see(EdgeCase.NO_HOST_EVER, history.hosts().isEmpty());
      see(EdgeCase.NO_HOST_AT_FIRST, history.present() == 0 && !history.hosts().isEmpty());
      see(EdgeCase.ONE_HOST, history.hosts().size() == 1);
      see(EdgeCase.TIME_BEFORE_ZERO, history.epoch() < 0);
      see(EdgeCase.PRESENT_DAY_TIME, history.epoch() > Duration.ofDays(18_000).toNanos());
      new HistoryPlayer(history, scheduler.cluster(), this::observe).play();
      see(EdgeCase.TIME_PAST_2_TO_THE_62, now > 1L << 62);
    }

    private void see(EdgeCase edgeCase, boolean condition) {
      if (condition) {
        seen.add(edgeCase);
      }
    }

    private ReferenceCluster cluster() {
      return scheduler.cluster();
    }

    private void observe(Call call) {
      see(EdgeCase.PAUSE_OF_A_NANOSECOND, call.at() - now == 1);
      see(EdgeCase.PAUSE_OF_A_DAY, call.at() - now >= Duration.ofDays(1).toNanos());
      see(EdgeCase.PAUSE_OF_A_YEAR, call.at() - now >= Duration.ofDays(365).toNanos());
      now = call.at();
      assertThat(now).isLessThanOrEqualTo(history.horizon());
      call.event().ifPresentOrElse(this::before, this::beforePass);
      Optional<Record> answer = call.applyTo(scheduler);
      call.event().ifPresent(event -> after(event, answer));
      answer.filter(Plan.class::isInstance).map(Plan.class::cast).ifPresent(this::planned);
    }

    private void before(Event<?> event) {
      see(EdgeCase.HOST_CHANGED, event instanceof Event.HostChanged);
      see(EdgeCase.HOST_CORDONED, event instanceof Event.HostCordoned);
      see(EdgeCase.HOST_UNCORDONED, event instanceof Event.HostUncordoned);
      see(EdgeCase.HOST_DRAINED, event instanceof Event.HostDrained);
      see(
          EdgeCase.FOREIGN_LOAD,
          event instanceof Event.ForeignLoadReported load
              && !load.foreign().equals(Resources.none()));
      see(
          EdgeCase.HOST_OVER_CAPACITY,
          cluster().hosts().stream()
              .anyMatch(host -> !cluster().isOpen(host) && !cluster().withdrawn().contains(host)));
      if (event instanceof Event.HostAdded joins) {
        joins(joins.spec());
      } else if (event instanceof Event.HostRemoved leaves) {
        HostSpec host = cluster().host(leaves.host()).orElseThrow();
        see(EdgeCase.HOST_LOST_WITH_INSTANCES, !cluster().residents(host).isEmpty());
        lastSeenAs.put(host.id(), host);
      } else if (event instanceof Event.Submitted submitted) {
        submitted(submitted);
      } else if (event instanceof Event.StartedNow ready) {
        boolean atOnce = instance(ready.instance()).stateSince() == now;
        see(atOnce ? EdgeCase.READY_AT_ONCE : EdgeCase.READY_AFTER_A_DELAY, true);
      }
      if (event instanceof Event.UsageReported used) {
        used(used);
      }
      if (event instanceof Event.PoolOffered offered) {
        offered(offered.pool());
      } else if (event instanceof Event.BagSubmitted submitted) {
        see(EdgeCase.BAG, true);
        see(EdgeCase.BAG_OF_SEVERAL, submitted.bag().requests().size() > 1);
        see(EdgeCase.BAG_WITH_A_TIME_TO_LIVE, submitted.bag().timeToLive().isPresent());
      } else if (event instanceof Event.CompletedNow completed) {
        see(EdgeCase.CPU_TIME, completed.cpuTime().isPresent());
      }
      see(EdgeCase.BAG_CANCELLED, event instanceof Event.BagCancelled);
      see(EdgeCase.LOAD, event instanceof Event.LoadReported);
      see(EdgeCase.COMPLETION, event instanceof Event.CompletedNow);
      see(EdgeCase.CANCELLATION, event instanceof Event.Cancelled);
      see(EdgeCase.FAILURE_OF_AN_INSTANCE, event instanceof Event.FailedNow);
    }

    private void beforePass() {
      see(EdgeCase.PASS_WITH_EMPTY_QUEUE, cluster().instances(InstanceState.PENDING).isEmpty());
      see(EdgeCase.PASS_WITHOUT_HOSTS, cluster().hosts().isEmpty());
    }

    private void after(Event<?> event, Optional<Record> answer) {
      boolean isStale = answer.equals(Optional.of(new Call.Stale()));
      see(EdgeCase.STALE_REPORT, isStale);
      see(
          EdgeCase.REPORT_OF_AN_ATTEMPT,
          !isStale && event instanceof Event.OfAttempt<?> report && report.number().isPresent());
      see(EdgeCase.ACTION_REJECTED, !isStale && event instanceof Event.ActionRejected);
      if (answer.orElse(null) instanceof Reconciliation found) {
        see(EdgeCase.RECONCILIATION, !found.isEmpty());
        see(EdgeCase.RECONCILIATION_WITHOUT_DIFFERENCE, found.isEmpty());
      }
    }

    private void offered(PoolSpec pool) {
      see(EdgeCase.POOL, true);
      see(EdgeCase.POOL_WITHOUT_HOSTS, pool.limit() == 0);
      cluster()
          .pool(pool.name())
          .map(before -> before.spec().limit())
          .ifPresent(
              before -> {
                see(EdgeCase.OFFER_LOWERED, pool.limit() < before);
                see(EdgeCase.OFFER_RAISED, pool.limit() > before);
              });
    }

    private void used(Event.UsageReported event) {
      ReferenceInstance instance = instance(event.instance());
      assertThat(instance.state()).isEqualTo(InstanceState.RUNNING);
      assertThat(event.used().fitsIn(instance.granted())).as("%s", event).isTrue();
      boolean holdsAny = !instance.granted().equals(Resources.none());
      see(EdgeCase.USE_OF_THE_WHOLE_GRANT, holdsAny && event.used().equals(instance.granted()));
      see(EdgeCase.USE_OF_NOTHING, holdsAny && event.used().equals(Resources.none()));
      see(EdgeCase.SHORTFALL, !event.shortfall().equals(Resources.none()));
    }

    private ReferenceInstance instance(String id) {
      return cluster().instance(id).orElseThrow();
    }

    private void joins(HostSpec host) {
      see(EdgeCase.HOST_WITHOUT_CAPACITY, host.capacity().equals(Resources.none()));
      for (Dimension each : host.capacity().dimensions()) {
        see(EdgeCase.HOST_WITH_MAXIMUM_AMOUNT, host.capacity().amount(each) == Long.MAX_VALUE);
      }
      see(EdgeCase.TIME_SHARED_HOST, host.timeShared());
      HostSpec before = lastSeenAs.get(host.id());
      see(EdgeCase.HOST_BACK_UNCHANGED, host.equals(before));
      see(EdgeCase.HOST_BACK_AS_ANOTHER_MACHINE, before != null && !host.equals(before));
    }

    private void submitted(Event.Submitted event) {
      Resources demand = event.request().demand();
      Request request = event.request();
      see(
          EdgeCase.REQUEST_WITH_OPTIONS,
          request.deadline().isPresent()
              || request.moldability().isPresent()
              || request.memoryProfile().isPresent()
              || !request.guaranteed().equals(demand));
      see(EdgeCase.APPLICATION, request.application().isPresent());
      see(EdgeCase.ID_REUSED, !idsUsed.add(event.request().id()));
      if (!demand.equals(Resources.none())) {
        see(
            EdgeCase.DEMAND_OF_A_WHOLE_HOST,
            cluster().hosts().stream().anyMatch(host -> host.capacity().equals(demand)));
      }
      for (ReferenceInstance other : cluster().instances()) {
        see(
            EdgeCase.EQUAL_KEYS,
            other.admittedAt() == now
                && other.request().serviceClass().equals(event.request().serviceClass())
                && other.request().demand().equals(demand));
        for (Dimension each : demand.dimensions()) {
          see(
              EdgeCase.DEMANDS_THAT_OVERFLOW,
              other.request().demand().amount(each) + demand.amount(each) < 0);
        }
      }
    }

    private void planned(Plan plan) {
      see(EdgeCase.PASS_WITHOUT_ACTIONS, plan.isEmpty());
      see(
          EdgeCase.PASS_FOR_THE_WATCHDOG_ONLY,
          plan.triggers().equals(EnumSet.of(Trigger.WATCHDOG)));
      for (BagReport each : plan.endedBags()) {
        see(EdgeCase.BAG_COMPLETED, each.isComplete());
        if (each.why().orElse(null) instanceof Reason.Expired) {
          see(EdgeCase.BAG_EXPIRED, true);
          see(
              EdgeCase.BAG_EXPIRED_ON_A_HOST,
              each.cancelled().stream()
                  .anyMatch(cancelledWithBag -> cancelledWithBag.placements() > 0));
        }
      }
      for (Action action : plan.actions()) {
        see(EdgeCase.PREEMPTION, action instanceof Action.Preempt);
        see(EdgeCase.INSTANCE_EVICTED, action instanceof Action.Evict);
        if (action instanceof Action.Place place) {
          HostSpec host = cluster().host(place.host()).orElseThrow();
          List<ReferenceInstance> residents = cluster().residents(host);
          see(
              EdgeCase.FREE_CAPACITY_USED_UP,
              residents.size() > 1
                  && host.capacity().dimensions().stream()
                      .allMatch(
                          each ->
                              ReferenceCluster.held(residents, each)
                                  == host.capacity().amount(each)));
        }
      }
    }
  }

  // ---- Shrinking

  @Property(tries = 1)
  @AddLifecycleHook(Nothing.class)
  void historyShrinksToTheSmallest(@ForAll("histories") History any) {
    throw new AssertionError(any);
  }

  static final class Nothing extends ShrinkResultHook<History> {
    @Override
    void judge(History shrunk) {
      assertThat(shrunk.serviceClasses())
          .containsExactly(ServiceClass.builder("gold").slo(1).safetyMargin(Duration.ZERO).build());
      assertThat(shrunk.seed()).isZero();
      assertThat(shrunk.epoch()).isZero();
      assertThat(shrunk.scale().dimensions()).isEqualTo(1);
      assertThat(shrunk.scale().unit()).isEqualTo(Scale.WHOLE);
      assertThat(shrunk.hosts()).isEmpty();
      assertThat(shrunk.pools()).isEmpty();
      assertThat(shrunk.steps()).isEmpty();
    }
  }

  @Property(seed = "1")
  @AddLifecycleHook(Within3Events.class)
  void overHalfUsedShrinksToThreeEvents(@ForAll("histories") History history) {
    ReferenceScheduler scheduler = scheduler(history);
    new HistoryPlayer(
            history,
            scheduler.cluster(),
            call -> {
              call.applyTo(scheduler);
              scheduler.cluster().hosts().forEach(it -> checkUse(scheduler.cluster(), it, 2));
            })
        .play();
  }

  /** A host joins, a request is submitted, a pass runs. */
  static final class Within3Events extends ShortHistory {
    Within3Events() {
      super(3);
    }
  }

  /** Plays with a policy that ignores the capacity in use. */
  @Property(seed = "1")
  @AddLifecycleHook(Within4Events.class)
  void overrunShrinksToFourEvents(@ForAll("histories") History history) {
    ReferenceScheduler ledger = scheduler(history); // takes all events but passes
    ReferenceCluster cluster = ledger.cluster();
    new HistoryPlayer(
            history,
            cluster,
            call -> {
              if (call.isPass()) {
                overrun(cluster, call.at());
              } else {
                call.applyTo(ledger);
              }
              cluster.hosts().forEach(it -> checkUse(cluster, it, 1));
            })
        .play();
  }

  private static void overrun(ReferenceCluster cluster, long now) {
    for (ReferenceInstance each : cluster.instances(InstanceState.PENDING)) {
      cluster.hosts().stream()
          .filter(host -> cluster.fit(each, host, List.of()))
          .findFirst()
          .ifPresent(host -> LedgerCalls.place(cluster, each.id(), host.id(), 1, now));
    }
  }

  private static void checkUse(ReferenceCluster cluster, HostSpec host, int divisor) {
    for (Dimension each : host.capacity().dimensions()) {
      assertThat(ReferenceCluster.held(cluster.residents(host), each))
          .isBetween(0L, host.capacity().amount(each) / divisor);
    }
  }

  /** A host joins, two requests are submitted, a pass runs. */
  static final class Within4Events extends ShortHistory {
    Within4Events() {
      super(4);
    }
  }

  @Property(seed = "1")
  @AddLifecycleHook(Within8Events.class)
  void preemptionShrinksToEightEvents(@ForAll("histories") History history) {
    ReferenceScheduler scheduler = scheduler(history);
    new HistoryPlayer(history, scheduler.cluster(), call -> call.applyTo(scheduler)).play();
    assertThat(scheduler.coverage().of(Mark.PASS_PREEMPTING)).isZero();
  }

  /** Mostly six: a host joins, a submission, a pass, a start, another submission, a pass. */
  static final class Within8Events extends ShortHistory {
    Within8Events() {
      super(8);
    }
  }

  @Property(seed = "4", tries = 10_000)
  @AddLifecycleHook(Within16Events.class)
  void secondPreemptionShrinksToSixteenEvents(@ForAll("histories") History history) {
    ReferenceScheduler scheduler = scheduler(history);
    new HistoryPlayer(
            history,
            scheduler.cluster(),
            call -> {
              call.applyTo(scheduler);
              assertThat(scheduler.cluster().instances()).allMatch(it -> it.preemptions() < 2);
            })
        .play();
  }

  /** Mostly eight or nine; more if two small requests take the place of a large one. */
  static final class Within16Events extends ShortHistory {
    Within16Events() {
      super(16);
    }
  }

  private abstract static class ShortHistory extends ShrinkResultHook<History> {

    private final int most;

    ShortHistory(int most) {
      this.most = most;
    }

    @Override
    void judge(History shrunk) {
      ReferenceScheduler scheduler = scheduler(shrunk);
      List<String> events = new ArrayList<>();
      new HistoryPlayer(
              shrunk,
              scheduler.cluster(),
              call -> {
                events.add(call.describe());
                call.applyTo(scheduler);
              })
          .play();
      assertThat(events).as("events of %s", shrunk).hasSizeLessThanOrEqualTo(most);
    }
  }

  private static ReferenceScheduler scheduler(History history) {
    return new ReferenceScheduler(
        PriorityBased.PAPER, history.serviceClasses(), history.seed(), Optional.empty());
  }

  @Provide
  Arbitrary<History> histories() {
    return HistoryArbitraries.ofUpTo(STEPS);
  }
}
