package dev.berth.policies.metascheduling;

import dev.berth.api.Instance;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.List;
import java.util.Optional;

/**
 * Places each pending request immediately, one at a time, in order of admission (section 2). If the
 * chosen site cannot take a request, it chooses again among the sites that can; if none can, the
 * request waits. It never preempts, and no request waits while a host has room for it.
 */
record ImmediatePolicy(SiteChoice choice) implements Policy {
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

  /**
   * What a choice keeps are caches, by the versions of the hosts; hosts remember loads, completions
   * and histories. Each pass draws from a source of its own.
   */
  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(PolicyMemory.none());
  }

  private boolean decide(Instance instance, boolean last, Sites sites) {
    int site = choice.choose(instance, sites);
    boolean placed = sites.pass().place(instance, sites.hosts().get(site)).accepted();
    if (placed && !last) {
      choice.placed(site, sites); // not needed after the last one
    }
    return placed;
  }
}
