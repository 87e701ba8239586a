package dev.berth.kubernetes.config;

import java.util.Locale;

/**
 * What to do about pods that another scheduler has put on our nodes. Pods of DaemonSets and static
 * pods belong to their node and are no reason for anything but {@link #COUNT}.
 */
public enum ForeignPods {
  /** What they hold is taken off the capacity of the host. */
  COUNT,
  /** As {@link #COUNT}, and the scheduler warns about them. */
  WARN,
  /** As {@link #WARN}, and the host takes no new instance while it has such a pod. */
  CLOSE;

  /** Returns the name as it is written in a configuration. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
