package dev.berth.core.internal.pipeline;

import com.google.common.math.LongMath;
import dev.berth.api.Reason;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.pass.Pass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The pending requests that never ran, by the latest time at which each must start to meet its
 * deadline, by its estimated run time. A pass rejects those that have missed it.
 */
final class LatestStarts {

  private final TreeSet<InstanceRecord> requests =
      new TreeSet<>(
          Comparator.comparingLong(LatestStarts::latestStart)
              .thenComparingLong(each -> each.sequence));

  void add(InstanceRecord instance) {
    if (instance.placements() == 0 && isBound(instance)) {
      requests.add(instance);
    }
  }

  void remove(InstanceRecord instance) {
    if (isBound(instance)) {
      requests.remove(instance);
    }
  }

  /** Rejects the requests that can no longer end in time, in queue order. */
  void rejectLate(Pass pass, long now, Comparator<InstanceRecord> order) {
    List<InstanceRecord> late = new ArrayList<>();
    for (InstanceRecord each : requests) {
      if (latestStart(each) >= now) {
        break;
      }
      late.add(each);
    }
    late.sort(order);
    for (InstanceRecord each : late) {
      long overdue = LongMath.saturatedSubtract(now - each.admittedAt(), spare(each));
      pass.actions().reject(each, new Reason.DeadlineUnreachable(overdue));
    }
  }

  private static boolean isBound(InstanceRecord instance) {
    return instance.request.deadline().isPresent()
        && instance.request.estimatedRunTime().isPresent();
  }

  private static long latestStart(InstanceRecord instance) {
    return LongMath.saturatedAdd(instance.admittedAt(), spare(instance));
  }

  /** Returns the deadline less the estimate. Both are positive. */
  private static long spare(InstanceRecord instance) {
    return instance.request.deadline().orElseThrow()
        - instance.request.estimatedRunTime().orElseThrow();
  }
}
