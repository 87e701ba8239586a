package dev.berth.core.internal.host;

import dev.berth.api.Reason;
import dev.berth.api.Taint;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.Departures;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTaints;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Evicts the instances that have stayed on hosts as long as their taints allow, in one pass, before
 * the policy runs: by id of their host, then in order of admission. An instance stays while the
 * disruption budget of its job protects it, unless its host cannot be reached: then the disruption
 * has happened.
 *
 * <p>Cost O(hosts with taints that make instances leave), and O(instances there) for each host that
 * has changed or where the time of an instance is over.
 */
public final class TaintStep {

  private final Departures pass;
  private final Cluster cluster;

  /** Prepares the step of a pass. */
  public TaintStep(Departures pass, Cluster cluster) {
    this.pass = pass;
    this.cluster = cluster;
  }

  /** Acts on all hosts with such taints. */
  public void run() {
    for (HostRecord each : List.copyOf(cluster.expelling())) {
      HostTaints taints = each.tainted();
      if (taints != null
          && taints.firstDeparture(each.version(), each.residents) <= cluster.now()) {
        expel(each, taints);
      }
    }
  }

  private void expel(HostRecord host, HostTaints taints) {
    List<InstanceRecord> leaving = new ArrayList<>(host.residents);
    leaving.sort(InstanceRecord.BY_ADMISSION);
    for (InstanceRecord each : leaving) {
      Taint why = taints.expelling(each.request, cluster.now());
      // A budget may protect it. Otherwise, the next pass tries again.
      if (why != null && (host.isUnreachable() || BudgetRecord.protection(each) == null)) {
        pass.requireRunning();
        pass.evict(each, new Reason.Expelled(host.id(), why));
      }
    }
  }
}
