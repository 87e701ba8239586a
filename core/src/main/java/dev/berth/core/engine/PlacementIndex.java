package dev.berth.core.engine;

/**
 * What follows the transitions of the {@link ClusterState}, to keep something ordered. Called at
 * each transition, also those that a pass makes tentatively or undoes.
 */
interface PlacementIndex {

  /** Follows nothing. */
  PlacementIndex NONE =
      new PlacementIndex() {
        @Override
        public void joined(HostRecord host) {}

        @Override
        public void isPending(InstanceRecord instance) {}

        @Override
        public void leavesQueue(InstanceRecord instance) {}

        @Override
        public void isOnHost(InstanceRecord instance, long now) {}

        @Override
        public void leavesHost(InstanceRecord instance, long now) {}
      };

  /** A host has joined, empty. */
  void joined(HostRecord host);

  /** An instance is pending now. */
  void isPending(InstanceRecord instance);

  /** An instance is about to be pending no more. */
  void leavesQueue(InstanceRecord instance);

  /** An instance is starting or running on its host now. */
  void isOnHost(InstanceRecord instance, long now);

  /** An instance is about to leave its host or its state there. */
  void leavesHost(InstanceRecord instance, long now);
}
