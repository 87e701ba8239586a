package dev.berth.policies.qos;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serves the instances that are kept at their objectives by a pipeline. Then it places the others
 * where there is room left, as guests. Guests are the first to be preempted.
 *
 * <p>No on-line policy can promise to meet the greatest possible number of objectives (Baruah,
 * Haritsa and Sharma, <i>On-line scheduling to maximize task completions</i>): what will come and
 * end is unknown. A pass costs O(n log n) for n instances beyond the cost of the pipeline.
 */
final class FulfilmentPolicy implements Policy {

  private static final Reason SHED =
      new Reason.PolicyChoice(
          "shed", "the objectives ask for more than there is, and this one is not kept");

  private final Selection selection;
  private final Policy pipeline;

  /**
   * Creates the policy.
   *
   * @param pipeline serves those that the selection does not shed
   */
  FulfilmentPolicy(Selection selection, Policy pipeline) {
    this.selection = selection;
    this.pipeline = pipeline;
  }

  @Override
  public void schedule(SchedulingPass pass) {
    selection.select(pass);
    pipeline.schedule(pass);
    placeGuests(pass);
  }

  @Override
  public Optional<Duration> watchdog() {
    return pipeline.watchdog();
  }

  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(selection);
  }

  private void placeGuests(SchedulingPass pass) {
    List<Host> open = pass.openHosts();
    Set<Resources> withoutRoom = new HashSet<>(); // demands that no host has room for
    for (Instance each : pass.pending()) {
      if (selection.sheds(each)) {
        Host host =
            withoutRoom.contains(each.request().demand())
                ? null
                : choose(pass, each, open, withoutRoom);
        if (host == null) {
          pass.defer(each, SHED);
        } else {
          pass.place(each, host);
        }
      }
    }
  }

  private static @Nullable Host choose(
      SchedulingPass pass, Instance instance, List<Host> hosts, Set<Resources> withoutRoom) {
    Host chosen = null;
    long greatest = 0;
    boolean anyRoom = false;
    for (Host each : hosts) {
      if (hasRoom(each, instance.request().demand())) {
        anyRoom = true;
        long hash = pass.tieBreak(instance, each);
        if ((chosen == null || hash > greatest)
            && pass.obstacle(instance, each, List.of()).isEmpty()) {
          chosen = each;
          greatest = hash;
        }
      }
    }
    if (!anyRoom) {
      withoutRoom.add(instance.request().demand());
    }
    return chosen;
  }

  private static boolean hasRoom(Host host, Resources demand) {
    for (Dimension each : demand.dimensions()) {
      if (host.free().amount(each) < demand.amount(each)) {
        return false;
      }
    }
    return true;
  }
}
