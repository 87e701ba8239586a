package dev.berth.core.internal.undo;

import java.util.ArrayList;
import java.util.List;

/**
 * What a scheduler has done and may still undo, in order: the actions of a pass and what the pass
 * found, events that are only supposed, the requests of a bag or group that is submitted.
 *
 * <p>One log serves a scheduler. It is empty between two calls. Not thread-safe.
 */
public class UndoLog {

  private final List<Step> steps = new ArrayList<>();

  /** Something that was done. */
  @FunctionalInterface
  public interface Step {

    /** Undoes it, after all that was done later. */
    void undo();
  }

  /** Creates an empty log. */
  public UndoLog() {}

  /** Returns the number of steps, for {@link #undoTo}. */
  public final int size() {
    return steps.size();
  }

  /** Returns a step by its number, from 0. */
  public final Step get(int number) {
    return steps.get(number);
  }

  /**
   * Adds a step. Add it either before it is done, if undoing it then changes nothing, or within an
   * open change of the cluster, which an error in between leaves open.
   */
  public void add(Step step) {
    steps.add(step);
  }

  /** Undoes all steps since the log had a size, the latest first. */
  public final void undoTo(int mark) {
    while (steps.size() > mark) {
      removeLast().undo();
    }
  }

  /** Removes and returns the last step. */
  protected Step removeLast() {
    return steps.remove(steps.size() - 1);
  }

  /** Forgets all steps, which can no longer be undone. */
  public void clear() {
    steps.clear();
  }
}
