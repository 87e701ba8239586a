package dev.berth.policies.qos;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.ArrayList;
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

  private void placeGuests(SchedulingPass pass) {
    List<Host> open = new ArrayList<>(pass.hosts());
    open.removeIf(FulfilmentPolicy::isFull);
    Set<Resources> tooLarge = new HashSet<>();
    for (Instance each : pass.pending()) {
      if (!selection.sheds(each)) {
        continue;
      }
      if (tooLarge.contains(each.request().demand())) {
        pass.defer(each, SHED);
        continue;
      }
      Host host = choose(pass, each, open);
      if (host == null) {
        if (open.stream().noneMatch(some -> hasRoom(some, each.request().demand()))) {
          tooLarge.add(each.request().demand());
        }
        pass.defer(each, SHED);
      } else {
        pass.place(each, host);
      }
    }
  }

  private static boolean isFull(Host host) {
    Resources free = host.free();
    return free.dimensions().stream().allMatch(each -> free.amount(each) == 0);
  }

  private static @Nullable Host choose(SchedulingPass pass, Instance instance, List<Host> open) {
    Host chosen = null;
    long greatest = 0;
    for (Host each : open) {
      if (hasRoom(each, instance.request().demand())
          && pass.obstacle(instance, each, List.of()).isEmpty()) {
        long hash = pass.tieBreak(instance, each);
        if (chosen == null || hash > greatest) {
          chosen = each;
          greatest = hash;
        }
      }
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
