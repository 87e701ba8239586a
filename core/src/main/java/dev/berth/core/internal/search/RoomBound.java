package dev.berth.core.internal.search;

/**
 * Excludes instances that certainly find no room now. It may keep instances that find none.
 *
 * <p>Monotone: if it keeps an instance, it keeps each instance that needs less and runs for less.
 */
@FunctionalInterface
public interface RoomBound {

  /** Excludes no instance. */
  RoomBound NONE = (need, runTime) -> true;

  /**
   * Returns whether an instance may find room.
   *
   * @param need the least amounts that it can be granted, by dimension; dimensions beyond the
   *     length are not limited
   * @param runTime its shortest run
   */
  boolean mayFit(long[] need, long runTime);
}
