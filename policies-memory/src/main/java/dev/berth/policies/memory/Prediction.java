package dev.berth.policies.memory;

import dev.berth.api.MemoryProfile;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Slowdown;
import java.util.Arrays;
import java.util.Optional;

/**
 * Predicts when jobs that share the memory of a host will end (section 5.4).
 *
 * <p>The thesis steps through time in cycles of a second and shares the memory anew every five
 * cycles. In order, each job gets its need at that point of its progress, or the rest. A job with
 * less than its need runs slower, as its performance-memory profile says, until memory is shared
 * again. A job without such a profile runs slower by the share it lacks. This class computes the
 * same result, to the cycle, but skips sharings at which nothing changes.
 *
 * <p>Each change of a need and each end of a job costs O(jobs), with little more than a comparison
 * per job. Once no job can lack memory, the ends follow directly, and the peak is computed only on
 * demand. Reuses scratch space; not thread-safe.
 */
public final class Prediction {

  /** One cycle, in nanoseconds: progress and ends are counted in these. */
  static final long CYCLE = 1_000_000_000L;

  /** The number of cycles between two sharings of memory. */
  static final int CYCLES_PER_SHARE = 5;

  /** The {@link #end} of a job that does not end within a year. */
  public static final long NEVER = Long.MAX_VALUE;

  static final long MOST_CYCLES = 365L * 24 * 3600;

  private static final long MILLION = 1_000_000;

  private final long horizon; // in cycles
  private int size;
  private Job[] jobs = new Job[8];
  private long[] endCycle = new long[8];

  // The jobs that are not done, in order, and their progress.
  private int left;
  private int[] alive = new int[8];
  private long[] mark = new long[8]; // when it is processed again: a new need, or the end
  private int[] step = new int[8]; // of its profile
  private long[] progress = new long[8]; // at the cycle in since
  private long[] since = new long[8];
  private long[] speed = new long[8]; // work in a cycle
  private long[] need = new long[8];
  private long[] lackingNeed = new long[8]; // when it last lacked memory
  private long[] lackingGrant = new long[8]; // its grant then; -1 if it has enough
  private long total; // of what they need
  private long capacity;
  private long cycle;
  private long next; // the next mark of any job
  private long peak;
  private boolean lacking;
  private boolean isPeakKnown = true;

  /**
   * A job on the host, or one that may be placed there.
   *
   * @param work total work, in nanoseconds at full speed, positive
   * @param done work already done, in the same unit; not negative
   * @param memory its memory profile
   * @param performance its run time with less memory, if known
   */
  public record Job(
      long work, long done, MemoryProfile memory, Optional<PerformanceMemoryProfile> performance) {

    /** Returns the slow-down with less memory than it needs. */
    Slowdown slowdown(long granted, long need) {
      if (performance.isPresent()) {
        return performance.get().slowdown(granted);
      }
      return Slowdown.of(granted == 0 ? MILLION : Math.min((double) need / granted, MILLION));
    }
  }

  /** Creates a prediction with a horizon of a year. */
  public Prediction() {
    this(MOST_CYCLES);
  }

  /** Creates a prediction with a horizon in cycles. */
  Prediction(long horizon) {
    this.horizon = horizon;
  }

  /** Removes all jobs. */
  public void clear() {
    Arrays.fill(jobs, 0, size, null);
    size = 0;
    left = 0;
    peak = 0;
    isPeakKnown = true;
  }

  /** Adds a job, which gets memory after all earlier ones. Returns its index, from 0. */
  public int add(Job job) {
    if (size == jobs.length) {
      int wider = 2 * size;
      jobs = Arrays.copyOf(jobs, wider);
      endCycle = Arrays.copyOf(endCycle, wider);
      alive = Arrays.copyOf(alive, wider);
      mark = Arrays.copyOf(mark, wider);
      step = Arrays.copyOf(step, wider);
      progress = Arrays.copyOf(progress, wider);
      since = Arrays.copyOf(since, wider);
      speed = Arrays.copyOf(speed, wider);
      need = Arrays.copyOf(need, wider);
      lackingNeed = Arrays.copyOf(lackingNeed, wider);
      lackingGrant = Arrays.copyOf(lackingGrant, wider);
    }
    jobs[size] = job;
    return size++;
  }

  /**
   * Predicts the ends of all jobs.
   *
   * @param capacity the memory of the host, in bytes
   */
  public void run(long capacity) {
    this.capacity = capacity;
    start();
    advance(true);
  }

  /**
   * Advances from one mark to the next.
   *
   * @param endsOnly whether to stop once no job can lack memory any more, so that all ends are
   *     known
   */
  private void advance(boolean endsOnly) {
    int checked = 0; // jobs left at the last check whether they can lack memory
    while (left > 0) {
      peak = Math.max(peak, total);
      if (lacking || total > capacity) {
        share();
        checked = lacking ? 0 : checked;
      }
      if (endsOnly && !lacking && checked != left) {
        checked = left;
        if (greatestNeed() <= capacity) {
          foreseeEnds();
          isPeakKnown = false;
          return;
        }
      }
      cycle = next;
      if (cycle > horizon + CYCLES_PER_SHARE) {
        break;
      }
      processMarks();
      if (cycle > horizon) {
        break; // memory is no longer shared
      }
    }
    for (int a = 0; a < left; a++) {
      endCycle[alive[a]] = NEVER;
    }
    isPeakKnown = true;
  }

  /** Returns the need if all remaining jobs reach their peaks at one time. */
  private long greatestNeed() {
    long most = 0;
    for (int a = 0; a < left; a++) {
      most += jobs[alive[a]].memory.maximumFrom(step[a]);
    }
    return most;
  }

  /** Finds the ends of the jobs that run at full speed from now on. */
  private void foreseeEnds() {
    for (int a = 0; a < left; a++) {
      long end = since[a] + cyclesTo(jobs[alive[a]].work - progress[a], CYCLE);
      endCycle[alive[a]] = end > horizon + CYCLES_PER_SHARE ? NEVER : end;
    }
  }

  private void start() {
    left = 0;
    total = 0;
    cycle = 0;
    next = Long.MAX_VALUE;
    peak = 0;
    lacking = false;
    for (int i = 0; i < size; i++) {
      Job job = jobs[i];
      endCycle[i] = 0;
      if (job.done < job.work) {
        alive[left] = i;
        progress[left] = job.done;
        since[left] = 0;
        speed[left] = CYCLE;
        step[left] = job.memory.stepAt(job.done);
        need[left] = job.memory.need(step[left]);
        lackingGrant[left] = -1;
        total += need[left];
        mark(left);
        next = Math.min(next, mark[left]);
        left++;
      }
    }
  }

  /** Finds when memory is next shared after a job needs another amount, or ends. */
  private void mark(int a) {
    Job job = jobs[alive[a]];
    int following = step[a] + 1;
    long to = job.work;
    if (following < job.memory.size()) {
      to = Math.min(to, job.memory.from(following));
    }
    long cycles = since[a] + cyclesTo(to - progress[a], speed[a]);
    mark[a] = (cycles + CYCLES_PER_SHARE - 1) / CYCLES_PER_SHARE * CYCLES_PER_SHARE;
  }

  /** Processes the jobs with a mark at this cycle and finds the next mark. */
  private void processMarks() {
    int still = 0;
    long least = Long.MAX_VALUE;
    for (int a = 0; a < left; a++) {
      if (mark[a] == cycle && !continues(a)) {
        continue;
      }
      if (still != a) {
        move(a, still);
      }
      least = Math.min(least, mark[still]);
      still++;
    }
    left = still;
    next = least;
  }

  /** Updates a job at its mark. Returns false if it has ended. */
  private boolean continues(int a) {
    Job job = jobs[alive[a]];
    MemoryProfile memory = job.memory;
    total -= need[a];
    long remaining = job.work - progress[a];
    long most = speed[a] * (cycle - since[a]);
    if (most >= remaining) {
      endCycle[alive[a]] = since[a] + cyclesTo(remaining, speed[a]);
      return false;
    }
    progress[a] += most;
    since[a] = cycle;
    int last = memory.size() - 1;
    while (step[a] < last && memory.from(step[a] + 1) <= progress[a]) {
      step[a]++;
    }
    need[a] = memory.need(step[a]);
    total += need[a];
    mark(a);
    return true;
  }

  private void move(int from, int to) {
    alive[to] = alive[from];
    mark[to] = mark[from];
    step[to] = step[from];
    progress[to] = progress[from];
    since[to] = since[from];
    speed[to] = speed[from];
    need[to] = need[from];
    lackingNeed[to] = lackingNeed[from];
    lackingGrant[to] = lackingGrant[from];
  }

  /** Shares the memory: each job in order gets its need, or the rest. */
  private void share() {
    lacking = total > capacity;
    long free = capacity;
    long least = Long.MAX_VALUE;
    for (int a = 0; a < left; a++) {
      long granted = Math.min(need[a], free);
      free -= granted;
      if (granted == need[a]) {
        lackingGrant[a] = -1;
        changeSpeed(a, CYCLE);
      } else if (granted != lackingGrant[a] || need[a] != lackingNeed[a]) {
        lackingGrant[a] = granted;
        lackingNeed[a] = need[a];
        changeSpeed(a, jobs[alive[a]].slowdown(granted, need[a]).workIn(CYCLE));
      }
      least = Math.min(least, mark[a]);
    }
    next = least;
  }

  private void changeSpeed(int a, long changed) {
    if (changed != speed[a]) {
      progress[a] += speed[a] * (cycle - since[a]);
      since[a] = cycle;
      speed[a] = changed;
      mark(a);
    }
  }

  private static long cyclesTo(long work, long perCycle) {
    return (perCycle == CYCLE ? (work - 1) / CYCLE : (work - 1) / perCycle) + 1; // work is positive
  }

  /** Returns when a job of so much work is done that never lacks memory; see {@link #end}. */
  static long endAtFullSpeed(long work) {
    long cycles = cyclesTo(work, CYCLE);
    return cycles > MOST_CYCLES + CYCLES_PER_SHARE ? NEVER : cycles * CYCLE;
  }

  /**
   * Returns when a job is done, in nanoseconds from now, counted in whole cycles; {@link #NEVER} if
   * that is more than a year.
   */
  public long end(int job) {
    return endCycle[job] == NEVER ? NEVER : endCycle[job] * CYCLE;
  }

  /**
   * Returns the most memory that is needed at one time, in bytes. Computed on the first call,
   * unless it is known already.
   */
  public long peak() {
    if (!isPeakKnown) {
      advance(false);
    }
    return peak;
  }
}
