package dev.berth.policies.metascheduling;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The load of sites: their reports, plus what the reported averages do not include yet (section
 * 3.2, Eq. 5 to 7).
 *
 * <p>The estimated load of a site is
 *
 * <pre>{@code
 * ce = reported load + Σ exec(a) over instances that run or start there − Σ fin(b) over instances that ended
 * exec(a) = max(0, (window − time since a started) / window); 1 while it starts
 * fin(b) = max(0, (window − time since b ended) / window)
 * }</pre>
 *
 * <p>It can be negative, since an instance that ran for less than a window is subtracted in full.
 * The load of a site that never reported is the number of instances that run or start there.
 *
 * <p>Between changes the estimate is linear in time. Two sums per site therefore suffice until its
 * {@linkplain Host#version version} changes or an instance leaves the window. Cost: O(sites) for
 * {@link #follow}, and for each site that changed O(instances there + ends there); O(1) for each
 * figure. Keeps numbers only, no views.
 *
 * <p>Not thread-safe.
 */
final class LoadEstimate {

  private static final long NEVER = Long.MAX_VALUE;
  private static final long UNSEEN = Long.MIN_VALUE; // no host has this version

  private final long window; // 0: as reported
  private final double perWindow; // one over that
  private long now;

  // By the place of the site
  private long[] versions = {};
  private double[] loads = {}; // what does not change with time
  private long[] counts = {}; // of the young, less that of the ended
  private long[] sums = {}; // of when the young came, less that of when the others ended; may wrap
  private long[] until = {}; // when an instance leaves the window
  private final List<List<Long>> ends = new ArrayList<>(); // as last reported; mostly unchanged
  private long[] endCounts = {}; // of the ends in the window
  private long[] endSums = {}; // of when they were; may wrap
  private long[] endsUntil = {}; // when one of them drops out
  private double[] perCore = {}; // one over the cores, for dividing is slow

  private LoadEstimate(long window) {
    this.window = window;
    this.perWindow = 1.0 / Math.max(1, window);
  }

  /**
   * Returns an estimate that adds what the reports do not include yet.
   *
   * @param window the period of the reported averages; positive. Hosts remember ends for {@link
   *     HostLoad#WINDOW}; with a longer window, earlier ends are not subtracted
   */
  public static LoadEstimate over(Duration window) {
    refuseIf(window.isNegative() || window.isZero(), "window was %s, must be positive.", window);
    return new LoadEstimate(window.toNanos());
  }

  /**
   * Returns the loads as reported, however old. The load of a site that never reported is zero if
   * it time-shares, otherwise the number of instances that run or start there.
   */
  public static LoadEstimate asReported() {
    return new LoadEstimate(0);
  }

  /**
   * Updates all sites that have changed. Called at the start of a pass; {@link #look} updates each
   * site that the pass itself changes.
   *
   * @param hosts the sites; all other methods take indices into this list
   * @param time now
   */
  public void follow(List<Host> hosts, long time) {
    now = time;
    int size = hosts.size();
    if (size > versions.length) {
      grow(Math.max(size, 2 * versions.length));
    }
    for (int site = 0; site < size; site++) {
      Host host = hosts.get(site);
      if (versions[site] != host.version() || until[site] <= now) {
        look(site, host);
      }
    }
  }

  /** Updates a site that has changed. */
  public void look(int site, Host host) {
    versions[site] = host.version();
    perCore[site] = 1 / cores(host);
    counts[site] = 0;
    sums[site] = 0;
    until[site] = NEVER;
    loads[site] = host.load().map(HostLoad::average).orElse(0.0);
    if (host.load().isEmpty() && (window > 0 || !host.timeShared())) {
      for (Instance each : host.instances()) {
        loads[site] += runsOrStarts(each) ? 1 : 0;
      }
    } else if (window > 0) {
      estimate(site, host);
    }
  }

  private void estimate(int site, Host host) {
    for (Instance each : host.instances()) {
      if (each.state() == InstanceState.STARTING) {
        loads[site]++;
      } else if (each.state() == InstanceState.RUNNING) {
        countYoung(site, each.stateSince());
      }
    }
    List<Long> told = host.recentCompletions();
    if (told != ends.get(site) || endsUntil[site] <= now) { // the same list has the same content
      addUp(site, told);
    }
    counts[site] -= endCounts[site];
    sums[site] -= endSums[site];
    until[site] = Math.min(until[site], endsUntil[site]);
  }

  private void addUp(int site, List<Long> told) {
    ends.set(site, told);
    endCounts[site] = 0;
    endSums[site] = 0;
    endsUntil[site] = NEVER;
    for (long end : told) {
      if (now - end < window) {
        endCounts[site]++;
        endSums[site] += end;
        endsUntil[site] = Math.min(endsUntil[site], leaves(end));
      }
    }
  }

  /** Returns when an instance leaves the window. */
  private long leaves(long since) {
    return since > NEVER - window ? NEVER : since + window;
  }

  private static boolean runsOrStarts(Instance instance) {
    return instance.state() == InstanceState.RUNNING || instance.state() == InstanceState.STARTING;
  }

  private void countYoung(int site, long since) {
    if (now - since < window) {
      counts[site]++;
      sums[site] += since;
      until[site] = Math.min(until[site], leaves(since));
    }
  }

  /** Returns the versions of the sites, by index; may be longer. */
  long[] versions() {
    return versions;
  }

  /**
   * Returns the estimated load {@code ce} of a site: the mean number of instances that use its CPU.
   */
  public double load(int site) {
    long count = counts[site];
    if (count == 0 && sums[site] == 0) {
      return loads[site];
    }
    long ages = count * now - sums[site]; // exact, also if either of the two has wrapped
    return loads[site] + count - ages * perWindow;
  }

  /** Returns the load of a site per core. */
  public double perCore(int site) {
    return load(site) * perCore[site];
  }

  /**
   * Returns {@code cen}, the load of a site per core with one more instance: {@code (ce + 1) / n}
   * (Eq. 5).
   */
  public double perCoreWithOneMore(int site) {
    return (load(site) + 1) * perCore[site];
  }

  /** Returns the cores of a site; 1 if it has no CPU dimension. */
  private static double cores(Host host) {
    for (Dimension each : host.capacity().dimensions()) {
      if (each.name().equals(Dimension.CPU.name())) { // on whatever scale
        long amount = host.capacity().amount(each);
        return amount == 0 ? 1 : (double) amount / each.unitsPerWhole();
      }
    }
    return 1;
  }

  private void grow(int room) {
    int from = versions.length;
    versions = Arrays.copyOf(versions, room);
    Arrays.fill(versions, from, room, UNSEEN);
    loads = Arrays.copyOf(loads, room);
    counts = Arrays.copyOf(counts, room);
    sums = Arrays.copyOf(sums, room);
    until = Arrays.copyOf(until, room);
    while (ends.size() < room) {
      ends.add(List.of());
    }
    endCounts = Arrays.copyOf(endCounts, room);
    endSums = Arrays.copyOf(endSums, room);
    endsUntil = Arrays.copyOf(endsUntil, room);
    Arrays.fill(endsUntil, from, room, NEVER);
    perCore = Arrays.copyOf(perCore, room);
  }
}
