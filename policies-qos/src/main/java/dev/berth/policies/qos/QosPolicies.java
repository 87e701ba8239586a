package dev.berth.policies.qos;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import java.util.List;

/**
 * The policies of this module: {@code qos-driven}, {@code qos-hysteresis}, {@code qos-attained} and
 * {@code priority}.
 */
public final class QosPolicies implements PolicyProvider {

  /** Used by {@link java.util.ServiceLoader}. */
  public QosPolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(
        new QosDrivenFactory(),
        new QosHysteresisFactory(),
        new QosAttainedFactory(),
        new PriorityFactory());
  }
}
