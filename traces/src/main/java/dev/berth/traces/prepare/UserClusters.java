package dev.berth.traces.prepare;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Dimension;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Statistic;
import org.apache.commons.statistics.descriptive.StatisticsConfiguration;
import org.apache.commons.statistics.descriptive.Variance;
import org.hipparchus.clustering.CentroidCluster;
import org.hipparchus.clustering.Cluster;
import org.hipparchus.clustering.Clusterable;
import org.hipparchus.clustering.KMeansPlusPlusClusterer;
import org.hipparchus.clustering.MultiKMeansPlusPlusClusterer;
import org.hipparchus.clustering.distance.EuclideanDistance;
import org.hipparchus.clustering.evaluation.ClusterEvaluator;
import org.hipparchus.random.Well19937c;

/**
 * Groups of similar users of a workload. The groups come from k-means over the number of requests
 * and the variances of CPU demand, memory demand and service time (QoS-driven scheduling, section
 * 4.2).
 *
 * <p>All four features are extremely skewed: in the Google trace half of the users have at most six
 * requests, and one has 40,000. With plain standard scores, k-means forms groups of one or two such
 * users, and every sample then contains the same ones. The features are therefore logarithms first,
 * {@code ln n} for the number and {@code ln(1 + v/m)} for a variance, where m is the median of the
 * nonzero variances; and then standard scores. The result is the best of 20 trials of k-means++ by
 * sum of squares.
 *
 * @param users all users, in the order of their first requests
 * @param groups the names of the users in each group, in the same order. No group is empty. The
 *     largest group is first; equal groups are in the order of their first users.
 */
public record UserClusters(List<UserFeatures> users, List<List<String>> groups) {

  /** The number of groups in the paper. */
  public static final int GROUPS = 6;

  private static final int TRIALS = 20;
  private static final int MAX_ITERATIONS = 1_000;
  private static final double NANOS = 1e9;

  /** Copies the lists. */
  public UserClusters {
    users = List.copyOf(users);
    groups = groups.stream().map(List::copyOf).toList();
  }

  /**
   * Groups the users of a workload. Reads the workload once. Memory use grows with the number of
   * users.
   *
   * @param workload a workload whose requests all have a user
   * @param groups the number of groups, positive; the result has fewer if fewer users differ
   * @param seed the random seed of k-means++
   * @throws IllegalArgumentException if {@code groups} is not positive, or the workload has no
   *     request or a request without a user
   */
  public static UserClusters of(Workload workload, int groups, long seed) {
    refuseIf(groups < 1, "number of groups was %s, must be positive.", groups);
    List<UserFeatures> users = features(workload);
    List<Point> points = points(users);
    int distinct =
        (int) points.stream().map(point -> Arrays.toString(point.scores)).distinct().count();
    MultiKMeansPlusPlusClusterer<Point> kMeans =
        new MultiKMeansPlusPlusClusterer<>(
            new KMeansPlusPlusClusterer<>(
                Math.min(groups, distinct),
                MAX_ITERATIONS,
                new EuclideanDistance(),
                new Well19937c(seed)),
            TRIALS,
            new SumOfSquares());
    return new UserClusters(users, named(kMeans.cluster(points), users));
  }

  private static List<List<String>> named(
      List<CentroidCluster<Point>> clusters, List<UserFeatures> users) {
    return clusters.stream()
        .filter(cluster -> !cluster.getPoints().isEmpty())
        .map(cluster -> cluster.getPoints().stream().map(point -> point.index).sorted().toList())
        .sorted(
            Comparator.<List<Integer>>comparingInt(List::size)
                .reversed()
                .thenComparing(group -> group.get(0)))
        .map(group -> group.stream().map(index -> users.get(index).user()).toList())
        .toList();
  }

  // ---- Features

  private static List<UserFeatures> features(Workload workload) {
    Map<String, Moments> byUser = new LinkedHashMap<>();
    try (ArrivalSource source = workload.open()) {
      while (source.hasNext()) {
        Arrival arrival = source.next();
        byUser.computeIfAbsent(userOf(arrival, workload), user -> new Moments()).add(arrival);
      }
    }
    refuseIf(
        byUser.isEmpty(),
        "workload %s has no request, so it has no users to group.",
        workload.name());
    List<UserFeatures> features = new ArrayList<>();
    byUser.forEach((user, moments) -> features.add(moments.of(user)));
    return features;
  }

  /**
   * Returns the user of a request.
   *
   * @throws IllegalArgumentException if the request has none; treating each such request as a
   *     separate user would outnumber the actual users
   */
  static String userOf(Arrival arrival, Workload workload) {
    return arrival
        .user()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "workload %s: request %s has no user, must have one to be sampled by users. "
                            .formatted(workload.name(), arrival.request().id())
                        + "Maybe its format has no users, or some lines omit them."));
  }

  /** The features of one user, from the requests so far. */
  private static final class Moments {

    private final Variance cpu = Variance.create().setBiased(true);
    private final Variance memory = Variance.create().setBiased(true);
    private final Variance duration = Variance.create().setBiased(true);
    private long requests;

    void add(Arrival arrival) {
      requests++;
      cpu.accept(whole(arrival, Dimension.CPU));
      memory.accept(whole(arrival, Dimension.MEMORY));
      duration.accept(arrival.serviceTime() / NANOS);
    }

    private static double whole(Arrival arrival, Dimension dimension) {
      return (double) arrival.request().demand().amount(dimension) / dimension.unitsPerWhole();
    }

    UserFeatures of(String user) {
      return new UserFeatures(
          user, requests, cpu.getAsDouble(), memory.getAsDouble(), duration.getAsDouble());
    }
  }

  // ---- Points

  /** A user as a point for k-means. */
  private static final class Point implements Clusterable {

    private final int index;
    private final double[] scores;

    Point(int index, double[] scores) {
      this.index = index;
      this.scores = scores;
    }

    @Override
    public double[] getPoint() {
      return scores;
    }
  }

  private static List<Point> points(List<UserFeatures> users) {
    List<double[]> columns =
        List.of(
            standardised(column(users, user -> StrictMath.log((double) user.requests()))),
            standardised(logarithms(column(users, UserFeatures::cpuVariance))),
            standardised(logarithms(column(users, UserFeatures::memoryVariance))),
            standardised(logarithms(column(users, UserFeatures::durationVariance))));
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < users.size(); i++) {
      int index = i;
      points.add(new Point(i, columns.stream().mapToDouble(column -> column[index]).toArray()));
    }
    return points;
  }

  private static double[] column(List<UserFeatures> users, ToDoubleFunction<UserFeatures> feature) {
    return users.stream().mapToDouble(feature).toArray();
  }

  private static double[] logarithms(double[] variances) {
    double[] positive = Arrays.stream(variances).filter(each -> each > 0).toArray();
    if (positive.length == 0) {
      return variances;
    }
    double median = Median.withDefaults().evaluate(positive);
    return Arrays.stream(variances).map(each -> StrictMath.log1p(each / median)).toArray();
  }

  /** Returns standard scores; zeros if all values are equal. */
  private static double[] standardised(double[] values) {
    DoubleStatistics statistics =
        DoubleStatistics.builder(Statistic.MEAN, Statistic.STANDARD_DEVIATION)
            .setConfiguration(StatisticsConfiguration.withDefaults().withBiased(true))
            .build(values);
    double mean = statistics.getAsDouble(Statistic.MEAN);
    double deviation = statistics.getAsDouble(Statistic.STANDARD_DEVIATION);
    return Arrays.stream(values)
        .map(each -> deviation > 0 ? (each - mean) / deviation : 0)
        .toArray();
  }

  /**
   * Returns the objective of k-means: the sum of squared distances of all points from their
   * centres.
   */
  private static final class SumOfSquares extends ClusterEvaluator<Point> {

    @Override
    public double score(List<? extends Cluster<Point>> clusters) {
      double sum = 0;
      for (Cluster<Point> cluster : clusters) {
        Clusterable centre = centroidOf(cluster);
        for (Point point : cluster.getPoints()) {
          double distance = distance(point, centre);
          sum += distance * distance;
        }
      }
      return sum;
    }
  }
}
