package dev.berth.core.internal.state;

import org.jspecify.annotations.Nullable;

/** The state of an instance before an action, for undoing the action. */
public class Before {

  @Nullable InstanceRecord instance;
  final SavedInstance former = new SavedInstance();
  private long actedInPass;
  @Nullable String latestPlacement;
  long latestPlacementNumber;

  /** Returns the instance. */
  public final InstanceRecord subject() {
    if (instance == null) {
      throw new IllegalStateException("this entry of the journal has no instance");
    }
    return instance;
  }

  /** Notes the present state of an instance. */
  public final void noteBefore(InstanceRecord subject, ClusterState state) {
    instance = subject;
    former.note(subject);
    actedInPass = subject.actedInPass;
    latestPlacement = state.latestPlacement;
    latestPlacementNumber = state.latestPlacementNumber;
  }

  /** Restores the state of the instance, within the pass of the action. */
  public final void restore(Transitions transitions) {
    InstanceRecord subject = subject();
    transitions.undo(subject, this);
    subject.actedInPass = actedInPass;
  }
}
