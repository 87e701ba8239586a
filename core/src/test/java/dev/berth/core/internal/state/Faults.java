package dev.berth.core.internal.state;

import dev.berth.api.InstanceState;
import java.util.function.Supplier;

/** Lets one step of the changes of a cluster fail. Steps are counted from 0. */
public final class Faults {

  private final Supplier<? extends Throwable> failure;
  private int left;
  private boolean happened;

  private Faults(int step, Supplier<? extends Throwable> failure) {
    this.left = step;
    this.failure = failure;
  }

  /**
   * Runs work, in which that step throws, and removes itself. Returns whether there was such a
   * step.
   */
  public static boolean at(
      int step, Supplier<? extends Throwable> failure, ClusterState state, Runnable work) {
    Faults faults = new Faults(step, failure);
    TransitionListener listener = state.index;
    state.index = faults.before(listener);
    state.onStep = faults::step;
    try {
      work.run();
    } finally {
      state.index = listener;
      state.onStep = null;
    }
    return faults.happened;
  }

  private void step() {
    if (left-- == 0) {
      happened = true;
      Faults.<RuntimeException>sneak(failure.get());
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }

  private TransitionListener before(TransitionListener listener) {
    return new TransitionListener() {
      @Override
      public void joined(HostRecord host) {
        step();
        listener.joined(host);
      }

      @Override
      public void left(HostRecord host) {
        step();
        listener.left(host);
      }

      @Override
      public void rekey(InstanceRecord instance) {
        step();
        listener.rekey(instance);
      }

      @Override
      public void isPending(InstanceRecord instance) {
        step();
        listener.isPending(instance);
      }

      @Override
      public void leavesQueue(InstanceRecord instance) {
        step();
        listener.leavesQueue(instance);
      }

      @Override
      public void isOnHost(InstanceRecord instance, HostRecord host) {
        step();
        listener.isOnHost(instance, host);
      }

      @Override
      public void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
        step();
        listener.leavesHost(instance, host, formerState);
      }
    };
  }
}
