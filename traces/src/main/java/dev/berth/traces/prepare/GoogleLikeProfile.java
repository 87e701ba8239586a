package dev.berth.traces.prepare;

import static com.google.common.base.Preconditions.checkState;
import static dev.berth.api.Arguments.refuseIf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The parameters of a {@link GoogleLikeWorkload}.
 *
 * <p>Like the Google trace, the workload begins with jobs that already run. Then jobs of each class
 * arrive. A job has one user. All its requests arrive together and have the same demand.
 *
 * @param hosts the number of hosts that the workload is meant for, positive. On fewer hosts, the
 *     requests of a large job with anti-affinity may never all run
 * @param activity the exponent of Zipf's law for the activity of users: the r-th most active user
 *     of a class submits jobs in proportion to {@code r^-activity}; not negative; with 0 all users
 *     are equal
 * @param dailyWave the change of arrival rates over the day
 * @param classes the service classes; at least one, with different names
 */
public record GoogleLikeProfile(
    int hosts, double activity, DailyWave dailyWave, List<OfClass> classes) {

  private static final String RESOURCE = "google-2011.json";
  private static final double MANY = 1e9;
  private static final double LONGEST_SECONDS = 3.15e9; // a century

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  /**
   * A daily wave, by which a rate is multiplied: {@code 1 + amplitude · cos(2π (t − peak) / day)}.
   *
   * @param amplitude the amplitude, from 0 (no wave) to 0.99
   * @param peakHour the time of the maximum in hours from the start of the workload, from 0 to 24
   */
  public record DailyWave(double amplitude, double peakHour) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public DailyWave {
      require("amplitude", amplitude, 0, 0.99);
      require("peakHour", peakHour, 0, 24);
    }
  }

  /**
   * One service class.
   *
   * @param name the name of the class
   * @param firstUser the number of the first user of the class; classes may share users
   * @param users the number of users, positive
   * @param running the jobs that already run at the start; {@code number} is their number
   * @param arriving the jobs that arrive; {@code number} is their mean number an hour
   * @param replacements the mean number an hour of jobs like the initial ones, which replace
   *     completed jobs; not negative
   * @param burst the bursts of arriving jobs; replacements arrive one by one
   * @param demands the possible demands, one of which is drawn for each job; at least one
   * @param wishes the attributes of hosts that some jobs require, drawn for each job; may be empty
   */
  public record OfClass(
      String name,
      int firstUser,
      int users,
      Jobs running,
      Jobs arriving,
      double replacements,
      Burst burst,
      List<Level> demands,
      List<Wish> wishes) {

    /**
     * Copies the lists and checks the ranges.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public OfClass {
      refuseIf(name.isBlank(), "name of a class was blank.");
      require("firstUser", firstUser, 0, MANY);
      require("users", users, 1, 1e7);
      require("replacements", replacements, 0, MANY);
      demands = List.copyOf(demands);
      wishes = List.copyOf(wishes);
      refuseIf(
          demands.stream().mapToDouble(Level::weight).sum() <= 0,
          "demands of class %s had no weight, one must have some.",
          name);
    }

    OfClass with(Jobs nowRunning, Jobs nowArriving, double nowReplacements) {
      return new OfClass(
          name, firstUser, users, nowRunning, nowArriving, nowReplacements, burst, demands, wishes);
    }
  }

  /**
   * A population of jobs.
   *
   * @param number the number of jobs, or their number an hour; not negative
   * @param singleShare the share of jobs with one request, from 0 to 1; the sizes of the others
   *     have a bounded Pareto distribution from 2 to the largest
   * @param sizeIndex the exponent of that distribution, at least 0.01; a smaller one has a heavier
   *     tail
   * @param largest the largest number of requests of a job, at least 1
   * @param antiAffinityShare the share of jobs with several requests that keep them on different
   *     hosts, from 0 to 1
   * @param serviceTimes the run times of requests; for jobs that already run, from the start on
   */
  public record Jobs(
      double number,
      double singleShare,
      double sizeIndex,
      int largest,
      double antiAffinityShare,
      ServiceTimes serviceTimes) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Jobs {
      require("number", number, 0, MANY);
      require("singleShare", singleShare, 0, 1);
      require("sizeIndex", sizeIndex, 0.01, 20);
      require("largest", largest, 1, MANY);
      require("antiAffinityShare", antiAffinityShare, 0, 1);
    }

    Jobs withNumber(double other) {
      return new Jobs(other, singleShare, sizeIndex, largest, antiAffinityShare, serviceTimes);
    }

    Jobs withLargest(int other) {
      return new Jobs(number, singleShare, sizeIndex, other, antiAffinityShare, serviceTimes);
    }

    /** Returns the mean number of requests of a job, in O(largest). */
    double meanSize() {
      if (largest == 1) {
        return 1;
      }
      double least = StrictMath.pow(2, -sizeIndex);
      double beyond = StrictMath.pow(largest + 1.0, -sizeIndex);
      double several = 2;
      for (int size = 3; size <= largest; size++) { // share of jobs of at least this size
        several += (StrictMath.pow(size, -sizeIndex) - beyond) / (least - beyond);
      }
      return singleShare + (1 - singleShare) * several;
    }
  }

  /**
   * A distribution of service times: log-normal over jobs with a Pareto tail, and log-normal over
   * the requests of a job.
   *
   * @param medianSeconds the median of the log-normal part, positive
   * @param sigma the standard deviation of its logarithm
   * @param sigmaWithinJob the standard deviation of the logarithm among the requests of one job
   * @param tailShare the share of jobs in the tail, from 0 to 1
   * @param tailFromSeconds the minimum of the tail, positive
   * @param tailIndex the exponent of the tail, positive; a smaller one has a heavier tail
   * @param longestSeconds the maximum of all service times, positive
   */
  public record ServiceTimes(
      double medianSeconds,
      double sigma,
      double sigmaWithinJob,
      double tailShare,
      double tailFromSeconds,
      double tailIndex,
      double longestSeconds) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public ServiceTimes {
      require("medianSeconds", medianSeconds, 1e-3, LONGEST_SECONDS);
      require("sigma", sigma, 0, 20);
      require("sigmaWithinJob", sigmaWithinJob, 0, 20);
      require("tailShare", tailShare, 0, 1);
      require("tailFromSeconds", tailFromSeconds, 1e-3, LONGEST_SECONDS);
      require("tailIndex", tailIndex, 1e-3, 1_000);
      require("longestSeconds", longestSeconds, 1e-3, LONGEST_SECONDS);
    }
  }

  /**
   * Bursts of jobs. Each burst has one user, and bursts are independent.
   *
   * @param followed the share of jobs that another job of the burst follows, from 0 to 0.999
   * @param gapSeconds the mean time to that job, not negative
   */
  public record Burst(double followed, double gapSeconds) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Burst {
      require("followed", followed, 0, 0.999);
      require("gapSeconds", gapSeconds, 0, LONGEST_SECONDS);
    }
  }

  /**
   * A demand.
   *
   * @param cpu the CPU demand in cores, or as a share of the largest host; not negative
   * @param memory the memory demand in gigabytes, or as a share of the largest host; not negative
   * @param weight the relative number of jobs with this demand; not negative
   */
  public record Level(double cpu, double memory, double weight) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Level {
      require("cpu", cpu, 0, MANY);
      require("memory", memory, 0, MANY);
      require("weight", weight, 0, MANY);
    }
  }

  /**
   * An attribute of hosts that some jobs require.
   *
   * @param attribute the name of the attribute, not blank
   * @param value the required value
   * @param share the share of jobs with this requirement, from 0 to 1
   */
  public record Wish(String attribute, String value, double share) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Wish {
      refuseIf(attribute.isBlank(), "attribute was blank.");
      require("share", share, 0, 1);
    }
  }

  /**
   * Copies the list and checks the ranges.
   *
   * @throws IllegalArgumentException if there is no class, two classes have the same name, or a
   *     number is out of range
   */
  public GoogleLikeProfile {
    require("hosts", hosts, 1, MANY);
    require("activity", activity, 0, 20);
    classes = List.copyOf(classes);
    refuseIf(classes.isEmpty(), "classes were empty, must hold at least one.");
    Set<String> names = new HashSet<>();
    for (OfClass each : classes) {
      refuseIf(!names.add(each.name()), "class %s was given twice.", each.name());
    }
  }

  private static void require(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          "%s was %s, must be from %s to %s."
              .formatted(name, plain(value), plain(least), plain(most)));
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /**
   * Returns the profile of the Google cluster trace of 2011, for 12,477 hosts. On average, about
   * 125,000 requests already run at the start and 28,000 arrive each hour, which is 25 million in
   * five weeks.
   *
   * <p>Sizes, demands, service times, rates, bursts and users are fitted to the first part of the
   * task events of the trace, which covers 84 minutes. The amplitude of the daily wave and the tail
   * of service times are assumptions, because so short a time does not show them.
   */
  public static GoogleLikeProfile google2011() {
    try (InputStream resource = GoogleLikeProfile.class.getResourceAsStream(RESOURCE)) {
      checkState(resource != null, "resource %s is missing from the jar.", RESOURCE);
      return MAPPER.readValue(resource, GoogleLikeProfile.class);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * Returns the profile in a JSON text, in which no number may be omitted.
   *
   * @throws IllegalArgumentException if the text is not JSON, lacks a member, has an unknown
   *     member, or a number is out of range; the message names the location
   */
  public static GoogleLikeProfile parse(String json) {
    try {
      return MAPPER.readValue(json, GoogleLikeProfile.class);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(ProfileProblem.describe(wrong), wrong);
    }
  }

  /** Returns the profile as JSON that {@link #parse} reads. */
  public ObjectNode toJson() {
    return MAPPER.valueToTree(this);
  }

  /**
   * Returns the profile of a smaller or larger cluster, with a multiple of the hosts and of the
   * jobs. Jobs keep their sizes, so in a small cluster a job with anti-affinity may have more
   * requests than there are hosts.
   *
   * @param factor the multiple, above 0 and at most 1000
   * @throws IllegalArgumentException if the factor is out of range
   */
  public GoogleLikeProfile scaled(double factor) {
    refuseIf(
        !(factor > 0 && factor <= 1_000),
        "scale was %s, must be above 0 and at most 1000.",
        factor);
    return new GoogleLikeProfile(
        (int) Math.min((long) MANY, Math.max(1, Math.round(hosts * factor))),
        activity,
        dailyWave,
        classes.stream()
            .map(
                each ->
                    each.with(
                        scaled(each.running, factor),
                        scaled(each.arriving, factor),
                        each.replacements * factor))
            .toList());
  }

  private static Jobs scaled(Jobs jobs, double factor) {
    return jobs.withNumber(jobs.number * factor);
  }
}
