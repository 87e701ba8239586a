package dev.berth.experiments.queue;

import dev.berth.api.Moldability;
import dev.berth.api.Slowdown;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A plain simulator of a batch queue on one host: a reference for the queue disciplines. It follows
 * their description and shares no code with the engine.
 *
 * <p>At each instant, jobs end, then jobs arrive, then jobs of the queue start. The amounts of a
 * job are whole numbers, the CPU first.
 */
final class PlainQueue {

  /** The start of a job that never starts, and the end of one that never ends. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int CPU = 0;
  private static final double ROUNDING = 1e-9;

  /**
   * A job.
   *
   * @param id decides between jobs that are otherwise equal
   * @param arrival the time of its arrival
   * @param need the amount that it needs of each resource
   * @param runTime its actual run time; positive
   * @param estimate its estimated run time, or {@link #NEVER} if there is none
   * @param deadline the time at which it should have ended, or {@link #NEVER} if there is none
   * @param moldability how its run time grows with fewer cores, or null if it needs all
   */
  @SuppressWarnings("ArrayRecordComponent") // jobs compare by their ids
  record Job(
      String id,
      long arrival,
      long[] need,
      long runTime,
      long estimate,
      long deadline,
      @Nullable Moldability moldability) {

    @Override
    public String toString() {
      return "%s: arrives %s, needs %s, runs %s, estimate %s, deadline %s%s"
          .formatted(
              id,
              arrival,
              Arrays.toString(need),
              runTime,
              estimate == NEVER ? "none" : estimate,
              deadline == NEVER ? "none" : deadline,
              moldability == null ? "" : ", moldable");
    }
  }

  /**
   * The rules of a queue.
   *
   * @param order the order of the queue
   * @param backfill which jobs may overtake its head
   * @param maxSlowdown the factor by which molding may prolong the head; 1 for no molding
   * @param core the amount of CPU that is one core
   */
  record Rules(QueueDiscipline order, Backfill backfill, double maxSlowdown, long core) {}

  /** A stay of a job on the host; the expected end is by its estimate. */
  @SuppressWarnings("ArrayRecordComponent") // stays compare by their times and jobs
  record Stay(Job job, long[] held, long start, long end, long expectedEnd) {}

  private final Rules rules;
  private final long[] capacity;
  private final long[] free;
  private final TreeSet<Job> queue;
  private final TreeMap<Long, Integer> widths = new TreeMap<>(); // of the jobs in the queue
  private final PriorityQueue<Stay> byEnd =
      new PriorityQueue<>(Comparator.comparingLong(Stay::end));
  private final TreeSet<Stay> byExpectedEnd =
      new TreeSet<>(Comparator.comparingLong(Stay::expectedEnd).thenComparing(it -> it.job.id));
  private final List<Stay> all = new ArrayList<>();
  private long now;

  private PlainQueue(Rules rules, long[] capacity) {
    this.rules = rules;
    this.capacity = capacity;
    this.free = capacity.clone();
    this.queue =
        new TreeSet<>(
            Comparator.comparingLong(this::key)
                .thenComparingLong(Job::arrival)
                .thenComparing(Job::id));
  }

  /**
   * Returns the stays of all jobs that ever start, in the order in which they start.
   *
   * @param jobs in order of arrival
   */
  static List<Stay> run(List<Job> jobs, long[] capacity, Rules rules) {
    PlainQueue host = new PlainQueue(rules, capacity);
    int next = 0;
    while (next < jobs.size() || !host.byEnd.isEmpty()) {
      long arrival = next < jobs.size() ? jobs.get(next).arrival : NEVER;
      long end = host.byEnd.isEmpty() ? NEVER : host.byEnd.peek().end;
      host.now = Math.min(arrival, end);
      while (!host.byEnd.isEmpty() && host.byEnd.peek().end == host.now) {
        host.end(host.byEnd.remove());
      }
      for (; next < jobs.size() && jobs.get(next).arrival == host.now; next++) {
        host.queue.add(jobs.get(next));
        host.widths.merge(jobs.get(next).need[CPU], 1, Integer::sum);
      }
      host.startJobs();
    }
    return host.all;
  }

  private long key(Job job) {
    return switch (rules.order) {
      case FIFO -> job.arrival;
      case EDF -> job.deadline;
      case SJF -> job.estimate;
      case SGF ->
          job.deadline == NEVER || job.estimate == NEVER ? NEVER : job.deadline - job.estimate;
      case FCF -> job.need[CPU];
    };
  }

  // ---- The disciplines

  /** Starts jobs of the queue, at the present time. */
  private void startJobs() {
    Job head = null;
    Shadow shadow = null; // of the head, if the discipline is EASY
    Profile profile = null; // if the discipline is conservative
    Iterator<Job> jobs = queue.iterator();
    TreeMap<Long, Integer> ahead = mayStart(widths) ? new TreeMap<>(widths) : widths;
    while (jobs.hasNext() && mayStart(ahead)) {
      Job job = jobs.next();
      removeWidth(job, ahead);
      boolean fits = isWithin(job.need, free);
      if (fits
          && (shadow == null || shadow.allows(job))
          && (profile == null || profile.hasRoomNow(job))) {
        Stay stay = start(job, job.need);
        jobs.remove();
        if (shadow != null) {
          shadow.take(stay);
        }
        if (profile != null) {
          profile.take(stay.held, now, stay.expectedEnd);
        }
        continue;
      }
      long[] molded = head == null && !fits ? molded(job, free) : null;
      if (molded != null && isWithin(molded, free)) {
        start(job, molded);
        jobs.remove();
        continue;
      }
      long[] whole = onEmptyHost(job);
      if (whole == null) {
        continue; // no job waits for one that never fits
      }
      if (rules.backfill == Backfill.NONE) {
        return;
      }
      if (rules.backfill == Backfill.EASY && head == null) {
        shadow = new Shadow(whole);
      }
      if (rules.backfill == Backfill.CONSERVATIVE) {
        profile = profile == null ? new Profile() : profile;
        profile.reserve(job, whole);
      }
      head = head == null ? job : head;
    }
  }

  /** Returns whether the narrowest of some jobs has the cores that it needs. */
  private boolean mayStart(NavigableMap<Long, Integer> jobs) {
    return rules.maxSlowdown > 1 || (!jobs.isEmpty() && jobs.firstKey() <= free[CPU]);
  }

  private static void removeWidth(Job job, Map<Long, Integer> from) {
    from.computeIfPresent(job.need[CPU], (width, jobs) -> jobs == 1 ? null : jobs - 1);
  }

  /** When the head of the queue has room, by the estimates, and what it then leaves to others. */
  private final class Shadow {

    private final long at;
    private long[] extra = free.clone();

    Shadow(long[] head) {
      long time = now;
      for (Stay each : byExpectedEnd) {
        long end = Math.max(each.expectedEnd, now + 1); // late jobs may end at any moment
        if (end > time && isWithin(head, extra)) {
          break;
        }
        time = end;
        if (time == NEVER) {
          break;
        }
        add(each.held, extra);
      }
      this.at = isWithin(head, extra) ? time : NEVER;
      if (at == NEVER) { // it may start at any end, so others get what it could never use
        extra = free.clone();
      }
      subtract(head, extra);
    }

    boolean allows(Job job) {
      return (at != NEVER && expectedEnd(job, job.need, now) <= at) || isWithin(job.need, extra);
    }

    void take(Stay stay) {
      if (at == NEVER || stay.expectedEnd > at) {
        subtract(stay.held, extra);
      }
    }
  }

  /** The free amounts from now on, by the estimates and the reservations. */
  private final class Profile {

    private long[] from = new long[2 * byExpectedEnd.size() + 4]; // each span lasts to the next
    private long[][] left = new long[from.length][];
    private int size;

    Profile() {
      long[] amounts = free.clone();
      put(size, now, amounts);
      for (Stay each : byExpectedEnd) {
        long end = Math.max(each.expectedEnd, now + 1);
        if (end != NEVER) {
          amounts = amounts.clone();
          add(each.held, amounts);
          put(from[size - 1] == end ? --size : size, end, amounts);
        }
      }
    }

    private void put(int index, long time, long[] amounts) {
      if (size == from.length) {
        from = Arrays.copyOf(from, 2 * size);
        left = Arrays.copyOf(left, 2 * size);
      }
      System.arraycopy(from, index, from, index + 1, size - index);
      System.arraycopy(left, index, left, index + 1, size - index);
      from[index] = time;
      left[index] = amounts;
      size++;
    }

    boolean hasRoomNow(Job job) {
      long until = expectedEnd(job, job.need, now);
      for (int i = 0; i < size && from[i] < until; i++) {
        if (!isWithin(job.need, left[i])) {
          return false;
        }
      }
      return true;
    }

    /**
     * Reserves the earliest time at which a job has room until its expected end. If there is none,
     * it may start at any end, so others get what it could never use.
     */
    void reserve(Job job, long[] need) {
      long start = NEVER;
      long until = NEVER;
      for (int i = 0; i < size && from[i] < until; i++) {
        if (!isWithin(need, left[i])) {
          start = NEVER;
          until = NEVER;
        } else if (start == NEVER) {
          start = from[i];
          until = expectedEnd(job, need, start);
        }
      }
      take(need, start == NEVER ? now : start, until);
    }

    void take(long[] need, long start, long until) {
      int last = split(start);
      for (split(until); last < size && from[last] < until; last++) {
        subtract(need, left[last]);
      }
    }

    /** Makes a span begin at a time; returns its index. */
    private int split(long time) {
      int index = Arrays.binarySearch(from, 0, size, time);
      if (index < 0) {
        index = -index - 1;
        put(index, time, left[index - 1].clone());
      }
      return index;
    }
  }

  // ---- Jobs

  private Stay start(Job job, long[] held) {
    long end = now + slowdown(job, held).timeFor(job.runTime);
    Stay stay = new Stay(job, held, now, end, expectedEnd(job, held, now));
    subtract(held, free);
    byEnd.add(stay);
    byExpectedEnd.add(stay);
    all.add(stay);
    removeWidth(job, widths);
    return stay;
  }

  private void end(Stay stay) {
    byExpectedEnd.remove(stay);
    add(stay.held, free);
  }

  private static long expectedEnd(Job job, long[] held, long start) {
    return job.estimate == NEVER ? NEVER : start + slowdown(job, held).timeFor(job.estimate);
  }

  private static Slowdown slowdown(Job job, long[] held) {
    return job.moldability == null || held[CPU] == job.need[CPU]
        ? Slowdown.NONE
        : job.moldability.slowdown((double) held[CPU] / job.need[CPU]);
  }

  /** Returns what a job would hold on the empty host, or null if it would not fit. */
  private long @Nullable [] onEmptyHost(Job job) {
    long[] held = job.need[CPU] > capacity[CPU] ? molded(job, capacity) : job.need;
    return held != null && isWithin(held, capacity) ? held : null;
  }

  /** Returns the need of a job with the whole cores among given ones; null if they are too few. */
  private long @Nullable [] molded(Job job, long[] amounts) {
    long cores = Math.min(amounts[CPU], job.need[CPU]) / rules.core * rules.core;
    if (job.moldability == null || rules.maxSlowdown == 1 || cores == 0) {
      return null;
    }
    double share = (double) cores / job.need[CPU];
    if (share < job.moldability.leastShare(rules.maxSlowdown) - ROUNDING) {
      return null;
    }
    long[] held = job.need.clone();
    held[CPU] = cores;
    return held;
  }

  private static boolean isWithin(long[] need, long[] amounts) {
    for (int i = 0; i < need.length; i++) {
      if (need[i] > 0 && need[i] > amounts[i]) {
        return false;
      }
    }
    return true;
  }

  private static void add(long[] amounts, long[] to) {
    for (int i = 0; i < amounts.length; i++) {
      to[i] += amounts[i];
    }
  }

  private static void subtract(long[] amounts, long[] from) {
    for (int i = 0; i < amounts.length; i++) {
      from[i] -= amounts[i];
    }
  }
}
