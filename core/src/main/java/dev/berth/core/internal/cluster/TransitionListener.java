package dev.berth.core.internal.cluster;

import dev.berth.api.InstanceState;

/**
 * Follows the transitions of the {@link Cluster}, to keep instances in order. Called at each
 * transition, also if a pass makes it tentatively or undoes it.
 *
 * <p>A transition has two halves. {@link #rekey} calls parts of the policy and may throw; then the
 * transition does not happen. The other methods only move instances by their keys, and do not
 * throw.
 */
public interface TransitionListener {

  /** Ignores all transitions. */
  TransitionListener NONE =
      new TransitionListener() {
        @Override
        public void joined(HostRecord host) {}

        @Override
        public void left(HostRecord host) {}

        @Override
        public void changed(HostRecord host) {}

        @Override
        public boolean mayMoveTo(InstanceRecord instance, HostRecord host) {
          return true;
        }

        @Override
        public void rekey(InstanceRecord instance) {}

        @Override
        public void isPending(InstanceRecord instance) {}

        @Override
        public void leavesQueue(InstanceRecord instance) {}

        @Override
        public void isOnHost(InstanceRecord instance, HostRecord host) {}

        @Override
        public void leavesHost(
            InstanceRecord instance, HostRecord host, InstanceState formerState) {}
      };

  /** A host has joined, empty. */
  void joined(HostRecord host);

  /** A host has left; its slot is not reused yet. */
  void left(HostRecord host);

  /**
   * A host has opened or closed, or its capacity, its attributes or its foreign load have changed.
   * Its version changes next.
   */
  void changed(HostRecord host);

  /**
   * Returns whether the policy allows an instance on a host, apart from the laws. May throw what
   * parts of the policy throw.
   */
  boolean mayMoveTo(InstanceRecord instance, HostRecord host);

  /**
   * Computes the keys of an instance for its present state, into {@code nextQueueKey} and {@code
   * nextVictimKey}. May throw what parts of the policy throw.
   */
  void rekey(InstanceRecord instance);

  /** An instance is pending now, with the keys of that state. */
  void isPending(InstanceRecord instance);

  /** An instance is no longer pending; it still has the keys of that state. */
  void leavesQueue(InstanceRecord instance);

  /** An instance is starting or running on a host now, with the keys of that state. */
  void isOnHost(InstanceRecord instance, HostRecord host);

  /** An instance left a host or its state there; it still has the keys of that state. */
  void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState);
}
