package dev.berth.core.decision;

import dev.berth.api.Experimental;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A placement and the reasons for it.
 *
 * @param pass number of the pass
 * @param now time of the pass
 * @param instance id of the instance placed
 * @param host id of the host chosen
 * @param allocationScore score of that host; empty if the policy is not a pipeline
 * @param roomyHosts number of hosts that were feasible without preemption; -1 unless every host was
 *     evaluated, which a list of the best hosts requires
 * @param contestedHosts number of hosts that were feasible with preemption; -1 unless every host
 *     was evaluated
 * @param victims the preempted instances, in the order of selection; possibly empty
 * @param top the best hosts considered, best first; at most as many as {@link
 *     dev.berth.core.Scheduler.Builder#topScores} sets; possibly empty
 */
@Experimental
public record Decision(
    long pass,
    long now,
    String instance,
    String host,
    OptionalDouble allocationScore,
    int roomyHosts,
    int contestedHosts,
    List<Victim> victims,
    List<HostScore> top) {

  /** Copies the lists. */
  public Decision {
    victims = List.copyOf(victims);
    top = List.copyOf(top);
  }

  /** Returns a decision without scores and reasons, for a policy that is not a pipeline. */
  public static Decision bare(
      long pass, long now, String instance, String host, List<String> victims) {
    return new Decision(
        pass,
        now,
        instance,
        host,
        OptionalDouble.empty(),
        -1,
        -1,
        victims.stream().map(Victim::bare).toList(),
        List.of());
  }

  /** Returns the same decision without some of its victims. */
  public Decision withoutVictims(Set<String> ids) {
    return new Decision(
        pass,
        now,
        instance,
        host,
        allocationScore,
        roomyHosts,
        contestedHosts,
        victims.stream().filter(each -> !ids.contains(each.instance())).toList(),
        top);
  }

  /**
   * An instance that was preempted for the placement.
   *
   * @param instance id of the victim
   * @param rule code of the rule that allowed the preemption; empty if unknown
   * @param why that rule in words, empty if unknown
   * @param value the victim's value in the policy's victim order, such as its QoS metric; in
   *     nanoseconds, or a greater unit if an objective is below 0.439
   * @param beneficiaryValue the value of the instance placed
   */
  public record Victim(
      String instance, String rule, String why, long value, long beneficiaryValue) {
    private static Victim bare(String instance) {
      return new Victim(instance, "", "", 0, 0);
    }
  }

  /**
   * A host that was evaluated.
   *
   * @param host its id
   * @param cost the preemption cost, smaller is better; empty if no preemption is needed
   * @param worth what it is worth by {@linkplain dev.berth.api.Preference preferences}, among equal
   *     costs; greater is better. Each {@linkplain dev.berth.api.Taint taint} that discourages the
   *     instance counts for -2<sup>40</sup>
   * @param allocationScore among equal worths, greater is better
   */
  public record HostScore(String host, List<Double> cost, long worth, double allocationScore) {
    /** Copies the cost. */
    public HostScore {
      cost = List.copyOf(cost);
    }
  }
}
