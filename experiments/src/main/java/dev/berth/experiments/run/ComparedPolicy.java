package dev.berth.experiments.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.PolicyRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A policy that takes part in an experiment.
 *
 * @param label name in tables, unique in the experiment
 * @param role its role
 * @param choice the policy and its configuration
 */
public record ComparedPolicy(String label, Role role, PolicyChoice<?> choice) {

  /** The role of a policy in an experiment. */
  public enum Role {
    /** It is compared. */
    POLICY,
    /** A lower bound: no instance is preempted. */
    LOWER_BOUND,
    /** An upper bound: one host has room for all requests. */
    UPPER_BOUND
  }

  private static final String NEVER_PREEMPT = "never-preempt";
  private static final String INFINITE_HOST = "infinite host";

  /**
   * Returns the bounds whose label is still free: {@code never-preempt} on the same hosts, and
   * {@code infinite host}, the same policy on one host with room for all requests.
   *
   * @param others the other policies of the experiment
   * @param registry where the policy is looked up; without it there are no bounds
   * @param watchdog longest time between two passes
   * @param meanOverhead as {@link PolicyChoice#of(PolicyFactory, JsonNode, Duration, Duration)}
   */
  public static List<ComparedPolicy> bounds(
      List<ComparedPolicy> others,
      PolicyRegistry registry,
      Duration watchdog,
      Duration meanOverhead) {
    if (!registry.ids().contains(NEVER_PREEMPT)) {
      return List.of();
    }
    PolicyChoice<?> bound =
        PolicyChoice.of(
            registry.get(NEVER_PREEMPT),
            JsonNodeFactory.instance.objectNode(),
            watchdog,
            meanOverhead);
    List<ComparedPolicy> bounds = new ArrayList<>();
    bounds.add(new ComparedPolicy(NEVER_PREEMPT, Role.LOWER_BOUND, bound));
    bounds.add(new ComparedPolicy(INFINITE_HOST, Role.UPPER_BOUND, bound));
    Set<String> taken = others.stream().map(ComparedPolicy::label).collect(Collectors.toSet());
    bounds.removeIf(each -> taken.contains(each.label()));
    return bounds;
  }

  /** Returns the policy with another longest time between two passes. */
  ComparedPolicy withWatchdog(Duration watchdog) {
    return new ComparedPolicy(label, role, choice.withWatchdog(watchdog));
  }

  /** A policy that is compared, under its id. */
  public static ComparedPolicy of(PolicyChoice<?> policy) {
    return new ComparedPolicy(policy.id(), Role.POLICY, policy);
  }
}
