package dev.berth.core.internal.host;

import com.google.common.math.LongMath;
import dev.berth.api.InstanceState;
import dev.berth.api.plan.Action;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The running instances whose run time is limited, by the time at which it is over. It follows the
 * transitions of instances at O(log n) each.
 */
public final class RunLimits {

  private static final long AGAIN_AFTER = Action.Stop.AGAIN_AFTER.toNanos();

  private final TreeSet<Run> runs =
      new TreeSet<>(
          Comparator.comparingLong(Run::end).thenComparingLong(each -> each.instance.sequence));

  /**
   * A run.
   *
   * @param end when its time is over
   */
  private record Run(InstanceRecord instance, long end) {

    static Run of(InstanceRecord instance, long since, long served) {
      long left = left(instance, served);
      return new Run(instance, Math.max(LongMath.saturatedAdd(since, left), instance.stopAfter()));
    }
  }

  /** Creates the limits of an empty cluster. */
  public RunLimits() {}

  /**
   * Returns how long an instance may run, from the start of a run; {@link Long#MAX_VALUE} without a
   * limit.
   *
   * @param served its service before that run
   */
  public static long left(InstanceRecord instance, long served) {
    long limit = instance.request.maxRunTime().orElse(Long.MAX_VALUE);
    boolean isLimited = limit != Long.MAX_VALUE;
    return isLimited && !instance.request.losesProgress() ? Math.max(0, limit - served) : limit;
  }

  /** Follows an instance that came to a host, or to its present state there. */
  public void isOnHost(InstanceRecord instance) {
    if (isLimited(instance, instance.state())) {
      runs.add(Run.of(instance, instance.stateSince(), instance.served()));
    }
  }

  /** Follows an instance that left a host, or its former state there. */
  public void leavesHost(InstanceRecord instance, SavedInstance former) {
    if (isLimited(instance, former.state())) {
      runs.remove(Run.of(instance, former.stateSince(), former.served()));
    }
  }

  private static boolean isLimited(InstanceRecord instance, InstanceState inState) {
    return inState == InstanceState.RUNNING && instance.request.maxRunTime().isPresent();
  }

  /** Lets a running instance, which its fleet could not stop, run on for a time. */
  public void postpone(InstanceRecord running, long now) {
    runs.remove(Run.of(running, running.stateSince(), running.served()));
    running.stopAfter(LongMath.saturatedAdd(now, AGAIN_AFTER));
    isOnHost(running);
  }

  /** Returns when the next one is to stop; {@link Long#MAX_VALUE} if none is. */
  public long next() {
    return runs.isEmpty() ? Long.MAX_VALUE : runs.first().end;
  }

  /** Returns those that are to stop by a time, in the order in which their time was over. */
  public List<InstanceRecord> over(long now) {
    if (next() > now) {
      return List.of(); // as in almost every pass
    }
    List<InstanceRecord> over = new ArrayList<>();
    for (Run each : runs) {
      if (each.end > now) {
        break;
      }
      over.add(each.instance);
    }
    return over;
  }
}
