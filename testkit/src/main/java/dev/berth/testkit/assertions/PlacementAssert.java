package dev.berth.testkit.assertions;

import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.WritableAssertionInfo;

/** Assertions about a placement in a plan, followed by assertions about the plan. */
public final class PlacementAssert extends PlanAssert {

  private final Action.Place placement;

  PlacementAssert(Plan plan, WritableAssertionInfo info, Action.Place placement) {
    super(plan, info);
    this.placement = placement;
  }

  /** The instance is placed on this host. */
  public PlacementAssert on(String hostId) {
    return is(placement.host().equals(hostId), "on " + hostId);
  }

  /** The placement has exactly this grant. */
  public PlacementAssert granting(Resources expected) {
    return is(placement.grant().equals(Optional.of(expected)), "granting " + expected);
  }

  /** The grant equals the demand. */
  public PlacementAssert grantingItsDemand() {
    return is(placement.grant().isEmpty(), "granting its demand");
  }

  /** The placement preempts exactly these instances, in any order. */
  public PlacementAssert preempting(String victimId, String... others) {
    Set<String> expected = new TreeSet<>(List.of(others));
    expected.add(victimId);
    return is(
        expected.equals(Set.copyOf(placement.victims())),
        "preempting %s and no other instance".formatted(String.join(", ", expected)));
  }

  /** The placement preempts no instance. */
  public PlacementAssert preemptingNobody() {
    return is(placement.victims().isEmpty(), "preempting no instance");
  }

  private PlacementAssert is(boolean holds, String expected) {
    check(holds, "place %s %s".formatted(placement.instance(), expected));
    return this;
  }
}
