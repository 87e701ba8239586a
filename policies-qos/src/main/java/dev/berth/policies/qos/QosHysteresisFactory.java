package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.api.pipeline.ScoreWeights;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * Creates {@code qos-hysteresis}: {@code qos-driven} that pays for each switch. It preempts an
 * instance only if the gain exceeds the {@linkplain SwitchPrice price of a switch}. So an instance
 * spends about the share {@code restartShare} of its life on restarts.
 *
 * <p>A more important instance below its margin does not pay. It is treated as by {@code
 * qos-driven}.
 */
record QosHysteresisFactory(String id, String summary)
    implements PolicyFactory<QosHysteresisConfig> {

  /** How far values may exceed a life: by the price of a switch and the lead of guests. */
  private static final Duration BEYOND_LIFE = Duration.ofDays(5 * 730);

  private static final Duration LEAD_OF_GUESTS = BEYOND_LIFE.minus(SwitchPrice.HIGHEST);

  QosHysteresisFactory() {
    this(
        "qos-hysteresis",
        "preempts as qos-driven does, but only where the gain pays for the restart");
  }

  @Override
  public QosHysteresisConfig defaults() {
    return defaults(Duration.ZERO);
  }

  /** Expects the mean overhead. */
  @Override
  public QosHysteresisConfig defaults(Duration meanStartOverhead) {
    return new QosHysteresisConfig(
        0.0125, meanStartOverhead, Overload.EQUAL, Duration.ofSeconds(10), ScoreWeights.EQUAL);
  }

  @Override
  public QosHysteresisConfig withWatchdog(QosHysteresisConfig config, Duration watchdog) {
    return new QosHysteresisConfig(
        config.restartShare(),
        config.expectedOverhead(),
        config.overload(),
        watchdog,
        config.allocationScore());
  }

  @Override
  public Policy create(QosHysteresisConfig config, PolicyContext context) {
    List<ServiceClass> classes = context.serviceClasses();
    QosUnit unit = QosUnit.of(classes, config.expectedOverhead().plus(BEYOND_LIFE));
    if (config.overload() == Overload.EQUAL) {
      QosMetric metric = new QosMetric(config.expectedOverhead(), unit);
      return pipeline(config, context, unit, metric, guest -> false).build();
    }
    Selection selection = new Selection(config.restartShare());
    QosMetric metric =
        new QosMetric(config.expectedOverhead(), unit, slo -> aim(slo, config.restartShare()));
    return new FulfilmentPolicy(
        selection,
        pipeline(config, context, unit, metric, selection::isGuest)
            .serve(each -> !selection.sheds(each))
            .build());
  }

  /** Returns an objective above that of the class, so that no turn ends just below it. */
  private static Slo aim(Slo slo, double restartShare) {
    return Slo.of(slo.share() + Math.min(1, 2 * restartShare) * (1 - slo.share()));
  }

  private static PipelineBuilder pipeline(
      QosHysteresisConfig config,
      PolicyContext context,
      QosUnit unit,
      QosMetric metric,
      Predicate<Instance> isGuest) {
    List<ServiceClass> classes = context.serviceClasses();
    SwitchPrice price = new SwitchPrice(config, classes, unit);
    PaidSwitchOrder order = new PaidSwitchOrder(metric, price, isGuest, unit.of(LEAD_OF_GUESTS));
    return context
        .pipeline()
        .queue(order)
        .preemption(order, new PaidSwitchRule(config, classes, unit, price))
        .preemptionCost(new QosPreemptionCost(PreemptionCostReading.SLACK_SUMS, classes, unit))
        .allocationScore(config.allocationScore().score())
        .watchdog(config.watchdog());
  }
}
