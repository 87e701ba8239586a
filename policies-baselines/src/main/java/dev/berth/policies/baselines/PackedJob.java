package dev.berth.policies.baselines;

import java.util.BitSet;

/** Where a job with anti-affinity has instances. */
final class PackedJob {

  private final BitSet before = new BitSet(); // hosts with an instance before the pass
  private final BitSet refusingBefore = new BitSet(); // hosts with one that refuses to share
  private final BitSet present = new BitSet(); // hosts with an instance by now
  private final BitSet refusing = new BitSet();

  /** Notes an instance that is on a host before the pass. */
  void holds(int host, boolean refuses) {
    before.set(host);
    refusingBefore.set(host, refusingBefore.get(host) || refuses);
    add(host, refuses);
  }

  /** Notes an instance that the packing puts on a host. */
  void add(int host, boolean refuses) {
    present.set(host);
    refusing.set(host, refusing.get(host) || refuses);
  }

  /** Forgets what the packing put on a host. */
  void reset(int host) {
    present.set(host, before.get(host));
    refusing.set(host, refusingBefore.get(host));
  }

  /** Returns whether a request of this job cannot be on a host because of those there now. */
  boolean keepsOff(int host, boolean refuses) {
    return refuses ? present.get(host) : refusing.get(host);
  }

  /** Returns whether a request cannot be on a host because of instances from before the pass. */
  boolean keptOffBefore(int host, boolean refuses) {
    return refuses ? before.get(host) : refusingBefore.get(host);
  }
}
