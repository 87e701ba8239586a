package dev.berth.traces.prepare;

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
 * What {@link GoogleLikeWorkload} generates.
 *
 * <p>The workload begins with jobs that run already, as the Google trace does; then jobs of each
 * class arrive. A job is of one user, and all its requests come at once and ask for the same.
 *
 * @param activity exponent of the law of Zipf by which users submit jobs: the r-th most active one
 *     of a class submits in proportion to {@code r^-activity}; not negative; 0: all alike
 * @param dailyWave how the rates at which jobs arrive change over the day
 * @param classes at least one, of different names
 */
public record GoogleLikeProfile(double activity, DailyWave dailyWave, List<OfClass> classes) {

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
   * A wave of one day: a rate is multiplied by {@code 1 + amplitude · cos(2π (t − peak) / day)}.
   *
   * @param amplitude from 0, no wave, to 0.99
   * @param peakHour when it is highest, in hours from the start of the workload, from 0 to 24
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
   * @param name of the class
   * @param firstUser users are numbered; its own are those from this number on, so that classes may
   *     share users
   * @param users how many they are, positive
   * @param running the jobs that run already at the start; {@code number} is how many
   * @param arriving the jobs that arrive; {@code number} is how many an hour, in the mean
   * @param replacements jobs like those that run already, which come for those that are done: how
   *     many an hour, in the mean; not negative
   * @param burst how the arriving ones follow each other; replacements come one by one
   * @param demands what a request asks for, drawn for each job; at least one
   * @param wishes for attributes of hosts, drawn for each job; may be empty
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
      if (name.isBlank()) {
        throw new IllegalArgumentException("name of a class was blank.");
      }
      require("firstUser", firstUser, 0, MANY);
      require("users", users, 1, 1e7);
      require("replacements", replacements, 0, MANY);
      demands = List.copyOf(demands);
      wishes = List.copyOf(wishes);
      if (demands.stream().mapToDouble(Level::weight).sum() <= 0) {
        throw new IllegalArgumentException(
            "demands of class %s had no weight, one must have some.".formatted(name));
      }
    }
  }

  /**
   * Jobs.
   *
   * @param number how many, or how many an hour; not negative
   * @param singleShare how many of them have one request, from 0 to 1; the sizes of the others have
   *     a bounded Pareto distribution from 2 to the largest
   * @param sizeIndex exponent of that, from 0.01; the smaller the heavier the tail
   * @param largest the most requests that a job has, at least 1
   * @param antiAffinityShare how many of those others keep their requests on different hosts, from
   *     0 to 1
   * @param serviceTimes how long their requests run; for those that run already, from the start on
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

    /** Returns how many requests a job has in the mean; cost O(largest). */
    double meanSize() {
      if (largest == 1) {
        return 1;
      }
      double least = StrictMath.pow(2, -sizeIndex);
      double beyond = StrictMath.pow(largest + 1.0, -sizeIndex);
      double several = 2;
      for (int size = 3; size <= largest; size++) { // how many have that size at least
        several += (StrictMath.pow(size, -sizeIndex) - beyond) / (least - beyond);
      }
      return singleShare + (1 - singleShare) * several;
    }
  }

  /**
   * Service times: log-normal over jobs, with the tail of a Pareto distribution, and log-normal
   * over the requests of a job.
   *
   * @param medianSeconds of the log-normal part, positive
   * @param sigma standard deviation of its logarithm
   * @param sigmaWithinJob standard deviation of the logarithm among the requests of one job
   * @param tailShare how many jobs are of the tail instead, from 0 to 1
   * @param tailFromSeconds the least of the tail, positive
   * @param tailIndex exponent of the tail, positive; the smaller the heavier
   * @param longestSeconds what none is above, positive
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
   * How jobs follow each other: in bursts of one user each, which come independently.
   *
   * @param followed how many jobs are followed by another of their burst, from 0 to 0.999
   * @param gapSeconds mean time to that, not negative
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
   * @param cpu in cores, or shares of the largest host; not negative
   * @param memory in gigabytes, or shares of the largest host; not negative
   * @param weight how many jobs ask for it, in proportion to the others; not negative
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
   * An attribute that hosts must have, for some jobs.
   *
   * @param attribute its name, not blank
   * @param value what it must be
   * @param share how many jobs want that, from 0 to 1
   */
  public record Wish(String attribute, String value, double share) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Wish {
      if (attribute.isBlank()) {
        throw new IllegalArgumentException("attribute was blank.");
      }
      require("share", share, 0, 1);
    }
  }

  /**
   * Copies the list and checks the ranges.
   *
   * @throws IllegalArgumentException if there is no class, two have one name, or a number is out of
   *     range
   */
  public GoogleLikeProfile {
    require("activity", activity, 0, 20);
    classes = List.copyOf(classes);
    if (classes.isEmpty()) {
      throw new IllegalArgumentException("there was no class, must be one at least.");
    }
    Set<String> names = new HashSet<>();
    for (OfClass each : classes) {
      if (!names.add(each.name())) {
        throw new IllegalArgumentException("class %s was given twice.".formatted(each.name()));
      }
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
   * Returns the profile of the Google cluster trace of 2011, for 12,477 hosts: in the mean some
   * 125,000 requests that run already and 28,000 an hour that arrive, 25 million in five weeks.
   *
   * <p>Sizes, demands, service times, rates, bursts and users are fitted to the first part of the
   * trace's task events: its first instant and 84 minutes. The amplitude of the daily wave and what
   * is in the tail of service times cannot be seen in so short a time and are assumed.
   */
  public static GoogleLikeProfile google2011() {
    try (InputStream resource = GoogleLikeProfile.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException("resource " + RESOURCE + " is missing from the jar.");
      }
      return MAPPER.readValue(resource, GoogleLikeProfile.class);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * Reads a profile from JSON, all of whose numbers are given.
   *
   * @throws IllegalArgumentException if it is no JSON, lacks something, has something unknown, or a
   *     number is out of range; the message says where
   */
  public static GoogleLikeProfile parse(String json) {
    try {
      return MAPPER.readValue(json, GoogleLikeProfile.class);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(ProfileProblem.describe(wrong), wrong);
    }
  }

  /** Returns it as {@link #parse} reads it. */
  public ObjectNode toJson() {
    return MAPPER.valueToTree(this);
  }

  /**
   * Returns the profile of a smaller or larger cluster: so many times the jobs, of the same sizes.
   * For a small part some of them may be large.
   *
   * @param factor positive
   * @throws IllegalArgumentException if it is not
   */
  public GoogleLikeProfile scaled(double factor) {
    if (!(factor > 0 && factor <= 1_000)) {
      throw new IllegalArgumentException(
          "scale was %s, must be above 0 and at most 1000.".formatted(factor));
    }
    return new GoogleLikeProfile(
        activity,
        dailyWave,
        classes.stream()
            .map(
                each ->
                    new OfClass(
                        each.name,
                        each.firstUser,
                        each.users,
                        scaled(each.running, factor),
                        scaled(each.arriving, factor),
                        each.replacements * factor,
                        each.burst,
                        each.demands,
                        each.wishes))
            .toList());
  }

  private static Jobs scaled(Jobs jobs, double factor) {
    return jobs.withNumber(jobs.number * factor);
  }
}
