package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.error.EventRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties that hold after any sequence of valid and invalid events. */
class EventPropertiesTest {

  @Property(tries = 150)
  void refusedEventChangesNothing(@ForAll("events") List<Event> events) {
    Scheduler scheduler = newScheduler();
    for (Event event : events) {
      Snapshot before = Snapshot.of(scheduler);
      if (!event.happens(scheduler)) {
        assertThat(Snapshot.of(scheduler)).as("after %s", event).isEqualTo(before);
      }
    }
  }

  @Property(tries = 150)
  void refusedEventsDoNotChangeLaterPlans(@ForAll("events") List<Event> events) {
    Scheduler bothered = newScheduler();
    Scheduler spared = newScheduler();
    for (Event event : events) {
      if (event.happens(bothered)) {
        assertThat(event.happens(spared)).isTrue();
      }
    }
    long later = bothered.now() == Long.MIN_VALUE ? 0 : bothered.now() + 1;

    assertThat(bothered.schedule(later)).isEqualTo(spared.schedule(later));
    assertThat(Snapshot.of(bothered)).isEqualTo(Snapshot.of(spared));
  }

  @Property(tries = 150)
  void conservesCapacityAndKeepsPlacementRules(@ForAll("events") List<Event> events) {
    Scheduler scheduler = newScheduler();
    for (Event event : events) {
      event.happens(scheduler);
      scheduler.hosts().forEach(EventPropertiesTest::assertLawful);
    }
  }

  @Property(tries = 150)
  void serviceAndWaitingTimeAddUpToTheLifetime(@ForAll("events") List<Event> events) {
    Scheduler scheduler = emptyScheduler();
    Map<String, Long> served = new HashMap<>(); // counted here, from event to event
    List<Event> all = new ArrayList<>(FULL_HOUSE);
    all.addAll(events);
    for (Event event : all) {
      List<String> running =
          scheduler.instances().stream()
              .filter(each -> each.state() == InstanceState.RUNNING)
              .map(Instance::id)
              .toList();
      long before = scheduler.now();
      event.happens(scheduler);
      long passed = before == Long.MIN_VALUE ? 0 : scheduler.now() - before;
      running.forEach(id -> served.merge(id, passed, Long::sum));
      served.keySet().removeIf(id -> scheduler.instance(id).isEmpty());
      for (Instance each : scheduler.instances()) {
        long now = scheduler.now();
        assertThat(each.serviceTime(now)).isEqualTo(served.getOrDefault(each.id(), 0L));
        assertThat(each.serviceTime(now) + each.waitingTime(now))
            .isEqualTo(now - each.admittedAt());
        assertThat(each.host().isPresent()).isEqualTo(each.state().holdsCapacity());
      }
    }
  }

  @Property(tries = 150)
  void planMatchesTheResultingCluster(@ForAll("events") List<Event> events) {
    Scheduler scheduler = newScheduler();
    events.forEach(event -> event.happens(scheduler));
    long later = scheduler.now() == Long.MIN_VALUE ? 0 : scheduler.now() + 1;

    Plan plan = scheduler.schedule(later);

    List<Action.OnInstance> actions = plan.actions(Action.OnInstance.class);
    assertThat(plan.actions()).hasSameSizeAs(actions);
    for (Action.OnInstance action : actions) {
      Instance subject = scheduler.instance(action.instance()).orElseThrow();
      assertThat(subject.stateSince()).isEqualTo(later);
      if (action instanceof Action.Place place) {
        assertThat(subject.state()).isEqualTo(InstanceState.STARTING);
        assertThat(subject.host().map(Host::id)).contains(place.host());
      } else {
        assertThat(subject.state()).isEqualTo(InstanceState.PENDING);
      }
    }
    assertThat(actions).extracting(Action.OnInstance::instance).doesNotHaveDuplicates();
  }

  private static void assertLawful(Host host) {
    List<Instance> there = List.copyOf(host.instances());
    for (Dimension dimension : host.capacity().dimensions()) {
      long held = there.stream().mapToLong(each -> each.request().demand().amount(dimension)).sum();
      assertThat(host.free(dimension)).isEqualTo(host.capacity().amount(dimension) - held);
      assertThat(host.free(dimension)).isNotNegative();
    }
    for (Instance each : there) {
      assertThat(each.host()).containsSame(host);
      assertThat(each.request().constraints()).allMatch(constraint -> constraint.holdsOn(host));
      if (each.request().antiAffinity()) {
        assertThat(there)
            .filteredOn(other -> other.request().job().equals(each.request().job()))
            .containsExactly(each);
      }
    }
  }

  /** Two hosts full of instances of less important classes, and more instances pending. */
  private static final List<Event> FULL_HOUSE =
      Stream.of(
              events(EventType.ADD_HOST, 0, 3),
              events(EventType.SUBMIT, 2, 3, 5, 7),
              events(EventType.PASS, 0),
              events(EventType.STARTED, 2, 3, 5),
              events(EventType.SUBMIT, 0, 1, 4, 6))
          .flatMap(each -> each)
          .toList();

  private static Stream<Event> events(EventType type, int... subjects) {
    return IntStream.of(subjects).mapToObj(subject -> new Event(type, subject, 1));
  }

  private static Scheduler newScheduler() {
    Scheduler scheduler = emptyScheduler();
    FULL_HOUSE.forEach(event -> assertThat(event.happens(scheduler)).as("%s", event).isTrue());
    return scheduler;
  }

  private static Scheduler emptyScheduler() {
    return Scheduler.builder()
        .policy(
            "test",
            context ->
                context
                    .pipeline()
                    .preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT)
                    .preemptStarting(true)
                    .build())
        .serviceClasses(Cluster.GOLD, Cluster.SILVER, Cluster.BRONZE)
        .watchdog(Duration.ofNanos(10))
        .seed(3)
        .build();
  }

  @Provide
  static Arbitrary<List<Event>> events() {
    Arbitrary<EventType> type =
        Arbitraries.of(
            EventType.ADD_HOST,
            EventType.REMOVE_HOST,
            EventType.SUBMIT,
            EventType.SUBMIT,
            EventType.SUBMIT,
            EventType.STARTED,
            EventType.STARTED,
            EventType.FAILED,
            EventType.COMPLETED,
            EventType.CANCELLED,
            EventType.PASS,
            EventType.PASS,
            EventType.PASS);
    return Combinators.combine(
            type, Arbitraries.integers().between(0, 9), Arbitraries.of(0, 0, 1, 1, 2, 7, -1))
        .as(Event::new)
        .list()
        .ofMinSize(10)
        .ofMaxSize(60);
  }

  private enum EventType {
    ADD_HOST,
    REMOVE_HOST,
    SUBMIT,
    STARTED,
    FAILED,
    COMPLETED,
    CANCELLED,
    PASS
  }

  /**
   * One event.
   *
   * @param subject number of the host or instance, which determines all its properties
   * @param after nanoseconds since the previous event
   */
  private record Event(EventType type, int subject, int after) {

    private static final Dimension CPU = new Dimension("cpu", 1);
    private static final Dimension MEMORY = new Dimension("memory", 1);
    private static final Dimension GPU = new Dimension("gpu", 1);
    private static final Dimension COARSE_CPU = new Dimension("cpu", 1000);

    /** Returns whether the scheduler accepted the event. */
    boolean happens(Scheduler scheduler) {
      long now = (scheduler.now() == Long.MIN_VALUE ? 0 : scheduler.now()) + after;
      try {
        switch (type) {
          case ADD_HOST -> scheduler.addHost(host(), now);
          case REMOVE_HOST -> scheduler.removeHost(host().id(), now);
          case SUBMIT -> scheduler.submit(request(), now);
          case STARTED -> scheduler.started("i" + subject, now);
          case FAILED -> scheduler.failed("i" + subject, now);
          case COMPLETED -> scheduler.completed("i" + subject, now);
          case CANCELLED -> scheduler.cancel("i" + subject, now);
          case PASS -> scheduler.schedule(now);
        }
        return true;
      } catch (EventRefusedException refused) {
        return false;
      }
    }

    private HostSpec host() {
      Resources.Builder capacity = Resources.builder().put(CPU, 2 + subject % 3);
      if (subject % 2 == 0) {
        capacity.put(MEMORY, 4);
      }
      if (subject % 4 == 3) {
        capacity.put(GPU, 1);
      }
      return new HostSpec(
          "h" + subject % 5, capacity.build(), Map.of("zone", subject % 2 == 0 ? "a" : "b"));
    }

    private Request request() {
      String serviceClass = List.of("gold", "silver", "bronze", "bronze").get(subject % 4);
      Resources.Builder demand = Resources.builder().put(subject == 9 ? COARSE_CPU : CPU, 1);
      if (subject % 3 == 0) {
        demand.put(MEMORY, 2);
      }
      if (subject == 7) {
        demand.put(GPU, 1);
      }
      Request.Builder request =
          Request.builder("i" + subject, subject == 8 ? "no such class" : serviceClass)
              .demand(demand.build());
      if (subject % 2 == 1) {
        request.job("j").antiAffinity(subject == 1);
      }
      if (subject == 2 || subject == 4) {
        request.constraint(new Constraint.Equal("zone", "a"));
      }
      return request.build();
    }
  }
}
