package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Objects;

/**
 * A wish about the host of a request, with a weight. Immutable.
 *
 * <p>Among the hosts with room, a pipeline takes the one with the greatest sum of what its
 * preferences are worth, and of those the one with the best {@linkplain
 * dev.berth.api.pipeline.AllocationScore allocation score}. Where instances must be preempted, the
 * cost of preemption comes before the preferences.
 *
 * <p>Preferences are evaluated before victims leave. They refuse no host.
 */
public sealed interface Preference {

  /** The greatest weight. */
  int MAX_WEIGHT = 1000;

  /** Returns the weight, from 1 to {@value #MAX_WEIGHT}. */
  int weight();

  /** Returns the preference in words. */
  String describe();

  /**
   * A host on which a constraint holds is worth the weight.
   *
   * @param constraint the condition on its attributes
   * @param weight from 1 to {@value Preference#MAX_WEIGHT}
   */
  record OnHost(Constraint constraint, int weight) implements Preference {
    /** Checks the arguments. */
    public OnHost {
      Objects.requireNonNull(constraint, "constraint");
      requireWeight(weight);
    }

    @Override
    public String describe() {
      return "prefers %s (%s)".formatted(constraint.describe(), weight);
    }
  }

  /**
   * A place that holds a peer is worth the weight.
   *
   * @param peers the instances to be near
   * @param domain what counts as one place
   * @param weight from 1 to {@value Preference#MAX_WEIGHT}
   */
  record Near(Peers peers, Domain domain, int weight) implements Preference {
    /** Checks the arguments. */
    public Near {
      requirePresent(peers, domain);
      requireWeight(weight);
    }

    @Override
    public String describe() {
      return "prefers near %s by %s (%s)".formatted(peers.describe(), domain, weight);
    }
  }

  /**
   * Each peer in the place of a host makes the host worth less by the weight. With the instance's
   * own job as peers, it spreads the job. A host that belongs to no place of the domain is worth as
   * little as the place with the most peers.
   *
   * @param peers the instances to be kept away from
   * @param domain what counts as one place
   * @param weight from 1 to {@value Preference#MAX_WEIGHT}
   */
  record Apart(Peers peers, Domain domain, int weight) implements Preference {
    /** Checks the arguments. */
    public Apart {
      requirePresent(peers, domain);
      requireWeight(weight);
    }

    @Override
    public String describe() {
      return "prefers apart from %s by %s (%s)".formatted(peers.describe(), domain, weight);
    }
  }

  private static void requirePresent(Peers peers, Domain domain) {
    Objects.requireNonNull(peers, "peers");
    Objects.requireNonNull(domain, "domain");
  }

  private static void requireWeight(int weight) {
    refuseIf(
        weight < 1 || weight > MAX_WEIGHT,
        "weight of a preference was %s, must be from 1 to %s.",
        weight,
        MAX_WEIGHT);
  }
}
