package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.ScoreWeights;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds in value and time of {@link QosPreemptionRule} and {@link PaidSwitchRule}. */
class QosPreemptionDatesTest {

  private static final long SECOND = 1_000_000_000;
  private static final QosMetric METRIC = new QosMetric(Duration.ZERO, QosUnit.NANOSECOND);

  /** Beneficiaries up to the bound are allowed the victim; the first beyond it is not. */
  @Property(tries = 5000)
  void allowedUpToBoundsPermissions(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Duel duel = Duel.any(random);
    Pair pair = duel.at(duel.start);
    if (!duel.rule.judge(pair).allowed()) {
      return;
    }
    long upTo = duel.rule.allowedUpTo(pair);
    assertThat(upTo).isGreaterThanOrEqualTo(pair.beneficiaryValue());
    assertThat(duel.judge(pair, upTo)).isTrue();
    assertThat(duel.judge(pair, upTo + 1)).isFalse();
    for (int i = 0; i < 20; i++) {
      assertThat(duel.judge(pair, upTo - random.nextLong(1L << random.nextInt(1, 60)))).isTrue();
    }
  }

  /** Tries times sparsely from now on, and densely shortly before the reported time. */
  @Property(tries = 20_000)
  void refusedUntilBoundsRefusals(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Duel duel = Duel.any(random);
    Pair pair = duel.at(duel.start);
    Verdict verdict = duel.rule.judge(pair);
    if (verdict.allowed()) {
      return;
    }
    long until = duel.rule.refusedUntil(pair);
    assertThat(until).isGreaterThanOrEqualTo(duel.start);
    for (long time : instants(random, duel.start, until)) {
      assertThat(duel.rule.judge(duel.at(time)).allowed())
          .as("%s, at %s, until %s", duel, time, until)
          .isFalse();
      if (verdict.closesClass()) {
        Duel later = duel.withLaterVictim(random);
        assertThat(later.rule.judge(later.at(time)).allowed())
            .as("%s, closed by %s, at %s, until %s", later, duel, time, until)
            .isFalse();
      }
    }
  }

  /**
   * A refusal is reconsidered no earlier than rounding demands. Margins are equal: otherwise a
   * victim may pass its own margin first, and the bound is loose.
   */
  @Property(tries = 5000)
  void refusedUntilIsClose(@ForAll long seed) {
    Duel duel = Duel.withMargins(new SplittableRandom(seed), () -> 5);
    Pair pair = duel.at(duel.start);
    Verdict verdict = duel.rule.judge(pair);
    double parts = (double) duel.victim.serviceClass.slo().partsPerBillion();
    boolean gains = duel.victim.state == InstanceState.RUNNING && parts < 1e9;
    if (verdict.allowed()
        || !gains // reconsidered now or never
        || duel.rule.refusedUntil(pair) > 1L << 61) { // in decades, or never
      return;
    }
    long wait = duel.rule.refusedUntil(pair) - duel.start;
    double slowest = 1 + parts / (1e9 - parts); // nanoseconds for a change of one
    double life = (double) (duel.start + wait - duel.victim.admittedAt());
    long close = 10 + (long) (10 * slowest + 1e-8 * life);
    Verdict later = duel.rule.judge(duel.at(duel.start + wait + close));
    boolean protectedByALimit =
        List.of("over-overhead-limit", "at-preemption-limit", "over-restart-share")
            .contains(later.code());
    assertThat(later.allowed() || (protectedByALimit && !later.equals(verdict)))
        .as("%s, refused for %s: %s, then %s", duel, wait, verdict, later)
        .isTrue();
  }

  /** The number of preemptions stays while the victim is on its host. */
  @Property(tries = 5000)
  void refusesForGoodAtTheLimitOfPreemptions(@ForAll long seed) {
    Duel duel = Duel.any(new SplittableRandom(seed));
    Pair pair = duel.at(duel.start);
    if (duel.rule.judge(pair).code().equals("at-preemption-limit")) {
      assertThat(duel.rule.refusedUntil(pair)).isEqualTo(Long.MAX_VALUE);
    }
  }

  /** A difference of a nanosecond may come from rounding, and takes a second to close. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void roundingPostponesNoVerdict(long missing) {
    ServiceClass strict =
        ServiceClass.builder("strict")
            .slo(0.999999999)
            .importance(1)
            .safetyMargin(Duration.ofSeconds(5))
            .build();
    Duel duel =
        new Duel(
            List.of(strict, ServiceClass.builder("less").importance(2).build()),
            1,
            0,
            SECOND,
            6 * SECOND,
            5 * SECOND - missing - METRIC.drift(strict, InstanceState.RUNNING, SECOND),
            new Resident(strict, InstanceState.RUNNING, SECOND, 0, 0, 0));

    assertThat(duel.rule.refusedUntil(duel.at(SECOND))).isEqualTo(SECOND);
  }

  /** With an objective of 0.9, Q exceeds a margin of ten seconds after 90 s of service. */
  @Test
  void preemptsAtTheInstantAVictimGetsAhead() {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("qos-driven")
            .serviceClasses(
                ServiceClass.builder("silver").slo(0.9).importance(1).build(),
                ServiceClass.builder("bronze").slo(0.5).importance(2).build())
            .build();
    Resources whole = Resources.of(Dimension.CPU, 1);
    scheduler.addHost(new HostSpec("h", whole), 0);
    scheduler.submit(Request.builder("victim", "silver").demand(whole).build(), 0);
    scheduler.schedule(0);
    scheduler.started("victim", 0);
    scheduler.submit(Request.builder("waits", "bronze").demand(whole).build(), 89 * SECOND);
    assertThat(scheduler.schedule(89 * SECOND).preemptions()).isEmpty();

    assertThat(scheduler.schedule(90 * SECOND).preemptions()).hasSize(1);
  }

  private static List<Long> instants(SplittableRandom random, long from, long until) {
    List<Long> instants = new ArrayList<>();
    long span = until == Long.MAX_VALUE ? 1_000_000_000 * SECOND : until - from;
    for (int i = 1; i <= 20; i++) {
      instants.add(from + span - i);
      instants.add(from + random.nextLong(1L << random.nextInt(1, 60)));
      instants.add(from + span - random.nextLong(1L << random.nextInt(1, 40)));
    }
    instants.removeIf(each -> each < from || each >= from + span);
    return instants;
  }

  @ParameterizedTest(
      name = "victim {0} with {1} s of slack, beneficiary with {2} s: {3} s from now")
  @CsvSource({
    // A gain of one second per second, at an objective of one half, and a margin of ten seconds.
    "RUNNING, 9, 60, 25.5", // (A): the difference shrinks by two seconds per second
    "RUNNING, 4, 11, 3.5", // (C): both are below their margins by then
    "RUNNING, 4, 5, 0.5",
    "STARTING, 9, 60, never", // both lose Q at the same rate
  })
  void reconsidersAnExpiredRefusal(
      InstanceState state, long slack, long slackOfBeneficiary, String expected) {
    ServiceClass half =
        ServiceClass.builder("half").slo(0.5).safetyMargin(Duration.ofSeconds(10)).build();
    Duel duel =
        new Duel(
            List.of(half),
            0,
            0,
            SECOND,
            slackOfBeneficiary * SECOND + SECOND,
            slack * SECOND - METRIC.drift(half, state, SECOND),
            new Resident(half, state, SECOND, 0, 0, 0));

    long until = duel.rule.refusedUntil(duel.at(SECOND));

    if (expected.equals("never")) {
      assertThat(until).isEqualTo(Long.MAX_VALUE);
    } else {
      long instant = SECOND + Math.round(Double.parseDouble(expected) * SECOND);
      assertThat(until).isBetween(instant - 100, instant);
    }
  }

  /**
   * Two instances that stay in their states.
   *
   * @param keyJ of the pending instance: the constant part of its value
   * @param keyK of the victim
   */
  private record Duel(
      List<ServiceClass> classes,
      int classJ,
      int classK,
      long start,
      long keyJ,
      long keyK,
      Resident victim,
      MonotonePreemptionRule rule) {

    Duel(
        List<ServiceClass> classes,
        int classJ,
        int classK,
        long start,
        long keyJ,
        long keyK,
        Resident victim) {
      this(
          classes,
          classJ,
          classK,
          start,
          keyJ,
          keyK,
          victim,
          new QosPreemptionRule(classes, QosUnit.NANOSECOND, QosDrivenConfig.UNLIMITED));
    }

    static Duel any(SplittableRandom random) {
      return withMargins(random, () -> 5L * random.nextInt(3));
    }

    static Duel withMargins(SplittableRandom random, LongSupplier seconds) {
      List<ServiceClass> classes =
          List.of(anyClass("a", seconds, random), anyClass("b", seconds, random));
      int classK = random.nextInt(2);
      long start =
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1_700_000_000 * SECOND + random.nextLong(SECOND); // a time of a real clock
            case 2 -> -random.nextLong(1L << 50);
            default -> random.nextLong(1L << 50);
          };
      InstanceState state = random.nextInt(4) == 0 ? InstanceState.STARTING : InstanceState.RUNNING;
      ServiceClass ofVictim = classes.get(classK);
      Resident victim =
          new Resident(
              ofVictim,
              state,
              start - anyLength(random),
              anyLength(random),
              random.nextInt(3) == 0 ? 0 : anyLength(random),
              random.nextInt(4));
      return new Duel(
          classes,
          random.nextInt(2),
          classK,
          start,
          anyValue(classes, random) + start,
          anyValue(classes, random) - METRIC.drift(ofVictim, state, start),
          victim,
          random.nextBoolean()
              ? new QosPreemptionRule(classes, QosUnit.NANOSECOND, random.nextInt(-1, 3))
              : anyPaidSwitchRule(classes, random));
    }

    private static PaidSwitchRule anyPaidSwitchRule(
        List<ServiceClass> classes, SplittableRandom random) {
      QosHysteresisConfig config =
          new QosHysteresisConfig(
              random.nextBoolean() ? 0.0125 : 0.0001 + random.nextDouble() / 2.1,
              Duration.ofNanos(random.nextInt(3) == 0 ? 0 : anyLength(random) / 1000),
              Overload.EQUAL,
              Duration.ofSeconds(10),
              ScoreWeights.EQUAL);
      return new PaidSwitchRule(
          config,
          classes,
          QosUnit.NANOSECOND,
          new SwitchPrice(config, classes, QosUnit.NANOSECOND));
    }

    private static ServiceClass anyClass(
        String name, LongSupplier seconds, SplittableRandom random) {
      long share =
          switch (random.nextInt(4)) {
            case 0 -> 1_000_000_000;
            case 1 -> 500_000_000;
            default -> random.nextLong(Slo.MIN_PARTS_PER_BILLION, 1_000_000_000);
          };
      return ServiceClass.builder(name)
          .slo(share / 1e9)
          .importance(1 + random.nextInt(2))
          .safetyMargin(Duration.ofSeconds(seconds.getAsLong()))
          .preemptionOverheadLimit(random.nextInt(4) == 0 ? 0 : random.nextDouble())
          .build();
    }

    /** Returns a value near zero, near a margin, or any other. */
    private static long anyValue(List<ServiceClass> classes, SplittableRandom random) {
      long near =
          switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> classes.get(0).safetyMargin().toNanos();
            default -> classes.get(1).safetyMargin().toNanos();
          };
      long away = random.nextLong(1L << random.nextInt(1, 50));
      return random.nextBoolean() ? near + away : near - away;
    }

    private static long anyLength(SplittableRandom random) {
      return random.nextLong(1L << random.nextInt(1, 50));
    }

    /** Returns the pair with a victim that is later in victim order. */
    Duel withLaterVictim(SplittableRandom random) {
      Resident other =
          new Resident(
              victim.serviceClass,
              victim.state,
              start - anyLength(random),
              anyLength(random),
              anyLength(random),
              random.nextInt(4));
      long less = random.nextLong(1L << random.nextInt(1, 50));
      return new Duel(classes, classJ, classK, start, keyJ, keyK - less, other, rule);
    }

    Pair at(long now) {
      return new Pair(
          now,
          classJ,
          keyJ + METRIC.drift(classes.get(classJ), InstanceState.PENDING, now),
          classK,
          keyK + METRIC.drift(classes.get(classK), victim.state, now),
          victim);
    }

    boolean judge(Pair pair, long beneficiaryValue) {
      return rule.judge(
              new Pair(
                  pair.now,
                  pair.beneficiaryClassRank,
                  beneficiaryValue,
                  pair.victimClassRank,
                  pair.victimValue,
                  pair.victim))
          .allowed();
    }
  }

  private record Pair(
      long now,
      int beneficiaryClassRank,
      long beneficiaryValue,
      int victimClassRank,
      long victimValue,
      Instance victim)
      implements PreemptionPair {

    @Override
    public Instance beneficiary() {
      throw new UnsupportedOperationException();
    }
  }

  /** An instance on a host that only has accounts. */
  private record Resident(
      ServiceClass serviceClass,
      InstanceState state,
      long stateSince,
      long served,
      long lost,
      int preemptions)
      implements Instance {

    @Override
    public long serviceTime(long now) {
      return state == InstanceState.RUNNING ? served + now - stateSince : served;
    }

    @Override
    public long restartOverhead() {
      return lost;
    }

    @Override
    public Request request() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Host> host() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long admittedAt() {
      return stateSince - served - lost;
    }

    @Override
    public long earnedTime(long now) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int placements() {
      throw new UnsupportedOperationException();
    }
  }
}
