package dev.berth.testkit.contract;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.time.Duration;
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

  /** Checks rules (A) to (C) of section 3.3.1 and the limit of Eq. 8 (P08). */
  void checkMargins(ReferenceInstance j, ReferenceInstance k, long now) {
    long qj = j.qos(now, expectedOverhead);
    long qk = k.qos(now, expectedOverhead);
    int rankJ = j.serviceClass().importance();
    int rankK = k.serviceClass().importance();
    boolean bothWithin = qk < margin(k) && qj < margin(j);
    boolean allowed =
        qk >= margin(k) ? qj < qk : bothWithin && (rankJ < rankK || (rankJ == rankK && qj < qk));
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

  private long margin(ReferenceInstance instance) {
    return instance.safetyMargin(expectedOverhead);
  }

  private String slack(ReferenceInstance instance, long qos) {
    return "%s (%s, importance %s) has Q %s of margin %s"
        .formatted(
            instance.id(),
            instance.serviceClass().name(),
            instance.serviceClass().importance(),
            Duration.ofNanos(qos).multipliedBy(instance.unitOfQos(expectedOverhead)),
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
