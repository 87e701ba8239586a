package dev.berth.traces.prepare;

import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.ServiceClasses;
import dev.berth.traces.prepare.GoogleLikeProfile.Jobs;
import dev.berth.traces.prepare.GoogleLikeProfile.OfClass;
import java.util.Map;
import java.util.Objects;

/**
 * A month as large as the Google cluster trace of 2011: 12,500 hosts and, in 29 days, 25 million
 * requests in the mean.
 *
 * <p>{@link GoogleLikeProfile#google2011()} is what the trace is like at its start. It says nothing
 * of what comes for the jobs that run then, so the cluster would empty within a week. Here others
 * come for a part of them when they are done, and the rates of arrival are those that make 25
 * million.
 */
public final class GoogleLikeMonth {

  /** How long the trace is. */
  public static final int DAYS = 29;

  private static final int HOSTS = 12_500;
  private static final double LEAST = 1e-4; // one host
  private static final double MOST = 10;

  /** 34,900 requests an hour; the first 84 minutes of the trace have 33,000. */
  private static final double ARRIVALS = 1.25;

  /** How many of the jobs that are done others come for. */
  private static final double REPLACED = 0.25;

  /** How long a request of a job that runs at the start runs on, in the mean. */
  private static final Map<String, Double> HOURS =
      Map.of(
          ServiceClasses.GOLD, 149.1,
          ServiceClasses.SILVER, 20.95,
          ServiceClasses.BRONZE, 72.68);

  private GoogleLikeMonth() {}

  /**
   * Returns the hosts of a part of the cluster, or of a larger one.
   *
   * @param scale how much of it; from 0.0001 to 10
   * @throws IllegalArgumentException if out of range
   */
  public static Infrastructure hosts(double scale, long seed) {
    require(scale);
    return GoogleLikeHosts.of((int) Math.max(1, Math.round(HOSTS * scale)), seed);
  }

  /**
   * Returns the profile for those hosts: so many times the requests. In a part of the cluster the
   * largest job is smaller in proportion, so that no job alone is more than the cluster, and there
   * are more jobs instead; the load over time is alike at every scale.
   *
   * @param scale as in {@link #hosts}
   * @throws IllegalArgumentException if out of range
   */
  public static GoogleLikeProfile profile(double scale) {
    require(scale);
    GoogleLikeProfile start = GoogleLikeProfile.google2011();
    return new GoogleLikeProfile(
        start.activity(),
        start.dailyWave(),
        start.classes().stream().map(each -> part(each, scale)).toList());
  }

  private static OfClass part(OfClass whole, double scale) {
    return new OfClass(
        whole.name(),
        whole.firstUser(),
        whole.users(),
        part(whole.running(), scale, scale),
        part(whole.arriving(), ARRIVALS * scale, scale),
        REPLACED
            * part(whole.running(), scale, scale).number()
            / Objects.requireNonNull(HOURS.get(whole.name()), whole.name()),
        whole.burst(),
        whole.demands(),
        whole.wishes());
  }

  /** Returns jobs with so many times the requests, the largest of which is scaled down, too. */
  private static Jobs part(Jobs whole, double requests, double scale) {
    int largest = (int) Math.max(1, Math.round(whole.largest() * Math.min(1, scale)));
    double jobs =
        whole.number() * requests * whole.meanSize() / whole.withLargest(largest).meanSize();
    return whole.withLargest(largest).withNumber(jobs);
  }

  private static void require(double scale) {
    if (!(scale >= LEAST && scale <= MOST)) {
      throw new IllegalArgumentException(
          "scale was %s, must be from 0.0001, one host, to 10.".formatted(scale));
    }
  }
}
