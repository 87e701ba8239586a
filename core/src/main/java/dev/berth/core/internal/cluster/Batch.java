package dev.berth.core.internal.cluster;

import dev.berth.core.internal.digest.TrackedRecord;
import org.jspecify.annotations.Nullable;

/** Instances that were submitted together: a bag of tasks or a group. */
public abstract class Batch extends TrackedRecord {

  /** The cluster whose hosts its instances must be on; null: any. */
  public @Nullable String cluster;

  /** Returns its id. */
  public abstract String id();
}
