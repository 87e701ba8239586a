package dev.berth.runtime.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.berth.api.ActionId;
import dev.berth.api.Adoption;
import dev.berth.api.Attempt;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Observation;
import dev.berth.api.ObservedHost;
import dev.berth.api.ObservedInstance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Reconciler;
import dev.berth.api.Reconciliation;
import dev.berth.api.Rejection;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Inputs do what the methods of the scheduler do. */
class InputTest {

  private static final Reason WHY = new Reason.PolicyChoice("why", "because");

  // ---- Completeness

  /**
   * The event methods of the scheduler, and the input that calls each of them. A new event needs an
   * input, a line here, a step below and an entry among the golden ones.
   */
  private static final Map<String, Class<?>> INPUTS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("offerPool(PoolSpec, long)", Input.OfferPool.class),
              Map.entry("setLimit(String, long, long)", Input.SetLimit.class),
              Map.entry("addHost(HostSpec, long)", Input.AddHost.class),
              Map.entry("removeHost(String, long)", Input.RemoveHost.class),
              Map.entry("changeHost(HostSpec, long)", Input.ChangeHost.class),
              Map.entry("foreignLoad(String, Resources, long)", Input.ForeignLoad.class),
              Map.entry("drain(String, Drain, long)", Input.DrainHost.class),
              Map.entry("cordon(String, long)", Input.Cordon.class),
              Map.entry("uncordon(String, long)", Input.Uncordon.class),
              Map.entry("setBudget(String, DisruptionBudget, long)", Input.SetBudget.class),
              Map.entry("removeBudget(String, long)", Input.RemoveBudget.class),
              Map.entry("submit(Request, long)", Input.Submit.class),
              Map.entry("submit(Request, History, long)", Input.Submit.class),
              Map.entry("submit(BagSpec, long)", Input.SubmitBag.class),
              Map.entry("submit(GroupSpec, long)", Input.SubmitGroup.class),
              Map.entry("loadReported(String, double, long)", Input.LoadReported.class),
              Map.entry("started(String, long)", Input.StartedNow.class),
              Map.entry("started(Attempt, long, long)", Input.Started.class),
              Map.entry(
                  "usageReported(String, Resources, Resources, long)", Input.UsageReported.class),
              Map.entry("failed(String, long)", Input.FailedNow.class),
              Map.entry("failed(Attempt, long, long)", Input.Failed.class),
              Map.entry("completed(String, long)", Input.CompletedNow.class),
              Map.entry("completed(String, Duration, long)", Input.CompletedNow.class),
              Map.entry("completed(Attempt, long, long)", Input.Completed.class),
              Map.entry("completed(Attempt, Duration, long, long)", Input.Completed.class),
              Map.entry("rejected(ActionId, String, long)", Input.Rejected.class),
              Map.entry("adopt(Adoption, ObservedInstance, long)", Input.Adopt.class),
              Map.entry("reconcile(Observation, Reconciler, long)", Input.Reconcile.class),
              Map.entry("cancel(String, long)", Input.Cancel.class),
              Map.entry("cancelBag(String, Reason, long)", Input.CancelBag.class),
              Map.entry("cancelGroup(String, long)", Input.CancelGroup.class)));

  /** Methods with a time that is not an event: a pass. */
  private static final Set<String> NO_EVENTS = Set.of("schedule(long)");

  @Test
  void everyEventOfTheSchedulerIsAnInput() {
    Set<String> events = new HashSet<>();
    for (Method each : Scheduler.class.getMethods()) {
      Class<?>[] parameters = each.getParameterTypes();
      if (!Modifier.isStatic(each.getModifiers())
          && each.getDeclaringClass() == Scheduler.class
          && parameters.length > 0
          && parameters[parameters.length - 1] == long.class) {
        events.add(
            each.getName()
                + Arrays.stream(parameters)
                    .map(Class::getSimpleName)
                    .collect(Collectors.joining(", ", "(", ")")));
      }
    }
    events.removeAll(NO_EVENTS);

    assertThat(INPUTS.keySet()).containsExactlyInAnyOrderElementsOf(events);
    assertThat(Input.class.getPermittedSubclasses())
        .containsExactlyInAnyOrderElementsOf(new HashSet<>(INPUTS.values()));
  }

  @Test
  void refusesNull() throws ReflectiveOperationException {
    for (Class<?> type : Input.class.getPermittedSubclasses()) {
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
            .withMessage("Input.%s: %s was null, must not be null.", type.getSimpleName(), name);
      }
    }
  }

  private static Object sample(Class<?> type) {
    if (type == long.class) {
      return 0L;
    }
    if (type == double.class) {
      return 0.0;
    }
    return new dev.berth.runtime.entry.Samples(5).nextOf(type);
  }

  // ---- Equivalence

  private interface Direct {
    Object report(Scheduler scheduler, long now);
  }

  private record Step(Input<?> input, Direct direct) {}

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

  private static Step step(Input<?> input, Direct direct) {
    return new Step(input, direct);
  }

  private static Direct silently(java.util.function.ObjLongConsumer<Scheduler> event) {
    return (scheduler, now) -> {
      event.accept(scheduler, now);
      return Accepted.ACCEPTED;
    };
  }

  /** Every input once or more. A pass follows each step, which places all that fits. */
  private static List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    PoolSpec pool = new PoolSpec("cloud", cpu(4), 5);
    steps.add(step(new Input.OfferPool(pool), silently((s, now) -> s.offerPool(pool, now))));
    steps.add(step(new Input.SetLimit("l", 3), silently((s, now) -> s.setLimit("l", 3, now))));
    HostSpec h1 = new HostSpec("h1", cpu(20));
    HostSpec h2 = new HostSpec("h2", cpu(2), Map.of("zone", "a"), true);
    steps.add(step(new Input.AddHost(h1), silently((s, now) -> s.addHost(h1, now))));
    steps.add(step(new Input.AddHost(h2), silently((s, now) -> s.addHost(h2, now))));
    HostSpec changed = new HostSpec("h1", cpu(30), Map.of("zone", "b"));
    steps.add(
        step(new Input.ChangeHost(changed), silently((s, now) -> s.changeHost(changed, now))));
    steps.add(
        step(
            new Input.ForeignLoad("h1", cpu(1)),
            silently((s, now) -> s.foreignLoad("h1", cpu(1), now))));
    Drain how = Drain.moving().until(900).restarting("bronze");
    steps.add(step(new Input.DrainHost("h2", how), silently((s, now) -> s.drain("h2", how, now))));
    steps.add(step(new Input.Uncordon("h2"), silently((s, now) -> s.uncordon("h2", now))));
    steps.add(step(new Input.Cordon("h2"), silently((s, now) -> s.cordon("h2", now))));
    steps.add(
        step(
            new Input.LoadReported("h2", 1.7),
            silently((s, now) -> s.loadReported("h2", 1.7, now))));
    DisruptionBudget budget = DisruptionBudget.minUp(1);
    steps.add(
        step(
            new Input.SetBudget("j", budget), silently((s, now) -> s.setBudget("j", budget, now))));
    steps.add(
        step(
            new Input.SetBudget("k", budget), silently((s, now) -> s.setBudget("k", budget, now))));
    steps.add(step(new Input.RemoveBudget("k"), silently((s, now) -> s.removeBudget("k", now))));
    for (String each : List.of("a", "b", "c", "d", "e", "f", "g", "h", "i")) {
      Request request = request(each, each.equals("b") ? "bronze" : "gold");
      steps.add(step(new Input.Submit(request), silently((s, now) -> s.submit(request, now))));
    }
    BagSpec bag =
        new BagSpec("bag", List.of(request("t1"), request("t2")), Optional.of(Duration.ofDays(1)));
    steps.add(step(new Input.SubmitBag(bag), silently((s, now) -> s.submit(bag, now))));
    GroupSpec group =
        new GroupSpec("group", List.of(request("m1"), request("m2")), 1, GroupSpec.OnLoss.RELEASE);
    steps.add(step(new Input.SubmitGroup(group), silently((s, now) -> s.submit(group, now))));
    steps.add(step(new Input.StartedNow("a"), silently((s, now) -> s.started("a", now))));
    steps.add(
        step(
            new Input.Started(first("b"), OptionalLong.of(220)),
            silently((s, now) -> s.started(first("b"), 220, now))));
    for (String each : List.of("c", "d", "e", "f", "g")) {
      steps.add(
          step(
              new Input.Started(first(each), OptionalLong.empty()),
              silently((s, now) -> s.started(first(each), now, now))));
    }
    steps.add(
        step(
            new Input.UsageReported("a", cpu(1), cpu(2)),
            silently((s, now) -> s.usageReported("a", cpu(1), cpu(2), now))));
    steps.add(step(new Input.FailedNow("a"), silently((s, now) -> s.failed("a", now))));
    steps.add(
        step(
            new Input.Failed(first("b"), OptionalLong.of(295)),
            silently((s, now) -> s.failed(first("b"), 295, now))));
    steps.add(
        step(
            new Input.Failed(first("h"), OptionalLong.empty()),
            silently((s, now) -> s.failed(first("h"), now, now))));
    steps.add(
        step(new Input.CompletedNow("c", Optional.empty()), (s, now) -> s.completed("c", now)));
    Duration cpuTime = Duration.ofNanos(12);
    steps.add(
        step(
            new Input.CompletedNow("d", Optional.of(cpuTime)),
            (s, now) -> s.completed("d", cpuTime, now)));
    steps.add(
        step(
            new Input.Completed(first("e"), Optional.empty(), OptionalLong.of(325)),
            (s, now) -> s.completed(first("e"), 325, now)));
    steps.add(
        step(
            new Input.Completed(first("f"), Optional.of(cpuTime), OptionalLong.of(335)),
            (s, now) -> s.completed(first("f"), cpuTime, 335, now)));
    steps.add(
        step(
            new Input.Completed(first("g"), Optional.empty(), OptionalLong.empty()),
            (s, now) -> s.completed(first("g"), now, now)));
    Request last = request("last");
    steps.add(step(new Input.Submit(last), silently((s, now) -> s.submit(last, now))));
    ActionId placed = new ActionId(steps.size(), 0);
    Request continuing = request("continuing");
    History history = new History(1, Duration.ofNanos(20), Duration.ofNanos(3), 4, 3, 2, 5, true);
    steps.add(
        step(
            new Input.Rejected(placed, "no disk"), (s, now) -> s.rejected(placed, "no disk", now)));
    steps.add(
        step(
            new Input.Submit(continuing, Optional.of(history)),
            silently((s, now) -> s.submit(continuing, history, now))));
    Adoption adoption =
        new Adoption(request("adopted"), History.since(5).served(Duration.ofNanos(7)));
    ObservedInstance seen = new ObservedInstance("adopted", "h1", InstanceState.RUNNING).since(17);
    steps.add(
        step(new Input.Adopt(adoption, seen), silently((s, now) -> s.adopt(adoption, seen, now))));
    steps.add(step(new Input.Cancel("i"), (s, now) -> s.cancel("i", now)));
    steps.add(step(new Input.CancelBag("bag", WHY), (s, now) -> s.cancelBag("bag", WHY, now)));
    steps.add(step(new Input.CancelGroup("group"), (s, now) -> s.cancelGroup("group", now)));
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
            new Input.Reconcile(observed, List.of(unknown), List.of("adopted")),
            (s, now) -> s.reconcile(observed, reconciler, now)));
    steps.add(step(new Input.RemoveHost("h3"), silently((s, now) -> s.removeHost("h3", now))));
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
  void decodedInputsDriveASchedulerAsItsMethodsDo() {
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
              EntryFormat.read(EntryFormat.toBytes(new Entry.Applied(now, each.input())));

      Object result = read.input().applyTo(replayed, read.now());

      assertThat(result).as(each.toString()).isEqualTo(expected);
      assertThat(replayed.digest()).as(each.toString()).isEqualTo(direct.digest());
      assertThat(digests.add(direct.digest())).as("%s changed nothing", each).isTrue();
      assertThat(replayed.schedule(now).digest()).isEqualTo(direct.schedule(now).digest());
      assertThat(replayed.digest()).as(each.toString()).isEqualTo(direct.digest());
    }
    assertThat(steps.stream().<Class<?>>map(each -> each.input().getClass()).distinct())
        .containsExactlyInAnyOrder(Input.class.getPermittedSubclasses());
    assertThat(direct.instance("new")).isPresent();
    assertThat(direct.instance("adopted")).isEmpty();
  }

  /** Live views may not leave the thread of the scheduler. */
  @Test
  void resultsAreValues() {
    Map<Class<?>, Class<?>> results = new HashMap<>();
    for (Class<?> each : Input.class.getPermittedSubclasses()) {
      Method method =
          Arrays.stream(each.getDeclaredMethods())
              .filter(it -> it.getName().equals("applyTo") && !it.isBridge())
              .findFirst()
              .orElseThrow();
      results.put(each, method.getReturnType());
    }

    assertThat(results.values())
        .containsOnly(
            Accepted.class,
            InstanceReport.class,
            Reconciliation.class,
            Rejection.class,
            BagReport.class,
            List.class);
    assertThat(results).containsEntry(Input.CancelGroup.class, List.class);
  }
}
