package dev.berth.policies.baselines;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import java.util.ArrayList;
import java.util.List;

/** A host on which a trial placed requests. */
final class PackedHost {

  private final Host host;
  private final long[] free; // now, by dimension
  private final long[] before; // the same without the requests of the trial
  private final List<PackedKind> placed = new ArrayList<>(); // by request

  PackedHost(Host host, List<Dimension> dimensions) {
    this.host = host;
    this.free = dimensions.stream().mapToLong(host::free).toArray();
    this.before = free.clone();
  }

  void add(PackedKind kind) {
    placed.add(kind);
    for (int d = 0; d < before.length; d++) {
      before[d] += kind.demand[d];
    }
  }

  /** Returns how many requests of a kind it could have taken at most, if others were elsewhere. */
  long places(PackedKind kind) {
    if (!kind.mayRunOn(host)) {
      return 0;
    }
    long most = kind.apart ? 1 : kind.members;
    boolean hasRoom = true;
    for (int d = 0; d < free.length; d++) {
      if (kind.demand[d] > 0) {
        hasRoom &= kind.demand[d] <= free[d];
        most = Math.min(most, before[d] / kind.demand[d]);
      }
    }
    if (hasRoom) { // so something else keeps more of them off, and no order changes that
      return placed.stream().filter(each -> each == kind).count();
    }
    return kind.apart && heldSiblingOf(kind) ? 0 : most;
  }

  private boolean heldSiblingOf(PackedKind kind) {
    long now =
        host.instances().stream().filter(each -> each.request().job().equals(kind.job)).count();
    return now > placed.stream().filter(each -> each.job.equals(kind.job)).count();
  }
}
