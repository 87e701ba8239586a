package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions after days to a century of service are those of exact arithmetic. */
class LongServiceTest {

  private static final long CENTURY = Duration.ofDays(36_500).toNanos();
  private static final long BILLION = 1_000_000_000;

  /** Q is not computed more finely than this at the lowest objective. */
  private static final BigInteger RESOLUTION = BigInteger.valueOf(2_048);

  @ParameterizedTest(name = "slo {0}, {1} days of service")
  @CsvSource({
    "0.001, 106", "0.001, 107", "0.001, 365", "0.001, 3650", "0.001, 18250", "0.001, 36500",
    "0.003, 330", "0.01, 1100", "0.05, 6000", "0.1, 11000", "0.3333, 36500", "0.4, 36500",
    "0.5, 36500",
  })
  void anInstanceFarAheadOfItsObjectiveIsPreempted(double slo, int days) {
    for (long epoch : new long[] {0, -CENTURY, Duration.ofDays(20_500).toNanos()}) {
      Scheduler scheduler =
          scheduler(
              List.of(
                  ServiceClass.builder("gold").build(),
                  ServiceClass.builder("patient").slo(slo).build()));
      scheduler.addHost(new HostSpec("h", cores(1)), epoch);
      submit(scheduler, "old", "patient", epoch);
      scheduler.schedule(epoch);
      scheduler.started("old", epoch);
      long now = epoch + Duration.ofDays(days).toNanos();
      submit(scheduler, "new", "gold", now);

      assertThat(victim(scheduler.schedule(now))).as("from %s ns", epoch).contains("old");
    }
  }

  /** Two instances run on a host, a third one loses its host: who is preempted for it? */
  @Property(tries = 2000)
  void decisionsAreThoseOfExactArithmetic(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<ServiceClass> classes =
        Stream.of("a", "b", "c")
            .<ServiceClass>map(
                name ->
                    ServiceClass.builder(name)
                        .slo(new Slo(parts(random)).share())
                        .importance(random.nextInt(1, 3))
                        .safetyMargin(Duration.ofSeconds(random.nextInt(20)))
                        .build())
            .toList();
    Scheduler scheduler = scheduler(classes);
    long epoch = random.nextLong(-CENTURY, CENTURY / 2);
    long now = epoch + age(random);
    scheduler.addHost(new HostSpec("h", cores(2)), epoch);
    Life first = Life.drawn("k1", classes, epoch, now, random);
    Life second = Life.drawn("k2", classes, epoch, now, random);
    Life waits = Life.drawn("j", classes, epoch, now, random);
    Stream.of(
            new Step(
                first.admitted, () -> submit(scheduler, "k1", first.of.name(), first.admitted)),
            new Step(
                second.admitted, () -> submit(scheduler, "k2", second.of.name(), second.admitted)),
            new Step(first.ready, () -> start(scheduler, first)),
            new Step(second.ready, () -> start(scheduler, second)))
        .sorted(Comparator.comparingLong(Step::at)) // stable
        .forEach(each -> each.what.run());
    long from = Math.max(first.ready, second.ready);
    Life beneficiary =
        new Life("j", waits.of, Math.max(from, waits.admitted), Math.max(from, waits.ready));
    scheduler.addHost(new HostSpec("g", cores(1)), beneficiary.admitted);
    submit(scheduler, "j", beneficiary.of.name(), beneficiary.admitted);
    start(scheduler, beneficiary);
    long end = random.nextLong(beneficiary.ready, now + 1);
    scheduler.removeHost("g", end);

    BigInteger qj = beneficiary.metric(end, now);
    List<Life> byMetric =
        Stream.of(first, second)
            .sorted(Comparator.comparing((Life each) -> each.metric(now, now)).reversed())
            .toList();
    List<BigInteger> all =
        Stream.concat(Stream.of(qj), byMetric.stream().map(each -> each.metric(now, now))).toList();
    if (areClose(all)
        || beneficiary.isNearMargin(qj)
        || byMetric.stream().anyMatch(k -> k.isNearMargin(k.metric(now, now)))) {
      return;
    }
    Optional<String> expected =
        byMetric.stream()
            .filter(k -> allowed(beneficiary, qj, k, k.metric(now, now)))
            .map(Life::id)
            .findFirst();
    assertThat(victim(scheduler.schedule(now)))
        .as("%s with Q %s, and %s with %s", beneficiary, qj, byMetric, all)
        .isEqualTo(expected);
  }

  private record Step(long at, Runnable what) {}

  private record Life(String id, ServiceClass of, long admitted, long ready) {

    static Life drawn(
        String id, List<ServiceClass> classes, long epoch, long now, SplittableRandom random) {
      long admitted = random.nextLong(epoch, now + 1);
      return new Life(
          id,
          classes.get(random.nextInt(classes.size())),
          admitted,
          random.nextBoolean() ? admitted : random.nextLong(admitted, now + 1));
    }

    /** Q of an instance that ran until an end, and then waited. */
    BigInteger metric(long end, long now) {
      return BigInteger.valueOf(end - ready)
          .multiply(BigInteger.valueOf(BILLION))
          .divide(BigInteger.valueOf(of.slo().partsPerBillion()))
          .subtract(BigInteger.valueOf(now - admitted));
    }

    BigInteger margin() {
      return BigInteger.valueOf(of.safetyMargin().toNanos());
    }

    boolean isNearMargin(BigInteger metric) {
      return metric.subtract(margin()).abs().compareTo(RESOLUTION) < 0;
    }
  }

  private static boolean allowed(Life j, BigInteger qj, Life k, BigInteger qk) {
    if (qk.compareTo(k.margin()) >= 0) {
      return qj.compareTo(qk) < 0;
    }
    int byImportance = Integer.compare(j.of.importance(), k.of.importance());
    return qj.compareTo(j.margin()) < 0
        && (byImportance < 0 || (byImportance == 0 && qj.compareTo(qk) < 0));
  }

  private static boolean areClose(List<BigInteger> all) {
    List<BigInteger> sorted = all.stream().sorted().toList();
    return IntStream.range(1, sorted.size())
        .anyMatch(i -> sorted.get(i).subtract(sorted.get(i - 1)).compareTo(RESOLUTION) < 0);
  }

  private static long parts(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> Slo.MIN_PARTS_PER_BILLION;
      case 1 -> random.nextLong(Slo.MIN_PARTS_PER_BILLION, BILLION / 50);
      case 2 -> BILLION / random.nextLong(1, 30);
      default -> random.nextLong(Slo.MIN_PARTS_PER_BILLION, BILLION + 1);
    };
  }

  private static long age(SplittableRandom random) {
    return random.nextInt(3) == 0
        ? CENTURY - random.nextInt(5)
        : random.nextLong(1L << random.nextInt(30, 62)) % CENTURY;
  }

  private static void start(Scheduler scheduler, Life instance) {
    scheduler.schedule(instance.ready);
    scheduler.started(instance.id, instance.ready);
  }

  private static Scheduler scheduler(List<ServiceClass> classes) {
    return Scheduler.builder()
        .registry(Policies.REGISTRY)
        .policy("qos-driven")
        .serviceClasses(classes)
        .build();
  }

  private static void submit(Scheduler scheduler, String id, String serviceClass, long now) {
    scheduler.submit(Request.builder(id, serviceClass).demand(cores(1)).build(), now);
  }

  private static Resources cores(int count) {
    return Resources.of(Dimension.CPU, count);
  }

  private static Optional<String> victim(Plan plan) {
    return plan.actions(Action.Preempt.class).stream().map(Action.Preempt::instance).findFirst();
  }
}
