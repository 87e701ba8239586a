package dev.berth.core.internal.state;

import dev.berth.core.internal.undo.UndoLog;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The state of an instance before an action, for undoing the action. */
public class Before implements UndoLog.Step {

  @Nullable InstanceRecord instance;
  private @Nullable Transitions transitions;
  final SavedInstance former = new SavedInstance();
  private long actedInPass;
  @Nullable String latestPlacement;
  long latestPlacementNumber;

  /** Returns the instance. */
  public final InstanceRecord subject() {
    if (instance == null) {
      throw new IllegalStateException("this entry of the log has no instance");
    }
    return instance;
  }

  /** Notes the present state of an instance. */
  public final void noteBefore(InstanceRecord subject, Transitions ofCluster) {
    ClusterState state = ofCluster.state;
    instance = subject;
    transitions = ofCluster;
    former.note(subject);
    actedInPass = subject.actedInPass;
    latestPlacement = state.latestPlacement;
    latestPlacementNumber = state.latestPlacementNumber;
  }

  /** Restores the state of the instance, within the pass of the action. */
  @Override
  public final void undo() {
    InstanceRecord subject = subject();
    Objects.requireNonNull(transitions).undo(subject, this);
    subject.actedInPass = actedInPass;
  }
}
