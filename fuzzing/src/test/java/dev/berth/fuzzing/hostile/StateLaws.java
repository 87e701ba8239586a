package dev.berth.fuzzing.hostile;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.batch.Bag;
import dev.berth.core.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The laws that the visible state of a scheduler obeys between two calls, whatever happened. */
final class StateLaws {

  private static final List<Dimension> DIMENSIONS = List.of(Dimension.CPU, Dimension.MEMORY);

  private StateLaws() {}

  /** Requires the laws. Cost O(hosts + instances). */
  static void check(Scheduler scheduler) {
    long now = scheduler.now();
    Map<String, List<Instance>> residents = new HashMap<>();
    int pending = 0;
    for (Instance each : scheduler.instances()) {
      require(scheduler.instance(each.id()).orElse(null) == each, "%s is not found by id", each);
      require(each.state() != InstanceState.DONE, "%s is listed", each);
      require(
          each.serviceTime(now) + each.waitingTime(now) == now - each.admittedAt(),
          "the times of %s do not add up",
          each);
      require(each.state().isOnHost() == each.host().isPresent(), "%s has a host or not", each);
      each.host()
          .ifPresent(on -> residents.computeIfAbsent(on.id(), id -> new ArrayList<>()).add(each));
      pending += each.state() == InstanceState.PENDING ? 1 : 0;
    }
    require(pending == scheduler.pendingCount(), "%s instances are pending", pending);
    for (Host host : scheduler.hosts()) {
      require(scheduler.host(host.id()).orElse(null) == host, "%s is not found by id", host);
      List<Instance> there = residents.getOrDefault(host.id(), List.of());
      residents.remove(host.id());
      require(
          there.size() == host.instances().size() && host.instances().containsAll(there),
          "%s lists other instances than %s",
          host,
          there);
      for (Dimension each : DIMENSIONS) {
        long free = host.capacity().amount(each);
        for (Instance resident : there) {
          free -= held(resident, host, each);
        }
        require(free >= 0 && host.free(each) == free, "%s must have %s free", host, free);
      }
    }
    require(residents.isEmpty(), "instances are on absent hosts: %s", residents);
    checkPoolsAndBags(scheduler, now);
  }

  private static void checkPoolsAndBags(Scheduler scheduler, long now) {
    for (Pool pool : scheduler.pools()) {
      int used = pool.starting().size() + pool.up().size() + pool.stopping();
      require(pool.room() == Math.max(0, pool.spec().limit() - used), "the room of %s", pool);
      for (Host each : pool.up()) {
        require(scheduler.host(each.id()).orElse(null) == each, "%s is not up", each);
      }
    }
    for (Bag bag : scheduler.bags()) {
      require(bag.remaining() == bag.instances().size(), "the members of %s", bag);
      long service = 0;
      for (Instance each : bag.instances()) {
        require(scheduler.instance(each.id()).orElse(null) == each, "%s of %s", each, bag);
        require(each.bag().orElse("").equals(bag.id()), "%s of %s", each, bag);
        service += each.serviceTime(now);
      }
      require(bag.completed() > 0 || bag.serviceTime(now) >= service, "service of %s", bag);
    }
  }

  private static long held(Instance instance, Host host, Dimension dimension) {
    boolean isCpu = dimension.equals(Dimension.CPU);
    return switch (instance.state()) {
      case PENDING, SUSPENDED, DONE -> 0;
      case PAUSED -> isCpu ? 0 : instance.granted().amount(dimension);
      case STARTING, RUNNING ->
          isCpu && host.timeShared() ? 0 : instance.granted().amount(dimension);
    };
  }

  /** Returns all that a scheduler shows, except its time, as text. */
  static String describe(Scheduler scheduler) {
    StringBuilder text = new StringBuilder();
    text.append(scheduler.passes()).append(' ').append(scheduler.decisions().all().size());
    for (Host each : scheduler.hosts()) {
      text.append(each).append(each.free()).append(each.instances()).append(each.expiresAt());
      text.append(each.load()).append(each.recentCompletions()).append('\n');
    }
    for (Instance each : scheduler.instances()) {
      text.append(each).append(each.granted()).append(each.stateSince()).append(each.usage());
      text.append(each.preemptions()).append(each.placements()).append(each.migrations());
      text.append(each.serviceTime(each.stateSince())).append('\n');
    }
    for (String each : List.of("job0", "job1")) {
      text.append(each).append(scheduler.budget(each)).append('\n');
    }
    for (Pool each : scheduler.pools()) {
      text.append(each.spec()).append(each.starting()).append(each.up()).append(each.stopping());
      text.append(each.failures()).append('\n');
    }
    for (Bag each : scheduler.bags()) {
      text.append(each).append(each.instances()).append(each.cluster()).append(each.expiresAt());
      text.append(each.completed()).append('\n');
    }
    return text.toString();
  }

  @SuppressWarnings("AnnotateFormatMethod")
  static void require(boolean holds, String otherwise, Object... subjects) {
    if (!holds) {
      throw new AssertionError(otherwise.formatted(subjects));
    }
  }
}
