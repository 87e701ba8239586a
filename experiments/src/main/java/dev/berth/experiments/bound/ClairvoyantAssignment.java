package dev.berth.experiments.bound;

import static dev.berth.api.Arguments.refuseIf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Assignments of jobs to sites with full knowledge of arrivals, true work and speeds of sites. They
 * are references for policies; no scheduler can know so much.
 *
 * <p>There are two figures:
 *
 * <ul>
 *   <li>{@link #search} finds an assignment with a small mean execution time. It exists, so the
 *       optimum is <em>no greater</em>. It need not be optimal: a policy can beat it.
 *   <li>{@link #lowerBound} is a mean that <em>no</em> assignment can beat. It may be unreachable.
 * </ul>
 *
 * <p>The model: a site of {@code c} cores gives each of its {@code n} jobs the share {@code min(1,
 * c/n)} of a core. A core takes {@code slowness} nanoseconds for a nanosecond of work. A job is
 * assigned on arrival and never moves. Its execution time lasts from arrival to end.
 */
public final class ClairvoyantAssignment {

  private static final double LEAST_GAIN = 1e-9; // relative; less is rounding

  private final double[] comes;
  private final double[] work;
  private final double[] cores;
  private final double[] slowness;

  // Buffers for the simulation of one site
  private final double[] ends; // attained service at which jobs on the site end, ascending
  private final int[] who;
  private final double[] times;

  /**
   * A job.
   *
   * @param arrivesAt arrival time, in nanoseconds
   * @param work nanoseconds on a core of slowness 1; positive
   */
  public record Job(long arrivesAt, long work) {

    /** Checks the range. */
    public Job {
      refuseIf(work <= 0, "work was %s ns, must be positive.", work);
    }
  }

  /**
   * A site.
   *
   * @param cores number of cores; positive, finite
   * @param slowness nanoseconds that a nanosecond of work takes; positive, finite
   */
  public record Site(double cores, double slowness) {

    /** Checks the ranges. */
    public Site {
      refuseIf(
          !(cores > 0 && slowness > 0 && cores + slowness < Double.POSITIVE_INFINITY),
          "site of %s cores, slowness %s: both must be positive and finite.",
          cores,
          slowness);
    }
  }

  /**
   * An assignment of jobs to sites, with its execution times.
   *
   * @param sites by job, the index of its site
   * @param times by job, its execution time in nanoseconds
   */
  public record Assignment(List<Integer> sites, List<Double> times) {

    /** Copies the lists. */
    public Assignment {
      sites = List.copyOf(sites);
      times = List.copyOf(times);
    }

    /** Returns the mean execution time in nanoseconds. */
    public double mean() {
      return times.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
  }

  private ClairvoyantAssignment(List<Job> jobs, List<Site> sites) {
    refuseIf(jobs.isEmpty() || sites.isEmpty(), "at least one job and one site are required.");
    for (int i = 1; i < jobs.size(); i++) {
      refuseIf(
          jobs.get(i).arrivesAt() < jobs.get(i - 1).arrivesAt(), "jobs must be in order of time.");
    }
    long first = jobs.get(0).arrivesAt();
    comes = jobs.stream().mapToDouble(each -> each.arrivesAt() - first).toArray();
    work = jobs.stream().mapToDouble(Job::work).toArray();
    cores = sites.stream().mapToDouble(Site::cores).toArray();
    slowness = sites.stream().mapToDouble(Site::slowness).toArray();
    ends = new double[jobs.size()];
    who = new int[jobs.size()];
    times = new double[jobs.size()];
  }

  // ---- An assignment

  /**
   * Returns an assignment with a small mean execution time: jobs are assigned one after another
   * where they add least. Then single jobs are moved and pairs exchanged until neither helps.
   * Deterministic. Cost for each round of exchanges O(jobs² · jobs of a site).
   *
   * @param jobs in order of time, at least one
   * @param sites at least one
   */
  public static Assignment search(List<Job> jobs, List<Site> sites) {
    return new ClairvoyantAssignment(jobs, sites).search();
  }

  /**
   * Returns the execution times of a given assignment, by simulation.
   *
   * @param jobs in order of time, at least one
   * @param sites at least one
   * @param where by job, the index of its site
   */
  public static Assignment evaluate(List<Job> jobs, List<Site> sites, List<Integer> where) {
    refuseIf(
        where.size() != jobs.size(), "%s jobs, but %s are assigned.", jobs.size(), where.size());
    ClairvoyantAssignment bound = new ClairvoyantAssignment(jobs, sites);
    Placing placing = bound.new Placing();
    for (int job = 0; job < where.size(); job++) {
      placing.put(job, where.get(job));
    }
    return placing.assignment();
  }

  private Assignment search() {
    Placing placing = new Placing();
    for (int job = 0; job < work.length; job++) {
      int best = 0;
      double least = Double.POSITIVE_INFINITY;
      for (int site = 0; site < cores.length; site++) {
        double more = placing.totalWith(site, job, -1) - placing.totals[site];
        if (more < least) {
          least = more;
          best = site;
        }
      }
      placing.put(job, best);
    }
    while (placing.moveOne() || placing.exchangeTwo()) {
      // as long as that helps
    }
    return placing.assignment();
  }

  /** The jobs of each site during the search. */
  private final class Placing {

    private final int[] siteOf = new int[work.length];
    private final int[][] jobs = new int[cores.length][work.length]; // ascending
    private final int[] counts = new int[cores.length];
    private final double[] totals = new double[cores.length];
    private final int[] trial = new int[work.length];

    void put(int job, int site) {
      int count = with(site, job, -1);
      System.arraycopy(trial, 0, jobs[site], 0, count);
      counts[site] = count;
      siteOf[job] = site;
      totals[site] = simulate(site, jobs[site], count);
    }

    private void take(int job) {
      int site = siteOf[job];
      int count = with(site, -1, job);
      System.arraycopy(trial, 0, jobs[site], 0, count);
      counts[site] = count;
      totals[site] = simulate(site, jobs[site], count);
    }

    /** Writes to {@code trial} the jobs of a site with one job added or removed; -1: none. */
    private int with(int site, int more, int less) {
      int count = 0;
      boolean added = more < 0;
      for (int i = 0; i < counts[site]; i++) {
        int job = jobs[site][i];
        if (!added && more < job) {
          trial[count++] = more;
          added = true;
        }
        if (job != less) {
          trial[count++] = job;
        }
      }
      if (!added) {
        trial[count++] = more;
      }
      return count;
    }

    /** Returns the sum of execution times on a site with one job added or removed; -1: none. */
    double totalWith(int site, int more, int less) {
      return simulate(site, trial, with(site, more, less));
    }

    /** Moves jobs as long as a move helps; returns whether any did. */
    boolean moveOne() {
      boolean moved = false;
      for (int job = 0; job < work.length; job++) {
        int from = siteOf[job];
        double saved = totals[from] - totalWith(from, -1, job);
        int best = from;
        double least = saved * (1 - LEAST_GAIN);
        for (int site = 0; site < cores.length; site++) {
          double more = site == from ? saved : totalWith(site, job, -1) - totals[site];
          if (more < least) {
            least = more;
            best = site;
          }
        }
        if (best != from) {
          take(job);
          put(job, best);
          moved = true;
        }
      }
      return moved;
    }

    /** Exchanges jobs as long as an exchange helps; returns whether any did. */
    boolean exchangeTwo() {
      boolean exchanged = false;
      for (int one = 0; one < work.length; one++) {
        for (int other = one + 1; other < work.length; other++) {
          int here = siteOf[one];
          int there = siteOf[other];
          if (here == there || (work[one] == work[other] && comes[one] == comes[other])) {
            continue;
          }
          double before = totals[here] + totals[there];
          double after = totalWith(here, other, one) + totalWith(there, one, other);
          if (after < before * (1 - LEAST_GAIN)) {
            take(one);
            take(other);
            put(one, there);
            put(other, here);
            exchanged = true;
          }
        }
      }
      return exchanged;
    }

    Assignment assignment() {
      for (int site = 0; site < cores.length; site++) {
        simulate(site, jobs[site], counts[site]);
      }
      List<Double> each = new ArrayList<>();
      Arrays.stream(times).forEach(each::add);
      List<Integer> where = new ArrayList<>();
      Arrays.stream(siteOf).forEach(where::add);
      return new Assignment(where, each);
    }
  }

  /**
   * Simulates a site from event to event and returns the sum of execution times; writes each to
   * {@code times}. All jobs of a site get the same share, so they end in the order of attained
   * service at arrival plus work.
   *
   * @param jobs in order of time
   */
  private double simulate(int site, int[] jobs, int count) {
    double now = 0;
    double attained = 0; // service of a job present since the start
    double sum = 0;
    int next = 0;
    int head = 0; // jobs on the site: from head to tail
    int tail = 0;
    while (next < count || head < tail) {
      int there = tail - head;
      double rate = Math.min(1, cores[site] / Math.max(1, there)) / slowness[site];
      double arrival = next < count ? comes[jobs[next]] : Double.POSITIVE_INFINITY;
      double end = there > 0 ? now + (ends[head] - attained) / rate : Double.POSITIVE_INFINITY;
      if (arrival < end) {
        attained += there > 0 ? (arrival - now) * rate : 0;
        now = arrival;
        insert(head, tail++, attained + work[jobs[next]], jobs[next]);
        next++;
      } else {
        attained = ends[head];
        now = end;
        times[who[head]] = now - comes[who[head]];
        sum += times[who[head]];
        head++;
      }
    }
    return sum;
  }

  private void insert(int head, int tail, double end, int job) {
    int at = tail;
    while (at > head && ends[at - 1] > end) {
      ends[at] = ends[at - 1];
      who[at] = who[at - 1];
      at--;
    }
    ends[at] = end;
    who[at] = job;
  }

  // ---- A bound

  /**
   * Returns a mean execution time in nanoseconds that no assignment can beat: the greatest of three
   * bounds on the sum.
   *
   * <p><b>Alone.</b> No job takes less than alone on the fastest site.
   *
   * <p><b>By contention between jobs.</b> While a job is on a site of one core, the core works all
   * the time, for this job and others. Its execution time is therefore {@code s · (p_j + Σ_k
   * x_jk)}, where {@code x_jk} is the work done for {@code k} while {@code j} is present. Shares
   * are equal, so {@code x_jk} is the work of each of the two while both are present. If {@code k}
   * arrives {@code d} later, {@code j} has received at most {@code d / s} by then. Both are present
   * until one has received the rest of its work; so {@code x_jk ≥ min(p_k, p_j − d / s)}, or 0. For
   * a site with {@code n} jobs, the sum is at least that of the {@code n} jobs with the least
   * execution times, each with the {@code n − 1} others that take least from it. For all sites, it
   * is at least the least total over all ways to split the number of jobs. On sites of more cores,
   * jobs are assumed to be alone.
   *
   * <p><b>By total speed.</b> One machine as fast as all cores of all sites together could end
   * every job no later than the sites, under any assignment. On one machine with preemption, the
   * sum of execution times is least if the job with the shortest remaining work always runs first
   * (Schrage, 1968).
   *
   * @param jobs in order of time, at least one
   * @param sites at least one
   */
  public static double lowerBound(List<Job> jobs, List<Site> sites) {
    ClairvoyantAssignment bound = new ClairvoyantAssignment(jobs, sites);
    double sum = Math.max(bound.alone(), Math.max(bound.byTaking(), bound.byOneMachine()));
    return sum / jobs.size();
  }

  private double alone() {
    double fastest = Double.POSITIVE_INFINITY;
    for (int site = 0; site < cores.length; site++) {
      fastest = Math.min(fastest, slowness[site] / Math.min(1, cores[site]));
    }
    return Arrays.stream(work).sum() * fastest;
  }

  private double byTaking() {
    int count = work.length;
    double[] least = new double[count + 1]; // by number of jobs on the sites so far
    Arrays.fill(least, 1, count + 1, Double.POSITIVE_INFINITY);
    for (int site = 0; site < cores.length; site++) {
      double[] alone = leastOnSite(site);
      double[] with = new double[count + 1];
      Arrays.fill(with, Double.POSITIVE_INFINITY);
      for (int all = 0; all <= count; all++) {
        for (int here = 0; here <= all; here++) {
          with[all] = Math.min(with[all], least[all - here] + alone[here]);
        }
      }
      least = with;
    }
    return least[count];
  }

  /** Returns the least sum of execution times by number of jobs on a site. */
  private double[] leastOnSite(int site) {
    int count = work.length;
    double[][] taken = new double[count][];
    for (int job = 0; job < count; job++) {
      taken[job] = takenFrom(job, site);
    }
    double[] least = new double[count + 1];
    double[] each = work.clone(); // with its n - 1 least greedy companions
    for (int here = 1; here <= count; here++) {
      for (int job = 0; here > 1 && job < count; job++) {
        each[job] += taken[job][here - 2];
      }
      double[] ascending = each.clone();
      Arrays.sort(ascending);
      for (int i = 0; i < here; i++) {
        least[here] += ascending[i] * slowness[site];
      }
    }
    return least;
  }

  /** Returns the least work that each other job takes from a job on its site, ascending. */
  private double[] takenFrom(int job, int site) {
    double[] taken = new double[work.length - 1];
    if (cores[site] > 1) {
      return taken;
    }
    int count = 0;
    for (int other = 0; other < work.length; other++) {
      if (other != job) {
        int first = Math.min(job, other);
        int second = Math.max(job, other);
        double rest = work[first] - (comes[second] - comes[first]) / slowness[site];
        taken[count++] = Math.max(0, Math.min(work[second], rest));
      }
    }
    Arrays.sort(taken);
    return taken;
  }

  private double byOneMachine() {
    double speed = 0;
    for (int site = 0; site < cores.length; site++) {
      speed += cores[site] / slowness[site];
    }
    List<Double> rests = new ArrayList<>(); // descending
    double now = 0;
    double sum = 0;
    for (int next = 0; next <= work.length; next++) {
      double arrival = next < work.length ? comes[next] : Double.POSITIVE_INFINITY;
      while (!rests.isEmpty() && now < arrival) {
        double rest = rests.remove(rests.size() - 1);
        double done = now + rest / speed;
        double until = Math.min(done, arrival);
        sum += (until - now) * (rests.size() + 1);
        if (done > arrival) {
          rests.add(rest - (arrival - now) * speed);
        }
        now = until;
      }
      now = arrival;
      if (next < work.length) {
        int at = Collections.binarySearch(rests, work[next], Collections.reverseOrder());
        rests.add(at < 0 ? -at - 1 : at, work[next]);
      }
    }
    return sum;
  }
}
