package dev.berth.testkit.assertions;

import dev.berth.api.Action;
import dev.berth.api.Plan;
import dev.berth.api.Resources;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.WritableAssertionInfo;

/** Assertions about a placement in a plan, or again about the plan. */
public final class PlacementAssert extends PlanAssert {

  private final Action.Place placement;

  PlacementAssert(Plan plan, WritableAssertionInfo info, Action.Place placement) {
    super(plan, info);
    this.placement = placement;
  }

  /** It is on this host. */
  public PlacementAssert on(String hostId) {
    check(
        placement.host().equals(hostId), "place %s on %s".formatted(placement.instance(), hostId));
    return this;
  }

  /** It is granted just so much. */
  public PlacementAssert granting(Resources expected) {
    check(
        placement.grant().equals(Optional.of(expected)),
        "place %s granting %s".formatted(placement.instance(), expected));
    return this;
  }

  /** It is granted its demand. */
  public PlacementAssert grantingItsDemand() {
    check(
        placement.grant().isEmpty(),
        "place %s granting its demand".formatted(placement.instance()));
    return this;
  }

  /** These instances, and no others, are preempted for it; in any order. */
  public PlacementAssert preempting(String victimId, String... others) {
    Set<String> expected = new TreeSet<>(List.of(others));
    expected.add(victimId);
    check(
        expected.equals(Set.copyOf(placement.victims())),
        "place %s preempting %s and nobody else"
            .formatted(placement.instance(), String.join(", ", expected)));
    return this;
  }

  /** Nobody is preempted for it. */
  public PlacementAssert preemptingNobody() {
    check(
        placement.victims().isEmpty(),
        "place %s preempting nobody".formatted(placement.instance()));
    return this;
  }
}
