package dev.berth.core.internal.cluster;

import dev.berth.core.internal.digest.TrackedRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Instances that were submitted together: a bag of tasks or a group. */
public abstract class Batch extends TrackedRecord {

  public final long submission; // number of admissions before it
  private final Set<InstanceRecord> members = new LinkedHashSet<>(); // as they were admitted
  private final Collection<InstanceRecord> view = Collections.unmodifiableCollection(members);
  private int completed;
  private @Nullable String itsCluster;

  protected Batch(long submission) {
    this.submission = submission;
  }

  /** Returns the cluster whose hosts its instances must be on, or null: any. */
  public final @Nullable String itsCluster() {
    return itsCluster;
  }

  protected final void mustBeOn(@Nullable String cluster) {
    itsCluster = cluster;
  }

  /** Returns its id. */
  public abstract String id();

  /** Returns its members that are not done, in order of admission; a copy. */
  public final List<InstanceRecord> members() {
    return new ArrayList<>(members);
  }

  /** Returns its members that are not done, in order of admission; live. */
  public final Collection<InstanceRecord> present() {
    return view;
  }

  public final boolean isEmpty() {
    return members.isEmpty();
  }

  /** Returns how many of its members have completed. */
  public final int completed() {
    return completed;
  }

  public final void joins(InstanceRecord member) {
    members.add(member);
  }

  /** Removes a member that is done. */
  public void left(InstanceRecord member, boolean complete) {
    members.remove(member);
    completed += complete ? 1 : 0;
  }

  /** Brings back a member that was done. */
  public void returned(InstanceRecord member, boolean wasComplete) {
    completed -= wasComplete ? 1 : 0;
    List<InstanceRecord> later = members();
    later.removeIf(each -> each.sequence < member.sequence);
    members.add(member);
    for (InstanceRecord each : later) { // one by one, so that an error loses no other
      members.remove(each);
      members.add(each);
    }
  }

  /** Restores how many of its members have completed. */
  public final void restore(int membersCompleted) {
    completed = membersCompleted;
  }
}
