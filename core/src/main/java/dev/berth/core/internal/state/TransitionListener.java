package dev.berth.core.internal.state;

import dev.berth.api.InstanceState;

/**
 * What follows the transitions of the {@link ClusterState}, to keep something ordered. Called at
 * each transition, also those that a pass makes tentatively or undoes.
 *
 * <p>A transition has two halves. {@link #rekey} asks the policy's parts and may throw; then
 * nothing has happened. The others only move what has its keys, and do not throw.
 */
public interface TransitionListener {

  /** Follows nothing. */
  TransitionListener NONE =
      new TransitionListener() {
        @Override
        public void joined(HostRecord host) {}

        @Override
        public void left(HostRecord host) {}

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

  /** A host is gone; its slot is still its own. */
  void left(HostRecord host);

  /**
   * Works out the keys of an instance for the state it has now, into {@code nextQueueKey} and
   * {@code nextVictimKey}. May throw what the policy's parts throw.
   */
  void rekey(InstanceRecord instance);

  /** An instance is pending now; its keys are those for that. */
  void isPending(InstanceRecord instance);

  /** An instance is pending no more; its keys are still those of when it was. */
  void leavesQueue(InstanceRecord instance);

  /** An instance is starting or running on a host now; its keys are those for that. */
  void isOnHost(InstanceRecord instance, HostRecord host);

  /** An instance left a host or its state there; its keys are still those of when it was. */
  void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState);
}
