package dev.berth.policies.qos;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/**
 * Makes {@code qos-driven}: preempt whoever is ahead of its objective for whoever is about to miss
 * it (section 3).
 *
 * <p>Pending instances go in increasing {@linkplain QosMetric QoS metric}. On a host, victims are
 * taken in decreasing QoS metric as the {@linkplain QosPreemptionRule rule} allows. The host with
 * the least {@linkplain QosPreemptionCost preemption cost} wins.
 *
 * <p>Departs from the paper in two settings, which can be set back: {@code minimizeVictims} spares
 * victims taken in vain, and the preemption cost is read as the authors' simulator orders hosts,
 * not as printed.
 */
final class QosDrivenFactory implements PolicyFactory<QosDrivenConfig> {

  @Override
  public String id() {
    return "qos-driven";
  }

  @Override
  public String summary() {
    return "preempts whoever is ahead of its objective for whoever is about to miss it";
  }

  @Override
  public QosDrivenConfig defaults() {
    return defaults(Duration.ZERO);
  }

  /** Expects the mean overhead: it is α of the QoS metric (section 3.1). */
  @Override
  public QosDrivenConfig defaults(Duration meanStartOverhead) {
    return new QosDrivenConfig(
        Duration.ofSeconds(10),
        meanStartOverhead,
        ScoreWeights.EQUAL,
        PreemptionCostReading.SLACK_SUMS,
        true,
        false);
  }

  @Override
  public QosDrivenConfig withWatchdog(QosDrivenConfig config, Duration watchdog) {
    return new QosDrivenConfig(
        watchdog,
        config.expectedOverhead(),
        config.allocationScore(),
        config.preemptionCost(),
        config.minimizeVictims(),
        config.preemptStarting());
  }

  @Override
  public Policy create(QosDrivenConfig config, PolicyContext context) {
    QosMetric metric = new QosMetric(config.expectedOverhead());
    return context
        .pipeline()
        .queue(metric)
        .preemption(metric, new QosPreemptionRule(context.serviceClasses()))
        .preemptionCost(new QosPreemptionCost(config.preemptionCost(), context.serviceClasses()))
        .allocationScore(config.allocationScore().score())
        .minimizeVictims(config.minimizeVictims())
        .preemptStarting(config.preemptStarting())
        .watchdog(config.watchdog())
        .build();
  }
}
