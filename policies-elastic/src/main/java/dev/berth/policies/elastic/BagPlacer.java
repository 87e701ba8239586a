package dev.berth.policies.elastic;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Places instances on the first host with room, so that the last hosts become idle. */
final class BagPlacer {

  private static final Reason AT_ITS_SHARE =
      new Reason.PolicyChoice("at-its-share", "its bag uses its whole share of hosts");

  private final SchedulingPass pass;
  private final List<Host> hosts;
  private @Nullable Resources tooMuch; // a demand that no host has room for
  private @Nullable Resources enough; // one that a host had room for, before the next placement

  BagPlacer(SchedulingPass pass, List<Host> hosts) {
    this.pass = pass;
    this.hosts = hosts;
  }

  /**
   * Places the pending instances, in order.
   *
   * @param most how many of all instances may be on hosts at one time; each further one waits, and
   *     is deferred if a host has room
   * @return the instances for which no host has room
   */
  List<Instance> place(Iterable<Instance> instances, int most) {
    List<Instance> waiting = new ArrayList<>();
    int busy = 0;
    for (Instance each : instances) {
      switch (each.state()) {
        case PENDING -> waiting.add(each);
        case DONE -> {}
        default -> busy++;
      }
    }
    List<Instance> left = new ArrayList<>();
    for (Instance each : waiting) {
      if (busy >= most) {
        defer(each, AT_ITS_SHARE);
      } else if (place(each)) {
        busy++;
      } else {
        left.add(each);
      }
    }
    return left;
  }

  /** Defers an instance if a host has room for it; otherwise the lack of room explains its wait. */
  void defer(Instance waiting, Reason why) {
    if (hasRoom(waiting.request().demand())) {
      pass.defer(waiting, why);
    }
  }

  private boolean place(Instance instance) {
    Resources demand = instance.request().demand();
    if (!hasRoom(demand)) {
      return false;
    }
    for (Host each : hosts) {
      if (hasRoom(each, demand) && pass.place(instance, each).accepted()) {
        enough = null;
        return true;
      }
    }
    return false;
  }

  /** Returns whether a host has room for a demand; no instance leaves while the pass places. */
  private boolean hasRoom(Resources demand) {
    if (tooMuch != null && demand.equals(tooMuch)) {
      return false;
    }
    if (enough != null && demand.equals(enough)) {
      return true;
    }
    for (Host each : hosts) {
      if (hasRoom(each, demand)) {
        enough = demand;
        return true;
      }
    }
    tooMuch = demand;
    return false;
  }

  private static boolean hasRoom(Host host, Resources demand) {
    for (Dimension each : demand.dimensions()) {
      if (host.free(each) < demand.amount(each)) {
        return false;
      }
    }
    return true;
  }
}
