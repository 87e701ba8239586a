package dev.berth.core.internal.cluster;

import dev.berth.core.internal.digest.TrackedRecord;
import org.jspecify.annotations.Nullable;

/** Instances that were submitted together: a bag of tasks or a group. */
public abstract class Batch extends TrackedRecord {

  private @Nullable String itsCluster;

  /** Returns the cluster whose hosts its instances must be on, or null: any. */
  public final @Nullable String itsCluster() {
    return itsCluster;
  }

  protected final void mustBeOn(@Nullable String cluster) {
    itsCluster = cluster;
  }

  /** Returns its id. */
  public abstract String id();
}
