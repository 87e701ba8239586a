package dev.berth.experiments.bound;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.experiments.bound.ClairvoyantSchedule.Need;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The rule of a {@link ClairvoyantSchedule}.
 *
 * @param needs those of requests that are kept
 * @param start the longest start, nanoseconds
 */
record ClairvoyantPolicy(Map<String, Need> needs, long start) implements Policy {

  /** What an instance needs, the neediest first. */
  private enum Kind {
    /** It is kept and needs more service. */
    NEEDY,
    /** It is not kept. */
    GUEST,
    /** It has the service that its objective needs. */
    SERVED
  }

  /**
   * An instance at the time of a pass.
   *
   * @param rest service that it still needs; 0 unless needy
   * @param laxity how long it can wait from now on, if it is needy
   */
  private record Status(Instance instance, Kind kind, long rest, long laxity) {

    boolean needy() {
      return kind == Kind.NEEDY;
    }
  }

  @Override
  public void schedule(SchedulingPass pass) {
    List<Status> waiting = new ArrayList<>();
    List<Status> onHosts = new ArrayList<>();
    for (Instance each : pass.instances()) {
      Status status = status(each, pass.now());
      (each.state() == InstanceState.PENDING ? waiting : onHosts).add(status);
    }
    Comparator<Status> urgent =
        Comparator.comparing(Status::kind)
            .thenComparingLong(Status::laxity)
            .thenComparing(each -> each.instance().id());
    waiting.sort(urgent);
    onHosts.sort(urgent.reversed());
    Deque<Host> free = new ArrayDeque<>(pass.openHosts());
    waiting.removeIf(each -> placeWhereFree(pass, each.instance(), free));
    List<Status> preempted = new ArrayList<>();
    waiting.removeIf(
        each -> each.kind() == Kind.SERVED || placeForAnother(pass, each, onHosts, preempted));
    waiting.addAll(preempted);
    wake(pass, waiting, onHosts);
  }

  private Status status(Instance instance, long now) {
    Need need = needs.get(instance.id());
    if (need == null) {
      return new Status(instance, Kind.GUEST, 0, 0);
    }
    long rest = need.service() - instance.serviceTime(now);
    if (rest <= 0) {
      return new Status(instance, Kind.SERVED, 0, 0);
    }
    long toStart =
        switch (instance.state()) {
          case PENDING -> start;
          case STARTING -> Math.max(0, start - (now - instance.stateSince()));
          default -> 0;
        };
    return new Status(instance, Kind.NEEDY, rest, need.deadline() - now - rest - toStart);
  }

  /** Drops hosts that are full: requests are alike, so they stay full for those that follow. */
  private static boolean placeWhereFree(SchedulingPass pass, Instance instance, Deque<Host> hosts) {
    while (!hosts.isEmpty() && !instance.request().demand().fitsIn(hosts.getFirst().free())) {
      hosts.removeFirst();
    }
    for (Host each : hosts) {
      if (instance.request().demand().fitsIn(each.free())
          && pass.place(instance, each).accepted()) {
        return true;
      }
    }
    return false;
  }

  /** Takes the place of the instance that can do best without it. */
  private boolean placeForAnother(
      SchedulingPass pass, Status status, List<Status> onHosts, List<Status> preempted) {
    for (Status each : onHosts) {
      if (each.needy() && (!status.needy() || status.laxity() > 0)) {
        return false; // needy ones follow, and this one can wait for all of them
      }
      Host host = each.instance().host().orElse(null);
      if (host != null
          && mustGiveWay(each, status)
          && pass.place(status.instance(), host, List.of(each.instance())).accepted()) {
        onHosts.remove(each);
        preempted.add(new Status(each.instance(), each.kind(), each.rest(), each.laxity() - start));
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether an instance is less needy than another; or whether the other cannot wait any
   * longer, and this one can, or is less important.
   */
  private boolean mustGiveWay(Status its, Status waiting) {
    if (!its.needy() || !waiting.needy()) {
      return its.kind().compareTo(waiting.kind()) > 0;
    }
    return waiting.laxity() <= 0 && (its.laxity() > start || isMoreImportant(waiting, its));
  }

  private static boolean isMoreImportant(Status one, Status other) {
    return one.instance().serviceClass().importance()
        < other.instance().serviceClass().importance();
  }

  /** Asks for a pass when an instance has what it needs, or when another cannot wait any longer. */
  private static void wake(SchedulingPass pass, List<Status> waiting, List<Status> onHosts) {
    long next = Long.MAX_VALUE;
    for (Status each : waiting) {
      if (each.needy() && each.laxity() > 0) {
        next = Math.min(next, each.laxity());
      }
    }
    if (!waiting.isEmpty()) {
      for (Status each : onHosts) {
        if (each.needy() && each.instance().state() == InstanceState.RUNNING) {
          next = Math.min(next, each.rest());
        }
      }
    }
    if (next != Long.MAX_VALUE) {
      pass.wakeAt(pass.now() + next);
    }
  }
}
