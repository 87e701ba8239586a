package dev.berth.traces.prepare;

import static dev.berth.api.Arguments.refuseIf;

import com.google.common.collect.Iterators;
import dev.berth.api.ServiceClass;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * All requests of a random sample of the users of a workload, in their original order (QoS-driven
 * scheduling, section 4.2).
 *
 * <p>Each opening reads the workload again. Only the names of the users are in memory.
 */
public final class WorkloadSample implements Workload {

  /** The share of users drawn from each group in the paper. */
  public static final double SHARE = 0.1;

  private final Workload source;
  private final String name;
  private final Set<String> users;
  private final long size;

  private WorkloadSample(Workload source, String name, Set<String> users, long size) {
    this.source = source;
    this.name = name;
    this.users = users;
    this.size = size;
  }

  /**
   * Draws users without replacement, with the same share of each group.
   *
   * @param source the workload
   * @param clusters the users of the workload
   * @param share the share of each group, above 0 and at most 1; rounded to the nearest number of
   *     users, but at least one
   * @param number the number of the sample, positive; samples with different numbers are
   *     independent
   * @param seed the random seed
   * @return a sample whose name contains number and seed
   * @throws IllegalArgumentException if the share or the number is out of range
   */
  public static WorkloadSample of(
      Workload source, UserClusters clusters, double share, int number, long seed) {
    refuseIf(
        !(share > 0 && share <= 1), "share of users was %s, must be above 0 and at most 1.", share);
    refuseIf(number < 1, "number of the sample was %s, must be positive.", number);
    Random random = new Random(SeededTieBreaker.hash(seed, "users of sample " + number));
    Set<String> users = new LinkedHashSet<>();
    for (List<String> group : clusters.groups()) {
      List<String> shuffled = new ArrayList<>(group);
      Collections.shuffle(shuffled, random);
      users.addAll(shuffled.subList(0, (int) Math.max(1, Math.round(share * group.size()))));
    }
    long size =
        clusters.users().stream()
            .filter(user -> users.contains(user.user()))
            .mapToLong(UserFeatures::requests)
            .sum();
    String name = "%s, sample %s (seed %s)".formatted(source.name(), number, seed);
    return new WorkloadSample(source, name, Collections.unmodifiableSet(users), size);
  }

  @Override
  public String name() {
    return name;
  }

  /** Returns the drawn users. */
  public Set<String> users() {
    return users;
  }

  /** Returns the classes of the original workload. */
  @Override
  public List<ServiceClass> serviceClasses() {
    return source.serviceClasses();
  }

  @Override
  public OptionalLong size() {
    return OptionalLong.of(size);
  }

  @Override
  public ArrivalSource open() {
    ArrivalSource all = source.open();
    return ArrivalSource.of(
        Iterators.filter(all, each -> users.contains(UserClusters.userOf(each, source))),
        all::close);
  }
}
