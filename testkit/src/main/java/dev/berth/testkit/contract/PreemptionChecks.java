package dev.berth.testkit.contract;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Checks of the victims of a placement (P08, P18). */
final class PreemptionChecks {

  private final long expectedOverhead;

  /**
   * Creates the checks.
   *
   * @param expectedOverhead α in nanoseconds, which is subtracted from Q
   */
  PreemptionChecks(long expectedOverhead) {
    this.expectedOverhead = expectedOverhead;
  }

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
      throw new RuleBroken(
          Rule.P08, "%s preempts %s: %s, %s".formatted(j.id(), k.id(), slack(j, qj), slack(k, qk)));
    }
    double limit = k.serviceClass().preemptionOverheadLimit();
    if (k.serviceClass().equals(j.serviceClass()) && k.preemptionOverhead(now) > limit) {
      throw new RuleBroken(
          Rule.P08,
          "%s preempts %s of its own class, whose restarts cost %s of its time, more than %s"
              .formatted(j.id(), k.id(), k.preemptionOverhead(now), limit));
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
      if (ReferenceCluster.mayShare(beneficiary, victim) && before.fit(grant, host, others)) {
        throw new RuleBroken(
            Rule.P18,
            "%s leaves %s for %s, which would fit beside it"
                .formatted(victim.id(), host.id(), beneficiary.id()));
      }
    }
  }
}
