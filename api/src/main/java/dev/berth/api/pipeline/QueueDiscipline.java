package dev.berth.api.pipeline;

import dev.berth.api.Dimension;
import dev.berth.api.Instance;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The common {@linkplain QueueOrder queue orders} of batch scheduling (MEMiC thesis, section 4.1).
 *
 * <p>Instances with equal keys are ordered by the importance of their class, then admission, then
 * id. An instance without the deadline or estimate that an order needs is last.
 */
public enum QueueDiscipline implements QueueOrder {
  /** First in, first out: by admission. */
  FIFO {
    @Override
    public long key(Instance pending) {
      return pending.admittedAt();
    }
  },
  /** Earliest deadline first. */
  EDF {
    @Override
    public long key(Instance pending) {
      return due(pending, 0);
    }
  },
  /** Shortest gap first; the gap is the deadline less the estimated run time. */
  SGF {
    @Override
    public long key(Instance pending) {
      OptionalLong estimate = pending.request().estimatedRunTime();
      return estimate.isEmpty() ? LAST : due(pending, estimate.getAsLong());
    }
  },
  /** Shortest job first, by the estimated run time. */
  SJF {
    @Override
    public long key(Instance pending) {
      return pending.request().estimatedRunTime().orElse(LAST);
    }
  },
  /** Fewest cores first. */
  FCF {
    @Override
    public long key(Instance pending) {
      return pending.request().demand().amountOf(Dimension.CPU.name());
    }
  };

  private static final long LAST = Long.MAX_VALUE;

  private static long due(Instance pending, long less) {
    OptionalLong deadline = pending.request().deadline();
    if (deadline.isEmpty()) {
      return LAST;
    }
    long left = deadline.getAsLong() - less; // both are positive
    long due = pending.admittedAt() + left;
    boolean overflows = ((pending.admittedAt() ^ due) & (left ^ due)) < 0;
    return overflows ? (left < 0 ? Long.MIN_VALUE : LAST) : due;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
