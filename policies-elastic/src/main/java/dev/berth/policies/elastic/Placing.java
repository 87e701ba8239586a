package dev.berth.policies.elastic;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.SchedulingPass;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Places instances on the first host that has room, so that the last ones become idle. */
final class Placing {

  private static final Reason AT_ITS_SHARE =
      new Reason.PolicyChoice("at-its-share", "its bag uses all the hosts it is worth");

  private final SchedulingPass pass;
  private final List<Host> hosts;
  private @Nullable Resources tooMuch; // a demand that no host has room for

  Placing(SchedulingPass pass, List<Host> hosts) {
    this.pass = pass;
    this.hosts = hosts;
  }

  /**
   * Places those that are pending, in order.
   *
   * @param most how many of them all may be on hosts at one time; who would be one more is deferred
   * @return who is left though it might have been placed: no host has room
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
        pass.defer(each, AT_ITS_SHARE);
      } else if (place(each)) {
        busy++;
      } else {
        left.add(each);
      }
    }
    return left;
  }

  private boolean place(Instance instance) {
    Resources demand = instance.request().demand();
    if (tooMuch != null && demand.equals(tooMuch)) {
      return false;
    }
    boolean roomy = false;
    for (Host each : hosts) {
      if (hasRoom(each, demand)) {
        roomy = true;
        if (pass.place(instance, each).accepted()) {
          return true;
        }
      }
    }
    if (!roomy) {
      tooMuch = demand; // nobody leaves while the pass places
    }
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
