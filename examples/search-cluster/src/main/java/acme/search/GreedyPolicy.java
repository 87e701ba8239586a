package acme.search;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Taint;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.util.List;

/**
 * The plain way as a policy of Berth, to compare with: for each pending instance it asks for the
 * obstacle on each open host, and takes the host with the greatest free share of those without.
 */
final class GreedyPolicy implements Policy {

  @Override
  public void schedule(SchedulingPass pass) {
    List<Host> hosts = pass.openHosts();
    for (Instance each : pass.pending()) {
      Host best = best(pass, each, hosts);
      if (best != null) {
        pass.place(each, best);
      }
    }
  }

  private static Host best(SchedulingPass pass, Instance instance, List<Host> hosts) {
    Host best = null;
    for (Host each : hosts) {
      if (pass.obstacle(instance, each, List.of()).isEmpty()
          && (best == null || isBetter(each, best, instance))) {
        best = each;
      }
    }
    return best;
  }

  private static boolean isBetter(Host one, Host other, Instance instance) {
    boolean discourages = discourages(one);
    return discourages == discourages(other)
        ? score(one, instance) > score(other, instance)
        : !discourages;
  }

  private static boolean discourages(Host host) {
    for (Taint each : host.taints()) {
      if (each.effect() == Taint.Effect.PREFER_NOT) {
        return true;
      }
    }
    return false;
  }

  private static double score(Host host, Instance instance) {
    Dimension disk = SearchCluster.DISK;
    long free = host.free(disk) - instance.request().demand().amount(disk);
    return (double) free / host.capacity().amount(disk);
  }
}
