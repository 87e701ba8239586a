package dev.berth.core.internal.action;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import dev.berth.core.internal.undo.UndoLog;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The state of an instance before an action, for undoing the action. */
public class Before implements UndoLog.Step {

  /** Restores instances to what they were. */
  public interface Restorer {

    /** Returns the id of the host of the latest placement, or null before the first. */
    @Nullable String latestPlacement();

    /** Returns the number of the latest placement; 0 before the first. */
    long latestPlacementNumber();

    /** Restores the former state of an instance. */
    void undo(InstanceRecord instance, Before before);
  }

  @Nullable InstanceRecord instance;
  private @Nullable Restorer restorer;
  final SavedInstance former = new SavedInstance();
  private @Nullable String latestPlacement;
  private long latestPlacementNumber;

  /** Returns the instance. */
  public final InstanceRecord subject() {
    checkState(instance != null, "this entry of the log has no instance");
    return instance;
  }

  /** Returns the instance, or null if the action is on none. */
  public final @Nullable InstanceRecord instance() {
    return instance;
  }

  /** Returns the former state of the instance. */
  public final SavedInstance former() {
    return former;
  }

  /** Returns the id of the host of the placement before the action, or null. */
  public final @Nullable String latestPlacement() {
    return latestPlacement;
  }

  /** Returns the number of the placement before the action; 0 for none. */
  public final long latestPlacementNumber() {
    return latestPlacementNumber;
  }

  /** Notes the present state of an instance. */
  public final void noteBefore(InstanceRecord subject, Restorer with) {
    instance = subject;
    restorer = with;
    former.note(subject);
    latestPlacement = with.latestPlacement();
    latestPlacementNumber = with.latestPlacementNumber();
  }

  /** Has the placement that preceded another one precede this one. */
  public final void follows(Before other) {
    latestPlacement = other.latestPlacement;
    latestPlacementNumber = other.latestPlacementNumber;
  }

  /** Restores the state of the instance. */
  @Override
  public final void undo() {
    Objects.requireNonNull(restorer).undo(subject(), this);
  }
}
