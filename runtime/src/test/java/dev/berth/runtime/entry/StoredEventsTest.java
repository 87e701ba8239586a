package dev.berth.runtime.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Events that were stored and read again do what the calls of the scheduler do. */
class StoredEventsTest {

  private static final Reason WHY = new Reason.PolicyChoice("why", "because");

  @Test
  void refusesNull() throws ReflectiveOperationException {
    for (Class<?> type : Samples.recordsOf(Event.class)) {
      RecordComponent[] components = type.getRecordComponents();
      Constructor<?> constructor =
          type.getConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      for (int i = 0; i < components.length; i++) {
        if (components[i].getType().isPrimitive()) {
          continue;
        }
        Object[] values = Arrays.stream(components).map(each -> sample(each.getType())).toArray();
        values[i] = null;
        String name = components[i].getName();
        assertThatNullPointerException()
            .isThrownBy(
                () -> {
                  try {
                    constructor.newInstance(values);
                  } catch (java.lang.reflect.InvocationTargetException refused) {
                    throw refused.getCause();
                  }
                })
            .withMessage(name);
      }
    }
  }

  /** The loop relies on this. */
  @Test
  void eachKindIsThatOfOneRecord() {
    List<String> calls = Arrays.stream(Scheduler.class.getMethods()).map(Method::getName).toList();
    Set<Event.Kind> seen = EnumSet.noneOf(Event.Kind.class);
    for (Class<?> type : Samples.recordsOf(Event.class)) {
      Event<?> event = (Event<?>) new Samples(1).next(type);
      Event.Kind kind = event.kind();

      assertThat(kind.toString().replace("_", "")).isEqualToIgnoringCase(type.getSimpleName());
      assertThat(seen.add(kind)).as("%s is a new kind", kind).isTrue();
      assertThat(calls).contains(kind.call());
      switch (kind.observed()) {
        case INSTANCE -> assertThat(event).isInstanceOf(Event.OfInstance.class);
        case FOREIGN_LOAD -> assertThat(event).isInstanceOf(Event.ForeignLoadReported.class);
        case NOTHING, HOSTS -> assertThat(event).isNotInstanceOf(Event.OfAttempt.class);
      }
    }
    assertThat(seen).containsExactly(Event.Kind.values());
  }

  private static Object sample(Class<?> type) {
    if (type == long.class) {
      return 0L;
    }
    if (type == double.class) {
      return 0.0;
    }
    return new Samples(5).nextOf(type);
  }

  // ---- Equivalence

  private interface Direct {
    Object report(Scheduler scheduler, long now);
  }

  private record Step(Event<?> event, Direct direct) {}

  private static Resources cpu(long amount) {
    return Resources.of(Dimension.CPU, amount);
  }

  private static Request request(String id) {
    return request(id, "gold");
  }

  private static Request request(String id, String serviceClass) {
    return Request.builder(id, serviceClass).demand(cpu(1)).job("j").application("app").build();
  }

  private static Attempt first(String instance) {
    return new Attempt(instance, 1);
  }

  private static Step step(Event<?> event, Direct direct) {
    return new Step(event, direct);
  }

  private static Direct silently(java.util.function.ObjLongConsumer<Scheduler> event) {
    return (scheduler, now) -> {
      event.accept(scheduler, now);
      return Accepted.ACCEPTED;
    };
  }

  /** Every event once or more. A pass follows each step, which places all that fits. */
  private static List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    PoolSpec pool = new PoolSpec("cloud", cpu(4), 5);
    steps.add(step(new Event.PoolOffered(pool), silently((s, now) -> s.offerPool(pool, now))));
    steps.add(step(new Event.LimitSet("l", 3), silently((s, now) -> s.setLimit("l", 3, now))));
    HostSpec h1 = new HostSpec("h1", cpu(20));
    HostSpec h2 = new HostSpec("h2", cpu(2), Map.of("zone", "a"), true);
    steps.add(step(new Event.HostAdded(h1), silently((s, now) -> s.addHost(h1, now))));
    steps.add(step(new Event.HostAdded(h2), silently((s, now) -> s.addHost(h2, now))));
    HostSpec changed = new HostSpec("h1", cpu(30), Map.of("zone", "b"));
    steps.add(
        step(new Event.HostChanged(changed), silently((s, now) -> s.changeHost(changed, now))));
    steps.add(
        step(
            new Event.ForeignLoadReported("h1", cpu(1)),
            silently((s, now) -> s.foreignLoad("h1", cpu(1), now))));
    Drain how = Drain.moving().until(900).restarting("bronze");
    steps.add(
        step(new Event.HostDrained("h2", how), silently((s, now) -> s.drain("h2", how, now))));
    steps.add(step(new Event.HostUncordoned("h2"), silently((s, now) -> s.uncordon("h2", now))));
    steps.add(step(new Event.HostCordoned("h2"), silently((s, now) -> s.cordon("h2", now))));
    steps.add(
        step(
            new Event.LoadReported("h2", 1.7),
            silently((s, now) -> s.loadReported("h2", 1.7, now))));
    DisruptionBudget budget = DisruptionBudget.minUp(1);
    steps.add(
        step(
            new Event.BudgetSet("j", budget), silently((s, now) -> s.setBudget("j", budget, now))));
    steps.add(
        step(
            new Event.BudgetSet("k", budget), silently((s, now) -> s.setBudget("k", budget, now))));
    steps.add(step(new Event.BudgetRemoved("k"), silently((s, now) -> s.removeBudget("k", now))));
    for (String each : List.of("a", "b", "c", "d", "e", "f", "g", "h", "i")) {
      Request request = request(each, each.equals("b") ? "bronze" : "gold");
      steps.add(step(new Event.Submitted(request), silently((s, now) -> s.submit(request, now))));
    }
    BagSpec bag =
        new BagSpec("bag", List.of(request("t1"), request("t2")), Optional.of(Duration.ofDays(1)));
    steps.add(step(new Event.BagSubmitted(bag), silently((s, now) -> s.submit(bag, now))));
    GroupSpec group =
        new GroupSpec("group", List.of(request("m1"), request("m2")), 1, GroupSpec.OnLoss.RELEASE);
    steps.add(step(new Event.GroupSubmitted(group), silently((s, now) -> s.submit(group, now))));
    steps.add(step(new Event.StartedNow("a"), silently((s, now) -> s.started("a", now))));
    steps.add(
        step(
            new Event.Started(first("b"), OptionalLong.of(220)),
            silently((s, now) -> s.started(first("b"), 220, now))));
    for (String each : List.of("c", "d", "e", "f", "g")) {
      steps.add(
          step(
              new Event.Started(first(each), OptionalLong.empty()),
              silently((s, now) -> s.started(first(each), now, now))));
    }
    steps.add(
        step(
            new Event.UsageReported("a", cpu(1), cpu(2)),
            silently((s, now) -> s.usageReported("a", cpu(1), cpu(2), now))));
    steps.add(step(new Event.FailedNow("a"), silently((s, now) -> s.failed("a", now))));
    steps.add(
        step(
            new Event.Failed(first("b"), OptionalLong.of(295)),
            silently((s, now) -> s.failed(first("b"), 295, now))));
    steps.add(
        step(
            new Event.Failed(first("h"), OptionalLong.empty()),
            silently((s, now) -> s.failed(first("h"), now, now))));
    steps.add(
        step(new Event.CompletedNow("c", Optional.empty()), (s, now) -> s.completed("c", now)));
    Duration cpuTime = Duration.ofNanos(12);
    steps.add(
        step(
            new Event.CompletedNow("d", Optional.of(cpuTime)),
            (s, now) -> s.completed("d", cpuTime, now)));
    steps.add(
        step(
            new Event.Completed(first("e"), Optional.empty(), OptionalLong.of(325)),
            (s, now) -> s.completed(first("e"), 325, now)));
    steps.add(
        step(
            new Event.Completed(first("f"), Optional.of(cpuTime), OptionalLong.of(335)),
            (s, now) -> s.completed(first("f"), cpuTime, 335, now)));
    steps.add(
        step(
            new Event.Completed(first("g"), Optional.empty(), OptionalLong.empty()),
            (s, now) -> s.completed(first("g"), now, now)));
    Request last = request("last");
    steps.add(step(new Event.Submitted(last), silently((s, now) -> s.submit(last, now))));
    ActionId placed = new ActionId(steps.size(), 0);
    Request continuing = request("continuing");
    History history = new History(1, Duration.ofNanos(20), Duration.ofNanos(3), 4, 3, 2, 5, true);
    steps.add(
        step(
            new Event.ActionRejected(placed, "no disk"),
            (s, now) -> s.rejected(placed, "no disk", now)));
    steps.add(
        step(
            new Event.Submitted(continuing, Optional.of(history)),
            silently((s, now) -> s.submit(continuing, history, now))));
    Adoption adoption =
        new Adoption(request("adopted"), History.since(5).served(Duration.ofNanos(7)));
    ObservedInstance seen = new ObservedInstance("adopted", "h1", InstanceState.RUNNING).since(17);
    steps.add(
        step(
            new Event.Adopted(adoption, seen), silently((s, now) -> s.adopt(adoption, seen, now))));
    steps.add(step(new Event.Cancelled("i"), (s, now) -> s.cancel("i", now)));
    steps.add(step(new Event.BagCancelled("bag", WHY), (s, now) -> s.cancelBag("bag", WHY, now)));
    steps.add(step(new Event.GroupCancelled("group"), (s, now) -> s.cancelGroup("group", now)));
    Observation observed =
        new Observation(
            List.of(
                new ObservedHost(new HostSpec("h1", cpu(40))),
                new ObservedHost(new HostSpec("h3", cpu(9)), cpu(2))),
            List.of(
                new ObservedInstance("new", "h3", InstanceState.RUNNING).holding(cpu(1)),
                new ObservedInstance("foreign", "h3", InstanceState.RUNNING).holding(cpu(3))));
    Adoption unknown = new Adoption(request("new"), History.since(9));
    Reconciler reconciler =
        new Reconciler() {
          @Override
          public Optional<Adoption> adopt(ObservedInstance each) {
            return each.id().equals("new") ? Optional.of(unknown) : Optional.empty();
          }

          @Override
          public boolean hasEnded(Instance gone) {
            return gone.id().equals("adopted");
          }
        };
    steps.add(
        step(
            new Event.Reconciled(observed, List.of(unknown), List.of("adopted")),
            (s, now) -> s.reconcile(observed, reconciler, now)));
    steps.add(step(new Event.HostRemoved("h3"), silently((s, now) -> s.removeHost("h3", now))));
    return steps;
  }

  private static Scheduler scheduler() {
    Policy policy =
        new Policy() {
          @Override
          public void schedule(SchedulingPass pass) {
            for (Instance each : pass.pending()) {
              for (Host host : pass.openHosts()) {
                if (pass.obstacle(each, host, List.of(), each.request().demand()).isEmpty()) {
                  pass.place(each, host);
                  break;
                }
              }
            }
          }

          @Override
          public Optional<PolicyMemory> memory() {
            return Optional.of(PolicyMemory.none());
          }
        };
    return Scheduler.builder()
        .policy("first-fit", context -> policy)
        .serviceClasses(
            ServiceClass.builder("gold").slo(0.9).build(),
            ServiceClass.builder("bronze").slo(0.5).importance(2).build())
        .build();
  }

  /** What was written and read again does what the method does. */
  @Test
  void decodedEventsDriveASchedulerAsItsCallsDo() {
    Scheduler direct = scheduler();
    Scheduler replayed = scheduler();
    List<Step> steps = steps();
    Set<Long> digests = new HashSet<>();
    long now = 0;
    for (Step each : steps) {
      now += 10;
      Object expected = each.direct().report(direct, now);
      Entry.Applied read =
          (Entry.Applied)
              EntryFormat.read(EntryFormat.toBytes(new Entry.Applied(now, each.event())));

      Object result = replayed.apply(read.input(), read.now());

      assertThat(result).as(each.toString()).isEqualTo(expected);
      assertThat(result) // no live view, which may not leave the thread
          .isInstanceOfAny(Accepted.class, Record.class, List.class);
      assertThat(replayed.digest()).as(each.toString()).isEqualTo(direct.digest());
      assertThat(digests.add(direct.digest())).as("%s changed nothing", each).isTrue();
      assertThat(replayed.schedule(now).digest()).isEqualTo(direct.schedule(now).digest());
      assertThat(replayed.digest()).as(each.toString()).isEqualTo(direct.digest());
    }
    assertThat(steps.stream().<Class<?>>map(each -> each.event().getClass()).distinct())
        .containsExactlyInAnyOrderElementsOf(Samples.recordsOf(Event.class));
    assertThat(direct.instance("new")).isPresent();
    assertThat(direct.instance("adopted")).isEmpty();
  }
}
