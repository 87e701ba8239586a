package dev.berth.core.internal.pass;

import dev.berth.api.Reason;
import dev.berth.api.Taint;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.HostTaints;
import dev.berth.core.internal.state.InstanceRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Evicts the instances that have stayed on hosts as long as their taints allow, in one pass, before
 * the policy runs: by id of their host, then in order of admission. An instance stays while the
 * disruption budget of its job protects it.
 *
 * <p>Cost O(hosts with taints that make instances leave), and O(instances there) for each host that
 * has changed or where the time of an instance is over.
 */
final class TaintStep {

  private final Pass pass;
  private final ClusterState state;

  TaintStep(Pass pass, ClusterState state) {
    this.pass = pass;
    this.state = state;
  }

  /** Acts on all hosts with such taints. */
  void run() {
    for (HostRecord each : List.copyOf(state.expelling())) {
      HostTaints taints = each.tainted;
      if (taints != null && taints.firstDeparture(each.version, each.residents) <= state.now()) {
        expel(each, taints);
      }
    }
  }

  private void expel(HostRecord host, HostTaints taints) {
    List<InstanceRecord> leaving = new ArrayList<>(host.residents);
    leaving.sort(InstanceRecord.BY_ADMISSION);
    for (InstanceRecord each : leaving) {
      Taint why = taints.expelling(each.request, state.now());
      // A budget may protect it. Otherwise, the next pass tries again.
      if (why != null && PassGuard.protection(each) == null) {
        pass.requireRunning();
        pass.evict(each, new Reason.Expelled(host.id(), why));
      }
    }
  }
}
