package dev.berth.core.internal.state;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job with live instances: how many of them hold capacity on which host, and how many of those
 * refuse to share it.
 */
public final class JobRecord {

  public final String name;

  /** Instances of the job that are not done. */
  public int members;

  private int refusals; // by instances on hosts
  private final Map<HostRecord, Presence> presences = new HashMap<>(); // looked up, never iterated

  public JobRecord(String name) {
    this.name = name;
  }

  /**
   * Returns whether an instance of this job may come to a host, as far as its siblings there are
   * concerned.
   */
  public boolean admits(HostRecord host, boolean antiAffinity) {
    if (!antiAffinity && refusals == 0) {
      return true;
    }
    Presence there = presences.get(host);
    return there == null || !(antiAffinity || there.refused);
  }

  public void arrived(HostRecord host, boolean antiAffinity) {
    Presence there = presences.computeIfAbsent(host, h -> new Presence());
    there.instances++;
    there.refused |= antiAffinity;
    refusals += antiAffinity ? 1 : 0;
  }

  public void left(HostRecord host, boolean antiAffinity) {
    refusals -= antiAffinity ? 1 : 0;
    Presence there = presences.get(host);
    if (there == null) {
      throw new IllegalStateException("job " + name + " is not on " + host);
    }
    there.instances--;
    if (there.instances == 0) {
      presences.remove(host);
    }
  }

  /**
   * Returns the earliest admitted sibling on the host that stands in the way and is no victim, or
   * null.
   */
  public static @Nullable InstanceRecord inTheWay(
      InstanceRecord instance, HostRecord host, InstanceRecord[] victims, int count) {
    InstanceRecord first = null;
    for (InstanceRecord each : host.residents) {
      if (each.job == instance.job
          && (instance.antiAffinity || each.antiAffinity)
          && (first == null || each.sequence < first.sequence)
          && !contains(victims, count, each)) {
        first = each;
      }
    }
    return first;
  }

  private static boolean contains(InstanceRecord[] victims, int count, InstanceRecord wanted) {
    for (int i = 0; i < count; i++) {
      if (victims[i] == wanted) {
        return true;
      }
    }
    return false;
  }

  private static final class Presence {
    int instances;
    boolean refused; // by the one instance there
  }
}
