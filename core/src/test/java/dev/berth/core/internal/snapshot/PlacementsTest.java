package dev.berth.core.internal.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Reason;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.core.snapshot.PlacementData;
import dev.berth.core.snapshot.PlacementData.LimitUseData;
import dev.berth.core.snapshot.PlacementData.PeersData;
import dev.berth.core.snapshot.PlacementData.PreferenceData;
import dev.berth.core.snapshot.PlacementData.RuleData;
import dev.berth.core.snapshot.ReasonData;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Taints, tolerations, rules and preferences return from plain data unchanged. */
class PlacementsTest {

  private static final Peers WEB = Peers.ofJob("web");
  private static final Peers TEAM = Peers.labelled("team", "");
  private static final Domain ZONE = Domain.of("zone");

  @Test
  void specificationsReturnUnchanged() {
    PlacementSpec spec =
        PlacementSpec.builder()
            .tolerate(Toleration.ALL)
            .tolerate(
                new Toleration(
                    Optional.of("k"),
                    Optional.of("v"),
                    Optional.of(Taint.Effect.LEAVE),
                    Optional.of(Duration.ofNanos(5))))
            .near(WEB, ZONE)
            .apart(TEAM, Domain.HOST)
            .spread(WEB, ZONE, 3)
            .prefer(new Preference.OnHost(new Constraint.LessThan("rank", -2), 1))
            .prefer(new Preference.Near(TEAM, ZONE, 1000))
            .prefer(new Preference.Apart(WEB, Domain.HOST, 7))
            .use("matlab", 2)
            .usePerHost("maple", 3)
            .build();

    assertThat(Placements.write(spec).map(Placements::read)).contains(spec);
    assertThat(Placements.write(PlacementSpec.NONE)).isEmpty();
  }

  @Test
  void taintsReturnUnchanged() {
    for (Taint each :
        List.of(
            Taint.noNew("k", "v"),
            Taint.preferNot("k", ""),
            Taint.leaveAfter("k", "v", Duration.ofNanos(Long.MAX_VALUE)))) {
      assertThat(Placements.read(Placements.write(each, OptionalLong.of(3)))).isEqualTo(each);
    }
  }

  static List<Reason> reasons() {
    return List.of(
        new Reason.Tainted(Taint.leaveAfter("k", "v", Duration.ofSeconds(2))),
        new Reason.NotNear(new PlacementRule.Near(WEB, ZONE), Optional.of("a")),
        new Reason.NotNear(new PlacementRule.Near(TEAM, ZONE), Optional.empty()),
        new Reason.KeptApart(new PlacementRule.Apart(WEB, Domain.HOST), "h1", 2, true),
        new Reason.Uneven(new PlacementRule.Spread(TEAM, ZONE, 2), Optional.of("a"), 5, 1, "b"),
        new Reason.Uneven(new PlacementRule.Spread(TEAM, ZONE, 2), Optional.empty(), 5, 1, "b"),
        new Reason.Expelled("h1", Taint.leaveAfter("k", "v", Duration.ofSeconds(2))),
        new Reason.LimitReached("matlab", 2, 5),
        new Reason.Draining(OptionalLong.empty()),
        new Reason.Draining(OptionalLong.of(-5)));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void reasonsReturnUnchanged(Reason reason) {
    assertThat(Reasons.read(Reasons.write(reason))).isEqualTo(reason);
  }

  @Test
  void refusesUnknownNames() {
    refuses(rule("Beside", "OfJob", 0), "no placement rule is called Beside");
    refuses(rule("Near", "Friends", 0), "no peers are called Friends");
    refuses(rule("Spread", "OfJob", 0), "maxSkew was 0, must be at least 1.");
    refuses(preference("OnHost"), "a preference OnHost has no constraint");
    refuses(preference("Near"), "a preference Near has no peers");
    refuses(
        new PlacementData(
            List.of(), List.of(), List.of(), List.of(new LimitUseData("matlab", "PER_CAT", 1))),
        "no use of limits is called PER_CAT");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Reasons.read(tainted("effect", "FALL_OFF")))
        .withMessage("no effect of taints is called FALL_OFF");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Reasons.read(tainted("key", 5L)))
        .withMessage("a reason Tainted has no taint of Taint");
  }

  private static void refuses(PlacementData data, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Placements.read(data))
        .withMessage(message);
  }

  private static PlacementData rule(String type, String peers, int maxSkew) {
    PeersData named = new PeersData(peers, "web", Optional.empty());
    return new PlacementData(
        List.of(),
        List.of(new RuleData(type, named, Optional.empty(), maxSkew)),
        List.of(),
        List.of());
  }

  private static PlacementData preference(String type) {
    return new PlacementData(
        List.of(),
        List.of(),
        List.of(new PreferenceData(type, 5, Optional.empty(), Optional.empty(), Optional.empty())),
        List.of());
  }

  private static ReasonData tainted(String name, Object value) {
    Map<String, Object> taint =
        new HashMap<>(Map.of("key", "k", "value", "v", "effect", "NO_NEW", "graceNanos", 0L));
    taint.put(name, value);
    return new ReasonData("Tainted", Map.of("taint", taint));
  }
}
