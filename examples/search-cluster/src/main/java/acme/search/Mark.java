package acme.search;

import dev.berth.api.Taint;
import java.time.Duration;
import java.util.List;

/** How full a disk is: the watermark that it has reached. */
enum Mark {
  /** Below all watermarks. */
  NONE(0),
  /** New copies come only if no other host may take them. */
  FILLING(80),
  /** No new copies come. */
  LOW(85),
  /** No new copies come, and some of those that are there must leave. */
  HIGH(90);

  /** How long a disk may stay above the high watermark before copies leave. */
  static final Duration GRACE = Duration.ofMinutes(10);

  private static final String KEY = "disk";

  /** The share of the disk from which on the mark holds, in percent. */
  final int percent;

  Mark(int percent) {
    this.percent = percent;
  }

  /** Returns the greatest mark that a disk has reached. */
  static Mark of(long used, long capacity) {
    Mark reached = NONE;
    for (Mark each : values()) {
      reached = used * 100 >= each.percent * capacity ? each : reached;
    }
    return reached;
  }

  /** Returns the taints of a host with this mark. */
  List<Taint> taints() {
    return switch (this) {
      case NONE -> List.of();
      case FILLING -> List.of(Taint.preferNot(KEY, "filling"));
      case LOW -> List.of(Taint.noNew(KEY, "low"));
      case HIGH -> List.of(Taint.leaveAfter(KEY, "high", GRACE));
    };
  }
}
