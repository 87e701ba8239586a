package dev.berth.traces.prepare;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.prepare.GoogleLikeProfile.Jobs;
import dev.berth.traces.prepare.GoogleLikeProfile.OfClass;
import java.util.Map;
import java.util.Objects;

/**
 * A month of the size of the Google cluster trace of 2011: 12,500 hosts and, in 29 days, 25 million
 * requests on average.
 *
 * <p>{@link GoogleLikeProfile#google2011()} describes the start of the trace. It has no successors
 * for the jobs that run at the start, so the cluster would drain within a week. Here, successors
 * replace part of these jobs when they complete, and the arrival rates are chosen to reach 25
 * million requests.
 */
public final class GoogleLikeMonth {

  /** The length of the trace. */
  public static final int DAYS = 29;

  private static final int HOSTS = 12_500;
  private static final double LEAST = 1e-4; // one host
  private static final double MOST = 10;

  /** 34,900 requests an hour; the first 84 minutes of the trace have 33,000. */
  private static final double ARRIVALS = 1.25;

  /** The share of the initial jobs that successors replace. */
  private static final double REPLACED = 0.25;

  /** The mean remaining run time of a request that runs at the start. */
  private static final Map<String, Double> HOURS =
      Map.of(
          ServiceClasses.GOLD, 149.1,
          ServiceClasses.SILVER, 20.95,
          ServiceClasses.BRONZE, 72.68);

  private GoogleLikeMonth() {}

  /**
   * Returns the hosts of a cluster of a relative size.
   *
   * @param scale the size relative to the trace, from 0.0001 to 10
   * @throws IllegalArgumentException if the scale is out of range
   */
  public static Infrastructure hosts(double scale, long seed) {
    require(scale);
    return GoogleLikeHosts.of((int) Math.max(1, Math.round(HOSTS * scale)), seed);
  }

  /**
   * Returns the profile for a cluster of a relative size, with a proportional number of requests.
   * In a smaller cluster the largest job is proportionally smaller, so that no job exceeds the
   * cluster, and there are more jobs instead. The relative load over time is the same at every
   * scale.
   *
   * @param scale as in {@link #hosts}
   * @throws IllegalArgumentException if the scale is out of range
   */
  public static GoogleLikeProfile profile(double scale) {
    require(scale);
    GoogleLikeProfile start = GoogleLikeProfile.google2011();
    return new GoogleLikeProfile(
        (int) Math.max(1, Math.round(HOSTS * scale)),
        start.activity(),
        start.dailyWave(),
        start.classes().stream().map(each -> part(each, scale)).toList());
  }

  private static OfClass part(OfClass whole, double scale) {
    Jobs running = part(whole.running(), scale, scale);
    return whole.with(
        running,
        part(whole.arriving(), ARRIVALS * scale, scale),
        REPLACED
            * running.number()
            / Objects.requireNonNull(HOURS.get(whole.name()), whole.name()));
  }

  /** Returns jobs with a multiple of the requests. A scale below 1 also reduces the largest job. */
  private static Jobs part(Jobs whole, double requests, double scale) {
    int largest = (int) Math.max(1, Math.round(whole.largest() * Math.min(1, scale)));
    double jobs =
        whole.number() * requests * whole.meanSize() / whole.withLargest(largest).meanSize();
    return whole.withLargest(largest).withNumber(jobs);
  }

  private static void require(double scale) {
    refuseIf(
        !(scale >= LEAST && scale <= MOST),
        "scale was %s, must be from 0.0001, one host, to 10.",
        scale);
  }
}
