package dev.berth.testkit.history;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The optional properties of a request, independent of its demand. Shares of the demand are in
 * eighths, from 0 to 8.
 *
 * @param guaranteed the guaranteed resources, one share for each dimension, superfluous ones
 *     ignored; empty: all
 * @param estimate the estimated run time, positive; or empty
 * @param deadline the deadline after its admission, positive; or empty
 * @param maxRunTime the longest run time, positive; or empty
 * @param moldable whether it runs on fewer cores, as {@link Moldability#LINPACK} does
 * @param memory the share of its memory that it needs in the first minute of its work, the second,
 *     and so on; empty: unknown
 * @param worksWithLess whether it runs with half of its memory, in twice the time
 * @param application number of the application it runs and of its user, or 0 if unknown; a label
 *     and the payload have the number, too. Instances of application 1 end with their first
 *     {@linkplain Request#maxFailures failure}, those of application 2 {@linkplain
 *     Request#losesProgress lose their progress}
 * @param tier number of the label {@code tier}, as {@code "t1"}; 0 for none
 * @param placement the tolerations, rules and preferences
 * @param after how many of the instances that were admitted last it is to start after
 */
public record RequestOptions(
    List<Integer> guaranteed,
    Optional<Duration> estimate,
    Optional<Duration> deadline,
    Optional<Duration> maxRunTime,
    boolean moldable,
    List<Integer> memory,
    boolean worksWithLess,
    int application,
    int tier,
    PlacementSpec placement,
    int after) {

  private static final int NEVER_FAILS = 1;
  private static final int REPEATS = 2;

  /** The names of the counted limits of histories. */
  public static final List<String> LIMITS = List.of("matlab", "maple", "mixed");

  /**
   * Creates options without a longest run time that say nothing about other instances and taints.
   */
  public RequestOptions(
      List<Integer> guaranteed,
      Optional<Duration> estimate,
      Optional<Duration> deadline,
      boolean moldable,
      List<Integer> memory,
      boolean worksWithLess,
      int application) {
    this(
        guaranteed,
        estimate,
        deadline,
        Optional.empty(),
        moldable,
        memory,
        worksWithLess,
        application,
        0,
        PlacementSpec.NONE,
        0);
  }

  /** No options. */
  public static final RequestOptions NONE =
      new RequestOptions(List.of(), Optional.empty(), Optional.empty(), false, List.of(), false, 0);

  /** The number of parts that shares are counted in. */
  public static final int EIGHTHS = 8;

  /** Copies the lists. */
  public RequestOptions {
    guaranteed = List.copyOf(guaranteed);
    memory = List.copyOf(memory);
  }

  /** Returns these options with another tier, tolerations, rules and preferences. */
  public RequestOptions placed(int otherTier, PlacementSpec otherPlacement) {
    return new RequestOptions(
        guaranteed,
        estimate,
        deadline,
        maxRunTime,
        moldable,
        memory,
        worksWithLess,
        application,
        otherTier,
        otherPlacement,
        after);
  }

  /** Returns these options with another longest run time. */
  public RequestOptions running(Optional<Duration> atMost) {
    return new RequestOptions(
        guaranteed,
        estimate,
        deadline,
        atMost,
        moldable,
        memory,
        worksWithLess,
        application,
        tier,
        placement,
        after);
  }

  /** Returns these options of a request that is to start after so many others. */
  public RequestOptions after(int others) {
    return new RequestOptions(
        guaranteed,
        estimate,
        deadline,
        maxRunTime,
        moldable,
        memory,
        worksWithLess,
        application,
        tier,
        placement,
        others);
  }

  /** Returns some eighths of an amount, rounded down. */
  static long share(long amount, int eighths) {
    return amount / EIGHTHS * eighths + amount % EIGHTHS * eighths / EIGHTHS;
  }

  /** Sets the options in a request with that demand. */
  void applyTo(Request.Builder request, Resources demand) {
    if (!guaranteed.isEmpty()) {
      request.guaranteed(guaranteedOf(demand));
    }
    estimate.ifPresent(request::estimatedRunTime);
    deadline.ifPresent(request::deadline);
    maxRunTime.ifPresent(request::maxRunTime);
    if (moldable) {
      request.moldability(Moldability.LINPACK);
    }
    long all = demand.amount(Dimension.MEMORY);
    if (!memory.isEmpty()) {
      request.memoryProfile(profileOf(all));
    }
    if (application > 0) {
      request
          .application("a" + application)
          .user("u" + application)
          .label("team", "t" + application)
          .payload("run a" + application)
          .losesProgress(application == REPEATS);
    }
    if (application == NEVER_FAILS) {
      request.maxFailures(0);
    }
    if (tier > 0) {
      request.label("tier", "t" + tier);
    }
    request.placement(placement);
    if (worksWithLess) {
      Duration atBest = estimate.orElse(Duration.ofMinutes(1));
      List<PerformanceMemoryProfile.Point> points = new ArrayList<>();
      points.add(new PerformanceMemoryProfile.Point(all, atBest.toNanos()));
      if (all > 0) {
        points.add(new PerformanceMemoryProfile.Point(all / 2, 2 * atBest.toNanos()));
      }
      request.performanceMemoryProfile(PerformanceMemoryProfile.of(points));
    }
  }

  private Resources guaranteedOf(Resources demand) {
    Resources.Builder least = Resources.builder();
    for (Dimension each : demand.dimensions()) {
      int at = Scale.DIMENSIONS.indexOf(each);
      int eighths = at >= 0 && at < guaranteed.size() ? guaranteed.get(at) : EIGHTHS;
      least.put(each, share(demand.amount(each), eighths));
    }
    return least.build();
  }

  private MemoryProfile profileOf(long all) {
    List<MemoryProfile.Step> steps = new ArrayList<>();
    for (int eighths : memory) {
      long from = Duration.ofMinutes(steps.size()).toNanos();
      steps.add(new MemoryProfile.Step(from, share(all, eighths)));
    }
    return MemoryProfile.of(steps);
  }
}
