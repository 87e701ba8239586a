package dev.berth.api;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Reason.Kind.CURABLE_BY_PREEMPTION;
import static dev.berth.api.Reason.Kind.NOT_CURABLE;
import static dev.berth.api.Reason.Kind.POLICY_ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.policy.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReasonTest {

  static Stream<Arguments> reasons() {
    Constraint zone = new Constraint.Equal("zone", "a");
    Peers peers = Peers.ofJob("j1");
    PlacementRule.Near near = new PlacementRule.Near(peers, Domain.of("zone"));
    PlacementRule.Apart apart = new PlacementRule.Apart(peers, Domain.of("zone"));
    PlacementRule.Spread spread = new PlacementRule.Spread(peers, Domain.of("zone"), 2);
    return Stream.of(
        Arguments.of(
            new Reason.ShortOfCapacity(CPU, 375_000_000),
            CURABLE_BY_PREEMPTION,
            "short-of-capacity",
            "cpu short by 0.375"),
        Arguments.of(
            new Reason.LargerThanHost(CPU, 2_000_000_000),
            NOT_CURABLE,
            "larger-than-host",
            "cpu exceeds the whole host by 2"),
        Arguments.of(
            new Reason.ConstraintNotMet(zone, Optional.of("b")),
            NOT_CURABLE,
            "constraint-not-met",
            "needs zone == a, is b"),
        Arguments.of(
            new Reason.ConstraintNotMet(zone, Optional.empty()),
            NOT_CURABLE,
            "constraint-not-met",
            "needs zone == a, has no such attribute"),
        Arguments.of(
            new Reason.ForeignLoad(CPU, 500_000_000),
            NOT_CURABLE,
            "foreign-load",
            "foreign load leaves cpu short by 0.5"),
        Arguments.of(
            new Reason.HostDrained("h1", false), NOT_CURABLE, "host-drained", "h1 is draining"),
        Arguments.of(
            new Reason.HostDrained("h1", true),
            NOT_CURABLE,
            "host-drained",
            "the drain of h1 has reached its deadline"),
        Arguments.of(
            new Reason.Expelled("h1", Taint.leaveAfter("gpu", "broken", Duration.ofSeconds(5))),
            NOT_CURABLE,
            "expelled",
            "the time that taint gpu=broken (leave) of h1 allows is over"),
        Arguments.of(new Reason.Cordoned(), NOT_CURABLE, "cordoned", "is cordoned"),
        Arguments.of(
            new Reason.Draining(OptionalLong.empty()), NOT_CURABLE, "draining", "is draining"),
        Arguments.of(
            new Reason.Draining(OptionalLong.of(5)),
            NOT_CURABLE,
            "draining",
            "is draining until 5 ns"),
        Arguments.of(new Reason.Drained(), NOT_CURABLE, "drained", "is drained"),
        Arguments.of(
            new Reason.OverCapacity(CPU, 500_000_000),
            NOT_CURABLE,
            "over-capacity",
            "holds cpu 0.5 more than its capacity"),
        Arguments.of(
            new Reason.AntiAffinity("j1", "b"),
            NOT_CURABLE,
            "anti-affinity",
            "anti-affinity with b of job j1"),
        Arguments.of(
            new Reason.Tainted(Taint.noNew("gpu", "")),
            NOT_CURABLE,
            "tainted",
            "repelled by the taint gpu (no new)"),
        Arguments.of(
            new Reason.NotNear(near, Optional.of("a")),
            NOT_CURABLE,
            "not-near",
            "zone a has no instance of job j1"),
        Arguments.of(
            new Reason.NotNear(near, Optional.empty()),
            NOT_CURABLE,
            "not-near",
            "host has no zone, so it is near no job j1"),
        Arguments.of(
            new Reason.KeptApart(apart, "a", 2, false),
            NOT_CURABLE,
            "kept-apart",
            "zone a has 2 of job j1, to be kept apart from"),
        Arguments.of(
            new Reason.KeptApart(apart, "a", 1, true),
            NOT_CURABLE,
            "kept-apart",
            "zone a has 1 that must be kept apart from job j1"),
        Arguments.of(
            new Reason.Uneven(spread, Optional.of("a"), 5, 1, "b"),
            NOT_CURABLE,
            "uneven",
            "zone a would have 5 of job j1 and zone b has 1; 2 more there, or maxSkew 4, would do"),
        Arguments.of(
            new Reason.Uneven(spread, Optional.empty(), 1, 1, "b"),
            NOT_CURABLE,
            "uneven",
            "host has no zone, so job j1 cannot be spread to it"),
        Arguments.of(
            new Reason.Unknown("host", "h9"), POLICY_ERROR, "unknown", "no host h9 in the cluster"),
        Arguments.of(
            new Reason.WrongState("a", "must be pending, is RUNNING"),
            POLICY_ERROR,
            "wrong-state",
            "instance a must be pending, is RUNNING"),
        Arguments.of(
            new Reason.GrantTooSmall(CPU, 500_000_000, 1_000_000_000),
            POLICY_ERROR,
            "grant-too-small",
            "cpu granted would be 0.5, must be at least 1, unless the policy's oversubscribes() names"
                + " cpu and the request guarantees less"),
        Arguments.of(
            new Reason.GrantTooSmall(CPU, 500_000_000, 1_000_000_000, true),
            POLICY_ERROR,
            "grant-too-small",
            "cpu granted would be 0.5, must be at least 1, which the request guarantees"),
        Arguments.of(
            new Reason.QueuedBehind("b"), NOT_CURABLE, "queued-behind", "waits its turn behind b"),
        Arguments.of(
            new Reason.PassFull(3),
            NOT_CURABLE,
            "pass-full",
            "waits for the next pass, as this one has placed 3"),
        Arguments.of(
            new Reason.DeadlineUnreachable(90_500_000_000L),
            NOT_CURABLE,
            "deadline-unreachable",
            "would miss its deadline by 1m30.5s even if it started now"),
        Arguments.of(
            new Reason.WrongSubject("host", "h1", "is of no pool"),
            POLICY_ERROR,
            "wrong-subject",
            "host h1 is of no pool"),
        Arguments.of(
            new Reason.PoolExhausted("p", 3, 2),
            NOT_CURABLE,
            "pool-exhausted",
            "pool p has room for 2 more hosts, 3 were requested"),
        Arguments.of(
            new Reason.OtherCluster("b", "c"),
            NOT_CURABLE,
            "other-cluster",
            "bag b runs on cluster c"),
        Arguments.of(new Reason.Expired("b", 5), NOT_CURABLE, "expired", "bag b has expired"),
        Arguments.of(
            new Reason.PolicyChoice("budget", "over budget"),
            NOT_CURABLE,
            "budget",
            "over budget"));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void everyReasonHasAKindACodeAndAText(
      Reason reason, Reason.Kind kind, String code, String words) {
    assertThat(reason.kind()).isEqualTo(kind);
    assertThat(reason.code()).isEqualTo(code);
    assertThat(reason.describe()).isEqualTo(words);
  }

  @Test
  void policyReasonRequiresText() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Reason.PolicyChoice(" ", "text"));
    assertThatIllegalArgumentException().isThrownBy(() -> new Reason.PolicyChoice("code", ""));
  }

  @Test
  void outcomeIsAcceptedUnlessItHasAReason() {
    Reason reason = new Reason.Unknown("host", "h9");

    assertThat(Outcome.accept().accepted()).isTrue();
    assertThat(Outcome.refuse(reason).accepted()).isFalse();
    assertThat(Outcome.refuse(reason).refusal()).contains(reason);
  }
}
