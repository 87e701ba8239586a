package dev.berth.api.policy;

import java.util.Map;

/**
 * What a policy keeps from pass to pass, as plain data. A scheduler saves it with its {@linkplain
 * Policy#memory snapshot} and restores it into a new policy of the same configuration, which then
 * decides as the old one would have.
 *
 * <p>A cache that changes no plan is no memory: the new policy computes it again. Nor is what the
 * cluster remembers, such as the usage of instances and the failures of pools.
 *
 * <p>Plain data consists of {@link String}, {@link Long}, {@link Double}, {@link Boolean}, {@link
 * java.util.List} and {@link Map} with text as keys. Nothing in it is null.
 */
public interface PolicyMemory {

  /**
   * Returns what the policy remembers, as plain data. The result depends on nothing else, so equal
   * memories are saved as equal data. Called between passes, before each pass, and for each
   * {@linkplain Policy#memory digest}, so it should cost little.
   */
  Map<String, Object> save();

  /**
   * Remembers what this policy, or another one of the same configuration, has saved; forgets all
   * else. Called before the first event and the first pass, and before a part of the policy is
   * asked for anything, if a scheduler is restored. Also called after the preview of a pass and
   * after a pass that failed, with what was saved before.
   *
   * @param saved what {@link #save} returned there, immutable
   * @throws IllegalArgumentException if it is no such data; the message says what is wrong
   */
  void restore(Map<String, Object> saved);

  /** Returns the memory of a policy that remembers nothing. */
  static PolicyMemory none() {
    return NoMemory.NONE;
  }
}
