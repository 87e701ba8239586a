package dev.berth.core.faults;

import org.jspecify.annotations.Nullable;

/** Work on a scheduler in which a step may fail, and the law that must hold then. */
public interface Trial {

  /** Makes the scheduler, or another one. No step of it fails. */
  void prepare();

  /** Does the work. */
  void run();

  /**
   * Requires that the work was undone, or that the scheduler has failed.
   *
   * @param thrown what the work threw, or null
   * @param when for messages
   * @return whether the work was undone
   */
  boolean check(@Nullable Throwable thrown, String when);
}
