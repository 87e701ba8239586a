package dev.berth.testkit.contract;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePlacement;
import dev.berth.testkit.rule.Rule;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks of the victims of a placement (P08, P18, P41, P52, P53).
 *
 * @param expectedOverhead α in nanoseconds, which is subtracted from Q
 * @param mostRestarts the promised share of a life
 */
record PreemptionChecks(long expectedOverhead, double mostRestarts) {

  /** Which part of its earlier service is the least turn of an instance (P53). */
  private static final long TURNS = 20;

  /** By how much the two sides of P41 may differ through rounding, as a share. */
  private static final double ROUNDING = 1e-9;

  /**
   * Checks rules (A) to (C) of section 3.3.1 and the limit of Eq. 8 (P08). A subject may compute Q
   * in nanoseconds, or in the larger unit that a low objective demands.
   */
  void checkMargins(ReferenceInstance j, ReferenceInstance k, long now) {
    BigInteger rounding = rounding(j);
    BigInteger qj = j.exactQos(now, expectedOverhead);
    BigInteger qk = k.exactQos(now, expectedOverhead);
    int rankJ = j.serviceClass().importance();
    int rankK = k.serviceClass().importance();
    boolean lessSlack = qj.compareTo(qk.add(rounding)) < 0;
    boolean victimMayBeAhead = qk.compareTo(margin(k).subtract(rounding)) >= 0;
    boolean bothMayBeWithin =
        qk.compareTo(margin(k).add(rounding)) < 0 && qj.compareTo(margin(j).add(rounding)) < 0;
    boolean allowed =
        (victimMayBeAhead && lessSlack)
            || (bothMayBeWithin && (rankJ < rankK || (rankJ == rankK && lessSlack)));
    if (!allowed) {
      throw Rule.P08.broken("%s preempts %s: %s, %s", j.id(), k.id(), slack(j, qj), slack(k, qk));
    }
    double limit = k.serviceClass().preemptionOverheadLimit();
    if (k.serviceClass().equals(j.serviceClass()) && k.preemptionOverhead(now) > limit) {
      throw Rule.P08.broken(
          "%s preempts %s of its own class, whose restarts cost %s of its time, more than %s",
          j.id(), k.id(), k.preemptionOverhead(now), limit);
    }
  }

  /** Returns by how much a subject may misjudge Q: two units, if the unit is not a nanosecond. */
  private BigInteger rounding(ReferenceInstance instance) {
    long unit = instance.unitOfQos(expectedOverhead);
    return unit == 1 ? BigInteger.ZERO : BigInteger.valueOf(2 * unit);
  }

  private static BigInteger margin(ReferenceInstance instance) {
    return BigInteger.valueOf(instance.serviceClass().safetyMargin().toNanos());
  }

  private static String slack(ReferenceInstance instance, BigInteger qos) {
    return "%s (%s, importance %s) has Q %ss of margin %s"
        .formatted(
            instance.id(),
            instance.serviceClass().name(),
            instance.serviceClass().importance(),
            new BigDecimal(qos, 9).stripTrailingZeros().toPlainString(),
            instance.serviceClass().safetyMargin());
  }

  /**
   * Checks that the restarts of a victim, less an average one, took at most the promised share of
   * its life (P41), unless its beneficiary is more important.
   */
  void checkRestarts(ReferenceInstance j, ReferenceInstance k, long now) {
    if (j.serviceClass().importance() < k.serviceClass().importance()) {
      return;
    }
    long restarts = k.restartOverhead();
    int preemptions = k.preemptions();
    long life = now - k.admittedAt();
    // Multiplied by n, so that an instance that was never preempted needs no case of its own.
    double taken = (double) restarts * (preemptions - 1);
    double promised = mostRestarts * (double) life * preemptions;
    if (taken > promised * (1 + ROUNDING)) {
      throw Rule.P41.broken(
          "%s preempts %s, which is not less important: the restarts after its %s preemptions took"
              + " %s of a life of %s, less an average one more than %s of it",
          j.id(),
          k.id(),
          preemptions,
          Duration.ofNanos(restarts),
          Duration.ofNanos(life),
          mostRestarts);
    }
  }

  /** Checks that a victim does not lose its progress to one that is not more important (P52). */
  static void checkProgress(ReferenceInstance j, ReferenceInstance k) {
    boolean moreImportant = j.serviceClass().importance() < k.serviceClass().importance();
    if (k.request().losesProgress() && !moreImportant) {
      throw Rule.P52.broken(
          "%s preempts %s, which loses its progress and is not less important", j.id(), k.id());
    }
  }

  /** Checks that a victim has run for long enough to yield to an equal (P53). */
  static void checkTurn(ReferenceInstance j, ReferenceInstance k, long now) {
    long before = k.serviceTime(k.stateSince());
    long turn = now - k.stateSince();
    if (j.serviceClass().importance() == k.serviceClass().importance() && turn < before / TURNS) {
      throw Rule.P53.broken(
          "%s preempts %s, which is as important, and has run for %s after %s of service",
          j.id(), k.id(), Duration.ofNanos(turn), Duration.ofNanos(before));
    }
  }

  /** Checks that each victim is necessary (P18). */
  static void checkMinimal(
      ReferenceInstance beneficiary,
      HostSpec host,
      List<ReferenceInstance> victims,
      Resources grant,
      ReferenceCluster before) {
    for (ReferenceInstance victim : victims) {
      List<ReferenceInstance> others = new ArrayList<>(before.residents(host));
      others.removeIf(each -> each != victim && victims.contains(each));
      List<ReferenceInstance> gone = new ArrayList<>(victims);
      gone.remove(victim);
      List<ReferenceInstance> its =
          before.groupOf(victim).map(each -> each.unit(victims)).orElse(List.of());
      gone.removeAll(its);
      others.addAll(
          its.stream()
              .filter(each -> each != victim && before.residents(host).contains(each))
              .toList());
      if (ReferencePlacement.mayShare(beneficiary, victim)
          && new ReferencePlacement(before).refusal(beneficiary, host, gone).isEmpty()
          && before.fit(grant, host, others)
          && before
              .limits()
              .allow(
                  beneficiary,
                  host,
                  gone.stream().filter(before.residents(host)::contains).toList())) {
        throw Rule.P18.broken(
            "%s leaves %s for %s, which would fit beside it",
            victim.id(), host.id(), beneficiary.id());
      }
    }
  }
}
