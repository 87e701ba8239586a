package dev.berth.policies.metascheduling;

import dev.berth.api.Instance;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.util.List;

/**
 * Decides each pending request at once, one at a time, in order of admission (section 2). Where the
 * chosen site cannot take it, the choice is made again among those that can; where none can, the
 * request waits. Never preempts, never lets a request wait that some host has room for.
 */
final class ImmediatePolicy implements Policy {

  private final SiteChoice choice;

  ImmediatePolicy(SiteChoice choice) {
    this.choice = choice;
  }

  @Override
  public void schedule(SchedulingPass pass) {
    List<Instance> pending = pass.pending();
    Sites sites = new Sites(pass);
    if (pending.isEmpty() || sites.size() == 0) {
      return;
    }
    choice.begin(sites);
    for (int i = 0; i < pending.size(); i++) {
      boolean last = i == pending.size() - 1;
      if (!decide(pending.get(i), last, sites)) {
        sites.closeWhereNoRoom(pending.get(i));
        if (sites.open() > 0) {
          decide(pending.get(i), last, sites);
        }
        sites.openAll();
      }
    }
  }

  private boolean decide(Instance instance, boolean last, Sites sites) {
    int site = choice.choose(instance, sites);
    boolean placed = sites.pass().place(instance, sites.hosts().get(site)).accepted();
    if (placed && !last) {
      choice.placed(site, sites); // after the last one nobody asks
    }
    return placed;
  }
}
