package dev.berth.policies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ScoreWeights;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;
import java.util.List;

/**
 * Creates {@code qos-attained}: for work that ends, and for services. Of equally important
 * instances, the one with the least service to come goes first, as far as those tell that completed
 * before; services that do not end share what there is by their slack, as under {@code qos-driven},
 * but only where a switch pays.
 */
record QosAttainedFactory(String id, String summary, QosAttainedConfig defaults)
    implements PolicyFactory<QosAttainedConfig> {

  QosAttainedFactory() {
    this(
        "qos-attained",
        "short work first, as learnt from what completed; services by their slack",
        new QosAttainedConfig(
            Duration.ofSeconds(30), Estimates.LEARN, Duration.ofSeconds(10), ScoreWeights.EQUAL));
  }

  @Override
  public QosAttainedConfig withWatchdog(QosAttainedConfig config, Duration watchdog) {
    return new QosAttainedConfig(
        config.price(), config.estimates(), watchdog, config.allocationScore());
  }

  @Override
  public Policy create(QosAttainedConfig config, PolicyContext context) {
    List<ServiceClass> classes = context.serviceClasses();
    QosUnit unit = QosUnit.of(classes, config.price());
    QosMetric metric = new QosMetric(Duration.ZERO, unit);
    ServiceHistory history = new ServiceHistory(classes, config.estimates());
    return new AttainedPolicy(
        history,
        context
            .pipeline()
            .queue(new AttainedOrder(history, classes, metric, unit))
            .preemption(
                new AttainedVictims(metric, unit),
                new AttainedRule(history, config.price(), classes, unit))
            .preemptionCost(new AttainedCost(classes, unit))
            .allocationScore(config.allocationScore().score())
            .watchdog(config.watchdog())
            .build());
  }
}
