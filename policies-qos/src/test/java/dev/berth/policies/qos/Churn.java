package dev.berth.policies.qos;

import static dev.berth.testkit.reference.ReferenceScheduler.withoutProofs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.EventTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A random history of a crowded cluster. Two schedulers receive the same events and must give the
 * same plans.
 *
 * <p>Hosts and requests have few shapes, so ties are frequent and large, and equivalence classes
 * have many members. Capacity is scarce. Time advances in small and large steps, so refusals expire
 * while nothing else happens.
 */
final class Churn {

  static final List<ServiceClass> CLASSES =
      List.of(
          ServiceClass.builder("gold").slo(1).importance(1).build(),
          ServiceClass.builder("silver").slo(0.9).importance(2).build(),
          ServiceClass.builder("tin")
              .slo(0.9)
              .importance(2)
              .safetyMargin(Duration.ofMinutes(1))
              .build(),
          ServiceClass.builder("bronze").slo(0.5).importance(3).build(),
          ServiceClass.builder("copper")
              .slo(1.0 / 3)
              .importance(3)
              .safetyMargin(Duration.ofMinutes(2))
              .preemptionOverheadLimit(0.05)
              .build());

  private static final Dimension GPU = new Dimension("gpu", 1);
  private static final long UNIT = 375_000_000;
  private static final long SECOND = 1_000_000_000;

  private final EventTarget one;
  private final EventTarget other;
  private final SplittableRandom random;
  private final int hosts;
  private final int fullness;
  private final boolean withGroups;
  private final List<Shape> shapes = new ArrayList<>();

  private final Drawer pending = new Drawer();
  private final Drawer starting = new Drawer();
  private final Drawer running = new Drawer();
  private final Drawer present = new Drawer(); // hosts
  private final Map<String, Set<String>> residents = new HashMap<>(); // looked up only
  private final Map<String, String> hostOf = new HashMap<>();
  private final List<String> gone = new ArrayList<>(); // hosts
  private final Map<String, Integer> seen = new LinkedHashMap<>();
  private final long tick; // of the clock
  private long now;
  private int submitted;

  /**
   * The demand and job of a request.
   *
   * @param group number of jobs that requests of this shape belong to; 0 for none
   */
  private record Shape(
      String serviceClass,
      Resources demand,
      List<Constraint> constraints,
      int group,
      boolean mixes) {}

  /**
   * Creates a history.
   *
   * @param hosts the maximum number of hosts
   * @param fullness instances per host at a time, pending ones included
   */
  Churn(EventTarget one, EventTarget other, long seed, int hosts, int fullness) {
    this(one, other, seed, hosts, fullness, false);
  }

  /**
   * Creates a history.
   *
   * @param withGroups whether some requests belong to groups
   */
  Churn(
      EventTarget one, EventTarget other, long seed, int hosts, int fullness, boolean withGroups) {
    this.one = one;
    this.other = other;
    this.random = new SplittableRandom(seed);
    this.hosts = hosts;
    this.fullness = fullness;
    this.withGroups = withGroups;
    this.tick = random.nextBoolean() ? 1 : SECOND; // margins are met exactly by a coarse one
    int kinds = 4 + random.nextInt(12);
    for (int i = 0; i < kinds; i++) {
      shapes.add(shape());
    }
  }

  private Shape shape() {
    int cpu = random.nextInt(12) == 0 ? 9 : 1 + random.nextInt(3);
    int memory = random.nextInt(3) == 0 ? random.nextInt(5) : cpu;
    Resources.Builder demand =
        Resources.builder().put(Dimension.CPU, cpu * UNIT).put(Dimension.MEMORY, memory * UNIT);
    if (random.nextInt(10) == 0) {
      demand.put(GPU, 1);
    }
    List<Constraint> constraints =
        switch (random.nextInt(6)) {
          case 0 -> List.of(new Constraint.Equal("zone", "a"));
          case 1 -> List.of(new Constraint.LessThan("level", Math.max(1, hosts / 8)));
          default -> List.of();
        };
    return new Shape(
        CLASSES.get(random.nextInt(CLASSES.size())).name(),
        demand.build(),
        constraints,
        random.nextInt(3) == 0 ? 1 + random.nextInt(Math.max(1, hosts / 2)) : 0,
        random.nextBoolean());
  }

  /** Fills the cluster, then runs this many rounds of some events and a pass. */
  void live(int rounds) {
    for (int i = 0; i < hosts; i++) {
      join("h" + i);
    }
    while (submitted < hosts * fullness) {
      submit();
    }
    pass();
    everybodyStarts();
    for (int round = 0; round < rounds; round++) {
      round();
    }
  }

  /** Returns the number of occurrences of each event, by name. */
  Map<String, Integer> seen() {
    return seen;
  }

  private void round() {
    letPass(pause());
    boolean calm = random.nextInt(3) > 0;
    int events = calm ? random.nextInt(4) : random.nextInt(4 + hosts / 3);
    for (int i = 0; i < events; i++) {
      event();
      if (random.nextInt(4) == 0) {
        letPass(random.nextLong(1_000_000));
      }
    }
    if (random.nextInt(4) > 0) {
      everybodyStarts();
    }
    pass();
  }

  private void letPass(long nanos) {
    now += nanos / tick * tick;
  }

  private long pause() {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> random.nextLong(1_000_000);
      case 2 -> Duration.ofMinutes(1 + random.nextInt(10)).toNanos();
      default -> random.nextLong(Duration.ofSeconds(20).toNanos());
    };
  }

  private void event() {
    int population = pending.size() + starting.size() + running.size();
    int dice = random.nextInt(100);
    if (dice < 40) {
      if (population < hosts * fullness) {
        submit();
      } else {
        end();
      }
    } else if (dice < 60) {
      end();
    } else if (dice < 70) {
      if (running.size() > 0) {
        String id = running.any(random);
        tell(each -> each.apply(new Event.FailedNow(id), now));
        waits(id);
      }
    } else if (dice < 80) {
      if (pending.size() > 0) {
        String id = pending.any(random);
        tell(each -> each.apply(new Event.Cancelled(id), now));
        pending.remove(id);
      }
    } else if (dice < 88) {
      if (starting.size() > 0) {
        start(starting.any(random));
      }
    } else if (dice < 94) {
      if (present.size() > Math.max(1, hosts * 3 / 4)) {
        leave(present.any(random));
      }
    } else if (!gone.isEmpty()) {
      join(gone.remove(random.nextInt(gone.size())));
    }
  }

  private void end() {
    if (running.size() > 0) {
      String id = running.any(random);
      tell(each -> each.apply(new Event.CompletedNow(id, Optional.empty()), now));
      running.remove(id);
      residents.get(hostOf.remove(id)).remove(id);
    }
  }

  private void submit() {
    Shape shape = shapes.get(random.nextInt(shapes.size()));
    if (withGroups && random.nextInt(6) == 0) {
      submitGroup(shape);
      return;
    }
    Request made = request(shape);
    tell(each -> each.apply(new Event.Submitted(made), now));
    pending.add(made.id());
  }

  private void submitGroup(Shape first) {
    boolean alike = random.nextInt(3) > 0;
    List<Request> members = new ArrayList<>();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      members.add(request(alike ? first : shapes.get(random.nextInt(shapes.size()))));
    }
    GroupSpec group =
        new GroupSpec(
            "g" + submitted,
            members,
            1 + random.nextInt(members.size()),
            random.nextBoolean() ? GroupSpec.OnLoss.RESTORE : GroupSpec.OnLoss.RELEASE);
    tell(each -> each.apply(new Event.GroupSubmitted(group), now));
    members.forEach(each -> pending.add(each.id()));
    count("groups");
  }

  private Request request(Shape shape) {
    String id = "r" + submitted++;
    Request.Builder request = Request.builder(id, shape.serviceClass).demand(shape.demand);
    shape.constraints.forEach(request::constraint);
    if (shape.group > 0) {
      request.job("j" + random.nextInt(shape.group));
      request.antiAffinity(!shape.mixes || random.nextBoolean());
    }
    int kind = Math.floorMod(id.hashCode(), 5);
    if (kind > 0) {
      request.estimatedRunTime(Duration.ofSeconds(20L * kind));
      request.user("u" + kind);
    }
    return request.losesProgress(kind == 1).build();
  }

  private void join(String id) {
    int number = Integer.parseInt(id.substring(1));
    boolean wide = number % 4 == 3;
    Resources.Builder capacity =
        Resources.builder()
            .put(Dimension.CPU, (wide ? 24 : 16) * UNIT)
            .put(Dimension.MEMORY, (wide ? 12 : 16) * UNIT);
    if (number % 10 == 9) {
      capacity.put(GPU, 4);
    }
    Map<String, String> attributes =
        Map.of("zone", number % 3 == 0 ? "a" : "b", "level", Integer.toString(number));
    HostSpec spec = new HostSpec(id, capacity.build(), attributes);
    tell(each -> each.apply(new Event.HostAdded(spec), now));
    present.add(id);
    residents.put(id, new LinkedHashSet<>());
  }

  private void leave(String id) {
    tell(each -> each.apply(new Event.HostRemoved(id), now));
    present.remove(id);
    gone.add(id);
    List.copyOf(residents.remove(id)).forEach(each -> waits(each));
  }

  /** An instance is pending again. */
  private void waits(String id) {
    running.remove(id);
    starting.remove(id);
    Set<String> there = residents.get(hostOf.remove(id));
    if (there != null) {
      there.remove(id);
    }
    pending.add(id);
  }

  private void everybodyStarts() {
    while (starting.size() > 0) {
      start(starting.any(random));
    }
  }

  private void start(String id) {
    tell(each -> each.apply(new Event.StartedNow(id), now));
    starting.remove(id);
    running.add(id);
  }

  private void tell(Consumer<EventTarget> event) {
    event.accept(one);
    event.accept(other);
  }

  private void pass() {
    Plan expected = one.schedule(now);
    assertThat(withoutProofs(other.schedule(now))).isEqualTo(withoutProofs(expected));
    expected.deferrals().values().stream()
        .filter(Reason.GroupIncomplete.class::isInstance)
        .distinct()
        .forEach(
            why ->
                count(((Reason.GroupIncomplete) why).found() > 0 ? "groups in part" : "no hosts"));
    count("passes");
    for (Action each : expected.actions()) {
      if (each instanceof Action.Preempt preempt) {
        count("preemptions");
        waits(preempt.instance());
      } else if (each instanceof Action.Evict evict) {
        count("evictions");
        waits(evict.instance());
      } else if (each instanceof Action.Place place) {
        count("placements");
        pending.remove(place.instance());
        starting.add(place.instance());
        hostOf.put(place.instance(), place.host());
        residents.get(place.host()).add(place.instance());
      }
    }
    seen.merge("left waiting", pending.size(), Integer::sum);
  }

  private void count(String what) {
    seen.merge(what, 1, Integer::sum);
  }

  /** A set of ids with a random draw in constant time. */
  private static final class Drawer {

    private final List<String> ids = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>(); // looked up only

    int size() {
      return ids.size();
    }

    void add(String id) {
      places.put(id, ids.size());
      ids.add(id);
    }

    void remove(String id) {
      Integer place = places.remove(id);
      if (place != null) {
        String last = ids.remove(ids.size() - 1);
        if (!last.equals(id)) {
          ids.set(place, last);
          places.put(last, place);
        }
      }
    }

    String any(SplittableRandom random) {
      return ids.get(random.nextInt(ids.size()));
    }
  }
}
