package dev.berth.traces.prepare;

import dev.berth.api.ServiceClass;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All requests of some users of a workload, in their order (QoS-driven scheduling, section 4.2).
 *
 * <p>It reads the workload anew each time it is opened, and holds nothing of it but the names of
 * the users.
 */
public final class WorkloadSample implements Workload {

  /** The paper's share of the users of each group. */
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
   * Draws users without replacement, of each group the same share.
   *
   * @param source a workload
   * @param clusters its users
   * @param share of each group that is drawn, above 0 and at most 1; rounded to the nearest number
   *     of users, but at least one
   * @param number of the sample, positive; samples of different numbers are drawn independently
   * @param seed of the draw
   * @return a sample whose name tells number and seed
   * @throws IllegalArgumentException if the share or the number is out of range
   */
  public static WorkloadSample of(
      Workload source, UserClusters clusters, double share, int number, long seed) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share of users was %s, must be above 0 and at most 1.".formatted(share));
    }
    if (number < 1) {
      throw new IllegalArgumentException(
          "number of the sample was %s, must be positive.".formatted(number));
    }
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

  /** Returns the users that were drawn. */
  public Set<String> users() {
    return users;
  }

  /** Returns the classes of the whole workload. */
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
    return new Selection(source.open());
  }

  /** What is left of one reading of the workload. */
  private final class Selection implements ArrivalSource {

    private final ArrivalSource all;
    private @Nullable Arrival ahead;

    Selection(ArrivalSource all) {
      this.all = all;
    }

    @Override
    public boolean hasNext() {
      while (ahead == null && all.hasNext()) {
        Arrival next = all.next();
        ahead = users.contains(UserClusters.userOf(next, source)) ? next : null;
      }
      return ahead != null;
    }

    @Override
    public Arrival next() {
      Arrival next = hasNext() ? ahead : null;
      if (next == null) {
        throw new NoSuchElementException();
      }
      ahead = null;
      return next;
    }

    @Override
    public void close() {
      all.close();
    }
  }
}
