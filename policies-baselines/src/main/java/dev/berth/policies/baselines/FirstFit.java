package dev.berth.policies.baselines;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Resources;
import dev.berth.api.policy.SchedulingPass;
import org.jspecify.annotations.Nullable;

/**
 * Places pending instances in order of admission, each on the first host with room, so that the
 * last hosts become idle. Lives as long as its pass.
 */
final class FirstFit {

  private final SchedulingPass pass;
  // A demand for which no host has room. No instance leaves during the pass, so it stays too large.
  private @Nullable Resources tooLarge;

  FirstFit(SchedulingPass pass) {
    this.pass = pass;
  }

  void placeAll() {
    pass.pending().forEach(this::place);
  }

  private void place(Instance instance) {
    Resources demand = instance.request().demand();
    if (tooLarge != null && demand.equals(tooLarge)) {
      return;
    }
    boolean room = false;
    for (Host each : pass.openHosts()) {
      if (hasRoom(each, demand)) {
        room = true;
        if (pass.place(instance, each).accepted()) {
          return;
        }
      }
    }
    if (!room) {
      tooLarge = demand;
    }
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
