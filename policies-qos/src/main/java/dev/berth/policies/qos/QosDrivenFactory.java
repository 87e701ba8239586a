package dev.berth.policies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.ScoreWeights;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;
import java.util.List;

/**
 * Creates {@code qos-driven}: it preempts instances that are ahead of their objectives for
 * instances that are about to miss theirs (section 3).
 *
 * <p>The queue is ordered by increasing {@linkplain QosMetric QoS metric}, unless configured
 * {@linkplain QueueReading otherwise}. On a host, victims are taken by decreasing QoS metric, as
 * far as the {@linkplain QosPreemptionRule rule} allows. The host with the smallest {@linkplain
 * QosPreemptionCost preemption cost} wins.
 *
 * <p>The policy assumes that service accumulates and that progress survives a preemption, as for
 * long-running services and jobs with checkpoints. Under overload, instances take turns. A job that
 * loses its work with each turn may never complete; {@code maxPreemptions} limits its turns.
 *
 * <p>Two defaults differ from the paper: {@code minimizeVictims} spares unneeded victims, and the
 * preemption cost orders hosts as the authors' simulator does, not as printed. Both can be set to
 * the published variant.
 */
record QosDrivenFactory(String id, String summary) implements PolicyFactory<QosDrivenConfig> {

  QosDrivenFactory() {
    this(
        "qos-driven",
        "preempts instances ahead of their objectives for instances about to miss theirs");
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
        QueueReading.BY_METRIC,
        ScoreWeights.EQUAL,
        PreemptionCostReading.SLACK_SUMS,
        true,
        false,
        QosDrivenConfig.UNLIMITED);
  }

  @Override
  public QosDrivenConfig withWatchdog(QosDrivenConfig config, Duration watchdog) {
    return new QosDrivenConfig(
        watchdog,
        config.expectedOverhead(),
        config.queue(),
        config.allocationScore(),
        config.preemptionCost(),
        config.minimizeVictims(),
        config.preemptStarting(),
        config.maxPreemptions());
  }

  @Override
  public Policy create(QosDrivenConfig config, PolicyContext context) {
    List<ServiceClass> classes = context.serviceClasses();
    QosUnit unit = QosUnit.of(classes, config.expectedOverhead());
    QosMetric metric = new QosMetric(config.expectedOverhead(), unit);
    return context
        .pipeline()
        .queue(queueOrder(config.queue(), metric, unit))
        .preemption(metric, new QosPreemptionRule(classes, unit, config.maxPreemptions()))
        .preemptionCost(new QosPreemptionCost(config.preemptionCost(), classes, unit))
        .allocationScore(config.allocationScore().score())
        .minimizeVictims(config.minimizeVictims())
        .preemptStarting(config.preemptStarting())
        .watchdog(config.watchdog())
        .build();
  }

  private static QueueOrder queueOrder(QueueReading reading, QosMetric metric, QosUnit unit) {
    return switch (reading) {
      case BY_METRIC -> metric;
      case URGENT_FIRST -> new UrgentFirst(metric, unit);
    };
  }
}
