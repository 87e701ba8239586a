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
    check(
        placement.host().equals(hostId), "place %s on %s".formatted(placement.instance(), hostId));
    return this;
  }

  /** The placement has exactly this grant. */
  public PlacementAssert granting(Resources expected) {
    check(
        placement.grant().equals(Optional.of(expected)),
        "place %s granting %s".formatted(placement.instance(), expected));
    return this;
  }

  /** The grant equals the demand. */
  public PlacementAssert grantingItsDemand() {
    check(
        placement.grant().isEmpty(),
        "place %s granting its demand".formatted(placement.instance()));
    return this;
  }

  /** The placement preempts exactly these instances, in any order. */
  public PlacementAssert preempting(String victimId, String... others) {
    Set<String> expected = new TreeSet<>(List.of(others));
    expected.add(victimId);
    check(
        expected.equals(Set.copyOf(placement.victims())),
        "place %s preempting %s and no other instance"
            .formatted(placement.instance(), String.join(", ", expected)));
    return this;
  }

  /** The placement preempts no instance. */
  public PlacementAssert preemptingNobody() {
    check(
        placement.victims().isEmpty(),
        "place %s preempting no instance".formatted(placement.instance()));
    return this;
  }
}
