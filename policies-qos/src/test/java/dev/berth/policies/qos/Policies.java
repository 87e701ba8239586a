package dev.berth.policies.qos;

import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.policies.qos.reference.QosAttained;
import dev.berth.policies.qos.reference.QosHysteresis;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.ReferenceScore;
import java.time.Duration;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** The policies of the reference model with any settings, and schedulers that run them. */
final class Policies {

  static final Duration WATCHDOG = Duration.ofSeconds(10);

  /** The policies of the class path, looked for once. */
  static final PolicyRegistry REGISTRY = PolicyRegistry.load();

  private Policies() {}

  static Arbitrary<QosDriven> qosDriven() {
    return Combinators.combine(
            Arbitraries.of(0L, 2_370_000_000L, 30_000_000_000L),
            scores(),
            Arbitraries.frequency(
                Tuple.of(3, QosDriven.Cost.SLACK_SUMS),
                Tuple.of(1, QosDriven.Cost.AS_PRINTED),
                Tuple.of(1, QosDriven.Cost.ONE_SUM)),
            Arbitraries.of(true, false),
            Arbitraries.of(false, true),
            Arbitraries.of(false, true),
            Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(OptionalInt.empty())),
                Tuple.of(1, Arbitraries.integers().between(0, 3).map(OptionalInt::of))))
        .as(QosDriven::new);
  }

  static Arbitrary<QosHysteresis> qosHysteresis() {
    return Combinators.combine(
            Arbitraries.of(0.0001, 0.0001, 0.0001, 0.0125, 0.1, 0.5),
            Arbitraries.of(0L, 0L, 0L, 1_000_000L, 100_000_000L, 2_370_000_000L, 30_000_000_000L),
            scores())
        .as(QosHysteresis::new);
  }

  static Arbitrary<QosAttained> qosAttained() {
    return Combinators.combine(
            Arbitraries.of(
                30_000_000_000L, 30_000_000_000L, 0L, 2_000_000_000L, 31_536_000_000_000_000L),
            Arbitraries.frequency(
                Tuple.of(3, QosAttained.Estimates.LEARN),
                Tuple.of(2, QosAttained.Estimates.USE),
                Tuple.of(1, QosAttained.Estimates.IGNORE)),
            scores())
        .as(QosAttained::new);
  }

  static Arbitrary<PriorityBased> priorityBased() {
    return Combinators.combine(scores(), Arbitraries.of(true, false), Arbitraries.of(false, true))
        .as(PriorityBased::new);
  }

  private static Arbitrary<ReferenceScore> scores() {
    return Arbitraries.of(
        ReferenceScore.MEAN,
        new ReferenceScore(1, 0),
        new ReferenceScore(0, 1),
        new ReferenceScore(0.3, 1.7));
  }

  /** Returns an engine whose policy must decide as a reference policy. */
  static EventTarget start(ReferencePolicy policy, Setting setting) {
    return EventTarget.of(
        Scheduler.builder()
            .registry(REGISTRY)
            .policy(id(policy), json(policy))
            .serviceClasses(setting.serviceClasses())
            .seed(setting.seed())
            // Varies, since recording for explanations must not change decisions.
            .decisionLog(setting.seed() == 1 ? 0 : 100)
            .topScores(setting.seed() == 2 ? 3 : 0)
            .build());
  }

  private static String id(ReferencePolicy policy) {
    if (policy instanceof QosHysteresis) {
      return "qos-hysteresis";
    }
    if (policy instanceof QosAttained) {
      return "qos-attained";
    }
    return policy instanceof QosDriven ? "qos-driven" : "priority";
  }

  private static String json(ReferencePolicy policy) {
    String common =
        """
        "watchdog": "%s",
        "allocationScore": {"leastRequested": %s, "balancedAllocation": %s}"""
            .formatted(
                WATCHDOG,
                policy.allocationScore().leastRequested(),
                policy.allocationScore().balancedAllocation());
    if (policy instanceof QosHysteresis hysteresis) {
      return """
          {%s,
          "restartShare": %s,
          "expectedOverhead": "%s"}"""
          .formatted(
              common, hysteresis.restartShare(), Duration.ofNanos(hysteresis.expectedOverhead()));
    }
    if (policy instanceof QosAttained attained) {
      return """
          {%s,
          "price": "%s",
          "estimates": "%s"}"""
          .formatted(common, attained.price(), Estimates.valueOf(attained.estimates().name()));
    }
    common =
        """
        %s,
        "minimizeVictims": %s,
        "preemptStarting": %s"""
            .formatted(common, policy.minimizeVictims(), policy.preemptStarting());
    if (policy instanceof QosDriven qosDriven) {
      String cost =
          switch (qosDriven.cost()) {
            case SLACK_SUMS -> "slack-sums";
            case AS_PRINTED -> "as-printed";
            case ONE_SUM -> "one-sum";
          };
      return """
          {%s,
          "expectedOverhead": "%s",
          "queue": "%s",
          "preemptionCost": "%s",
          "maxPreemptions": %s}"""
          .formatted(
              common,
              Duration.ofNanos(qosDriven.expectedOverhead()),
              qosDriven.urgentFirst() ? "urgent-first" : "by-metric",
              cost,
              qosDriven.maxPreemptions().orElse(QosDrivenConfig.UNLIMITED));
    }
    return "{" + common + "}";
  }
}
