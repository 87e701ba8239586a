package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.pipeline.AllocationScores.Weighted;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.api.plan.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Plans are the same with and without the host index. A score that depends on resources only lets
 * the engine use the index; the same score without that hint forces a scan of every host.
 */
class HostIndexTest {

  private static final List<Dimension> DIMENSIONS =
      IntStream.range(0, 5).mapToObj(i -> new Dimension("d" + i, 1)).toList();

  @Property(tries = 500)
  void indexFindsTheSameHostsAsAFullScan(
      @ForAll long seed,
      @ForAll("scores") AllocationScore score,
      @ForAll @IntRange(min = 1, max = 5) int dimensions,
      @ForAll @IntRange(min = 1, max = 150) int hosts) {
    Life life = new Life(score, seed, dimensions, hosts);
    for (int round = 0; round < 20; round++) {
      life.round();
    }
  }

  /** The index lags behind the last placement of a pass; removing that host must not corrupt it. */
  @Example
  void hostPlacedAndRemovedBetweenPassesLeavesIndexUnchanged() {
    Scheduler scheduler = Life.scheduler(AllocationScores.leastRequested(), 1);
    Dimension dimension = DIMENSIONS.get(0);
    IntStream.range(0, 12)
        .forEach(i -> scheduler.addHost(new HostSpec("small" + i, Resources.of(dimension, 1)), 0));
    List.of("x", "y", "z")
        .forEach(id -> scheduler.addHost(new HostSpec(id, Resources.of(dimension, 20)), 0));
    String left = placed(scheduler, "r1", Resources.of(dimension, 10));
    placed(scheduler, "r2", Resources.of(dimension, 10));
    String gone = placed(scheduler, "r3", Resources.of(dimension, 18));

    scheduler.removeHost(left, 0);
    scheduler.cancel("r1", 0);
    scheduler.cancel("r3", 0);

    assertThat(placed(scheduler, "r4", Resources.of(dimension, 15))).isEqualTo(gone);
  }

  private static String placed(Scheduler scheduler, String id, Resources demand) {
    scheduler.submit(Request.builder(id, "only").demand(demand).build(), 0);
    return ((Action.Place) scheduler.schedule(0).actions().get(0)).host();
  }

  @Provide
  Arbitrary<AllocationScore> scores() {
    AllocationScore room = AllocationScores.leastRequested();
    AllocationScore balance = AllocationScores.balancedAllocation();
    return Arbitraries.of(
        room,
        balance,
        AllocationScores.weighted(List.of(new Weighted(room, 1), new Weighted(balance, 1))),
        AllocationScores.weighted(List.of(new Weighted(room, 0.3), new Weighted(balance, 0))),
        new ByRemainders(),
        AllocationScores.weighted(
            List.of(new Weighted(room, 1), new Weighted(new ByRemainders(), 2))),
        new FullestFirst());
  }

  /** Is not monotone, so it has no useful upper bound. */
  private static final class ByRemainders implements ResourceScore {

    @Override
    public double score(Fit fit) {
      long sum = 0;
      for (int d = 0; d < fit.dimensions(); d++) {
        sum += (d + 3) * fit.used(d) + fit.capacity(d);
      }
      return sum % 7 - 3;
    }
  }

  /** Prefers full hosts, the opposite of the index key. */
  private static final class FullestFirst implements ResourceScore {

    @Override
    public double score(Fit fit) {
      return fit.dimensions() == 0 ? 0 : fit.used(0) - (double) fit.capacity(0);
    }

    @Override
    public double upperBound(Fit least, Fit most) {
      return score(most);
    }
  }

  /** Returns the same scores without the hint. */
  private record WithoutHint(AllocationScore score) implements AllocationScore {
    @Override
    public double score(Fit fit) {
      return score.score(fit);
    }
  }

  /** Reports the same events to two schedulers. */
  private static final class Life {

    private static final ServiceClass CLASS = ServiceClass.builder("only").build();

    private final Scheduler indexed;
    private final Scheduler plain;
    private final SplittableRandom random;
    private final int dimensions;
    private final List<Resources> shapes = new ArrayList<>(); // of hosts
    private final List<String> hosts = new ArrayList<>();
    private final List<String> instances = new ArrayList<>();
    private int number;
    private int known; // dimensions so far
    private long now;

    Life(AllocationScore score, long seed, int dimensions, int hosts) {
      this.indexed = scheduler(score, seed);
      this.plain = scheduler(new WithoutHint(score), seed);
      this.random = new SplittableRandom(seed);
      this.dimensions = dimensions;
      this.known = 1 + random.nextInt(dimensions);
      shapes.add(shape());
      shapes.add(shape());
      for (int i = 0; i < hosts; i++) {
        join();
      }
    }

    private static Scheduler scheduler(AllocationScore score, long seed) {
      return Scheduler.builder()
          .policy("test", context -> context.pipeline().allocationScore(score).build())
          .serviceClasses(CLASS)
          .seed(seed)
          .decisionLog(0)
          .build();
    }

    void round() {
      now++;
      if (known < dimensions && random.nextInt(4) == 0) {
        known++;
      }
      if (random.nextInt(3) == 0) {
        shapes.add(shape());
      }
      for (int i = random.nextInt(12); i > 0; i--) {
        int dice = random.nextInt(10);
        if (dice == 0 && !hosts.isEmpty()) {
          String host = hosts.remove(random.nextInt(hosts.size()));
          report(each -> each.removeHost(host, now));
        } else if (dice < 4) {
          join();
        } else if (dice < 8 && !instances.isEmpty()) {
          String id = instances.remove(random.nextInt(instances.size()));
          report(each -> each.cancel(id, now));
        } else {
          submit();
        }
      }
      for (int i = random.nextInt(Math.max(1, hosts.size())); i >= 0; i--) {
        submit();
      }
      assertThat(indexed.schedule(now)).isEqualTo(plain.schedule(now));
    }

    /** Some hosts lack some dimensions. */
    private Resources shape() {
      Resources.Builder shape = Resources.builder();
      long unit = random.nextInt(8) == 0 ? 1L << 58 : 1;
      for (int d = 0; d < known; d++) {
        int amount = random.nextInt(5) == 0 ? 0 : 4 + random.nextInt(12);
        shape.put(DIMENSIONS.get(d), amount * unit);
      }
      return shape.build();
    }

    private void join() {
      String id = "h" + number++;
      Resources capacity = shapes.get(random.nextInt(shapes.size()));
      HostSpec spec = new HostSpec(id, capacity, Map.of("rest", "" + number % 4));
      report(each -> each.addHost(spec, now));
      hosts.add(id);
    }

    private void submit() {
      String id = "r" + number++;
      Request.Builder request = Request.builder(id, CLASS.name()).demand(demand());
      if (random.nextInt(4) == 0) {
        request.constraint(new Constraint.Equal("rest", "" + random.nextInt(4)));
      }
      if (random.nextInt(3) == 0) {
        request.job("j" + random.nextInt(3)).antiAffinity(random.nextBoolean());
      }
      Request made = request.build();
      report(each -> each.submit(made, now));
      instances.add(id);
    }

    /** Demands are mostly small, sometimes half a host, in some of the dimensions. */
    private Resources demand() {
      Resources like = shapes.get(random.nextInt(shapes.size()));
      Resources.Builder demand = Resources.builder();
      int share = 2 + random.nextInt(10);
      for (int d = 0; d < known; d++) {
        if (random.nextInt(3) > 0) {
          demand.put(DIMENSIONS.get(d), like.amount(DIMENSIONS.get(d)) / share);
        }
      }
      return demand.build();
    }

    private void report(Consumer<Scheduler> event) {
      event.accept(indexed);
      event.accept(plain);
    }
  }
}
