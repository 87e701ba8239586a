package dev.berth.kubernetes.binding;

/** How many pods of a PodGroup must start together. */
sealed interface GroupSize {

  /** At least so many. */
  record AtLeast(int pods) implements GroupSize {}

  /**
   * It cannot be said, so the pods wait.
   *
   * @param why for people
   */
  record Unknown(String why) implements GroupSize {}
}
