package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Submission and report of bags of tasks. */
class BagSpecTest {

  private static final Request A = request("a");

  @Test
  void copiesTheRequests() {
    List<Request> requests = new ArrayList<>(List.of(A));
    BagSpec bag = new BagSpec("b", requests);

    requests.clear();

    assertThat(bag.requests()).containsExactly(A);
    assertThat(bag.timeToLive()).isEmpty();
  }

  @Test
  void requiresAnIdAndMembersWithDistinctIds() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BagSpec(" ", List.of(A)))
        .withMessage("bag id was blank.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BagSpec("b", List.of()))
        .withMessage("bag b has no requests.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BagSpec("b", List.of(A, request("c"), request("a"))))
        .withMessage("bag b: request a was given twice.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT9223372036.854775808S"})
  void timeToLiveIsPositiveAndInRange(Duration time) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BagSpec("b", List.of(A), Optional.of(time)))
        .withMessage("bag b: time to live was %s, must be positive and at most 292 years.", time);
  }

  @Test
  void acceptsTheLongestTimeToLive() {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);

    assertThat(new BagSpec("b", List.of(A), Optional.of(longest)).timeToLive()).contains(longest);
  }

  @Test
  void reportIsCompleteIfAllMembersCompleted() {
    assertThat(report(2).isComplete()).isTrue();
    assertThat(report(1).isComplete()).isFalse(); // one member did not complete
  }

  private static BagReport report(int completed) {
    return new BagReport(
        "b",
        2,
        completed,
        List.of(),
        Optional.empty(),
        0,
        OptionalLong.empty(),
        1,
        Optional.empty(),
        0);
  }

  private static Request request(String id) {
    return Request.builder(id, "gold").demand(Resources.none()).build();
  }
}
