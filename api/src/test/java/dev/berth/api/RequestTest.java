package dev.berth.api;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.entry;

import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestTest {

  private static final Constraint IN_ZONE_A = new Constraint.Equal("zone", "a");
  private static final Constraint HAS_SSD = new Constraint.Exists("ssd");

  @Test
  void defaultRequestDemandsNothingAndFitsAnyHost() {
    Request request = Request.builder("r1", "gold").demand(Resources.none()).build();

    assertThat(request.id()).isEqualTo("r1");
    assertThat(request.serviceClass()).isEqualTo("gold");
    assertThat(request.demand()).isEqualTo(Resources.none());
    assertThat(request.constraints()).isEmpty();
    assertThat(request.job()).isEmpty();
    assertThat(request.antiAffinity()).isFalse();
  }

  @Test
  void keepsEveryPartAndTheOrderOfConstraints() {
    Request request =
        Request.builder("r1", "gold")
            .demand(Resources.of(CPU, 500_000_000))
            .constraint(IN_ZONE_A)
            .constraint(HAS_SSD)
            .job("j1")
            .antiAffinity(true)
            .build();

    assertThat(request.demand()).isEqualTo(Resources.of(CPU, 500_000_000));
    assertThat(request.constraints()).containsExactly(IN_ZONE_A, HAS_SSD);
    assertThat(request.job()).contains("j1");
    assertThat(request.antiAffinity()).isTrue();
    assertThat(request)
        .hasToString(
            "request r1 (gold, cpu 0.5, job j1 on hosts of its own, zone == a, ssd exists)");
  }

  @Test
  void startsAfterOthers() {
    Request request =
        Request.builder("r1", "gold")
            .demand(Resources.none())
            .constraint(IN_ZONE_A)
            .after("q2")
            .after("q1")
            .after("q2")
            .build();

    assertThat(request.after()).containsExactly("q2", "q1");
    assertThat(request).hasToString("request r1 (gold, nothing, zone == a, after q2 and q1)");
    assertThat(request.unconstrained().after()).containsExactly("q2", "q1");
    assertThat(request.withAfter(List.of("q3")).toString())
        .isEqualTo("request r1 (gold, nothing, zone == a, after q3)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.withAfter(List.of("r1")))
        .withMessage("request r1: after was itself, must be another request.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.withAfter(List.of(" ")))
        .withMessage("request r1: after had a blank id.");
  }

  @Test
  void membersOfABagOrGroupDoNotWaitForEachOther() {
    Request one = Request.builder("r1", "gold").demand(Resources.none()).build();
    Request two = Request.builder("r2", "gold").demand(Resources.none()).after("r1").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GroupSpec("g", List.of(one, two)))
        .withMessage(
            "group g: member r2 is to start after member r1, must start together with it.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BagSpec("b", List.of(two)))
        .withMessage(
            "bag b: request r2 is to start after others, but the tasks of a bag are independent."
                + " Maybe submit it alone.");
  }

  @Test
  void builderDoesNotChangeEarlierResults() {
    Request.Builder builder =
        Request.builder("r1", "gold").demand(Resources.none()).constraint(IN_ZONE_A);
    Request before = builder.build();

    builder.constraint(HAS_SSD);

    assertThat(before.constraints()).containsExactly(IN_ZONE_A);
  }

  @Test
  void demandIsNotForgotten() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Request.builder("r1", "gold").build())
        .withMessageStartingWith("request r1 has no demand. Maybe demand(Resources.of(CPU");
  }

  @Test
  void constraintsAreUnmodifiable() {
    assertThat(
            Request.builder("r1", "gold")
                .demand(Resources.none())
                .constraint(HAS_SSD)
                .build()
                .constraints())
        .isUnmodifiable();
  }

  @Test
  void antiAffinityRequiresAJob() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Request.builder("r1", "gold").demand(Resources.none()).antiAffinity(true).build())
        .withMessage(
            "request r1 requires anti-affinity but belongs to no job. Maybe set job(...) too.");
    assertThat(
            Request.builder("r1", "gold")
                .demand(Resources.none())
                .antiAffinity(true)
                .job("j1")
                .build()
                .antiAffinity())
        .isTrue();
  }

  @Test
  void optionalDetailsAreEmptyByDefault() {
    Resources demand = Resources.of(CPU, 2);
    Request request = Request.builder("r1", "gold").demand(demand).build();

    assertThat(request.guaranteed()).isEqualTo(demand);
    assertThat(request.estimatedRunTime()).isEmpty();
    assertThat(request.deadline()).isEmpty();
    assertThat(request.moldability()).isEmpty();
    assertThat(request.memoryProfile()).isEmpty();
    assertThat(request.performanceMemoryProfile()).isEmpty();
  }

  @Test
  void keepsDetailsOfTheRun() {
    MemoryProfile needs = MemoryProfile.constant(5);
    PerformanceMemoryProfile speeds =
        PerformanceMemoryProfile.of(List.of(new PerformanceMemoryProfile.Point(1, 1)));
    Request request =
        Request.builder("r1", "gold")
            .demand(Resources.of(CPU, 2_000_000_000, MEMORY, 4_000_000_000L))
            .guaranteed(Resources.of(CPU, 2_000_000_000))
            .estimatedRunTime(Duration.ofSeconds(90))
            .deadline(Duration.ofNanos(Long.MAX_VALUE))
            .maxRunTime(Duration.ofSeconds(100))
            .moldability(Moldability.LINPACK)
            .memoryProfile(needs)
            .performanceMemoryProfile(speeds)
            .build();

    assertThat(request.guaranteed()).isEqualTo(Resources.of(CPU, 2_000_000_000));
    assertThat(request.estimatedRunTime()).hasValue(90_000_000_000L);
    assertThat(request.deadline()).hasValue(Long.MAX_VALUE);
    assertThat(request.maxRunTime()).hasValue(100_000_000_000L);
    assertThat(request.unconstrained().maxRunTime()).hasValue(100_000_000_000L);
    assertThat(request.moldability()).contains(Moldability.LINPACK);
    assertThat(request.memoryProfile()).contains(needs);
    assertThat(request.performanceMemoryProfile()).contains(speeds);
    assertThat(request.toString())
        .startsWith(
            "request r1 (gold, cpu 2, memory 4, guaranteed cpu 2, runs about PT1M30S, due after ")
        .endsWith(
            ", runs at most PT1M40S, moldable to 0.4, memory 0.000000005 to 0.000000005 in 1 steps)");
  }

  @Test
  void guaranteedMayNotExceedTheDemand() {
    Request.Builder builder =
        Request.builder("r1", "gold")
            .guaranteed(Resources.of(CPU, 2_000_000_001))
            .demand(Resources.of(CPU, 2_000_000_000));
    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessage(
            "request r1: cpu guaranteed was 2.000000001, must be at most the demand of 2.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.guaranteed(Resources.of(MEMORY, 1)).build())
        .withMessage(
            "request r1: memory guaranteed was 0.000000001, must be at most the demand of 0.");
    assertThat(builder.guaranteed(Resources.none()).build().guaranteed())
        .isEqualTo(Resources.none());
  }

  @Test
  void requiresPositiveTimesInRange() {
    Request.Builder builder = Request.builder("r1", "gold");
    for (Duration wrong :
        List.of(
            Duration.ZERO,
            Duration.ofNanos(-1),
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofNanos(Long.MAX_VALUE).plusNanos(1),
            Duration.ofSeconds(Long.MAX_VALUE))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.estimatedRunTime(wrong))
          .withMessage(
              "request r1: estimated run time was %s, must be positive and at most 292 years."
                  .formatted(wrong));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.deadline(wrong))
          .withMessage(
              "request r1: deadline was %s, must be positive and at most 292 years."
                  .formatted(wrong));
    }
    builder.estimatedRunTime(Duration.ofNanos(Long.MAX_VALUE)).deadline(Duration.ofNanos(1));
  }

  @Test
  void refusesBlankIdsAndJobs() {
    assertThatIllegalArgumentException().isThrownBy(() -> Request.builder(" ", "gold"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Request.builder("r1", "gold").job(" "))
        .withMessage("request r1: job was blank.");
  }

  @Test
  void refusesMissingParts() {
    assertThatNullPointerException().isThrownBy(() -> Request.builder(null, "gold"));
    assertThatNullPointerException().isThrownBy(() -> Request.builder("r1", null));
    assertThatNullPointerException().isThrownBy(() -> Request.builder("r1", "gold").demand(null));
    assertThatNullPointerException()
        .isThrownBy(() -> Request.builder("r1", "gold").demand(Resources.none()).constraint(null));
  }

  @Test
  void carriesAUserAndLabelsInOrderOfName() {
    Request request =
        Request.builder("r1", "gold")
            .demand(Resources.none())
            .user("ana")
            .label("team", "web")
            .labels(Map.of("stage", "live", "note", ""))
            .label("team", "shop")
            .build();

    assertThat(request.user()).contains("ana");
    assertThat(request.labels())
        .isUnmodifiable()
        .containsExactly(entry("note", ""), entry("stage", "live"), entry("team", "shop"));
    assertThat(request)
        .hasToString("request r1 (gold, nothing, user ana, labels {note=, stage=live, team=shop})");
    assertThat(Request.builder("r2", "gold").demand(Resources.none()).build().user()).isEmpty();
    assertThat(Request.builder("r2", "gold").demand(Resources.none()).build().labels()).isEmpty();
  }

  @Test
  void labelsDoNotChangeEarlierResults() {
    Request.Builder builder =
        Request.builder("r1", "gold").demand(Resources.none()).label("team", "web");
    Request before = builder.build();

    builder.label("team", "shop");

    assertThat(before.labels()).containsExactly(entry("team", "web"));
  }

  @Test
  void unconstrainedRequestsKeepUserAndLabels() {
    Request request =
        Request.builder("r1", "gold")
            .demand(Resources.none())
            .user("ana")
            .label("a", "b")
            .payload("secret")
            .constraint(HAS_SSD)
            .build();

    assertThat(request.unconstrained())
        .hasToString("request r1 (gold, nothing, user ana, labels {a=b}, payload of 6 characters)");
    assertThat(request.unconstrained().payload()).contains("secret");
  }

  @Test
  void refusesPayloadsBeyondTheLimit() {
    Request.Builder builder = Request.builder("r1", "gold").demand(Resources.none());
    String longest = "x".repeat(Request.LONGEST_PAYLOAD);

    assertThat(builder.build().payload()).isEmpty();
    assertThat(builder.payload("").build().payload()).contains("");
    assertThat(builder.payload(longest).build().payload()).contains(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.payload(longest + "x"))
        .withMessage(
            "request r1: payload had 65537 characters, must have at most 65536."
                + " Maybe let it name a file.");
  }

  @Test
  void refusesBlankUsersAndLabelsBeyondTheLimits() {
    Request.Builder builder = Request.builder("r1", "gold").demand(Resources.none());
    String longest = "x".repeat(Request.LONGEST_LABEL);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.user(" "))
        .withMessage("request r1: user was blank.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.label(" ", "a"))
        .withMessage("request r1: a label had a blank name.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.label("team", longest + "x"))
        .withMessage(
            "request r1: the value of label team had 501 characters, must have at most 500.");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.label(longest + "x", ""));
    for (int i = 0; i < Request.MOST_LABELS; i++) {
      builder.label("label " + i, longest);
    }
    builder.label("label 0", "again");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.label("team", "web"))
        .withMessage("request r1: label team was one too many, a request may have 64.");
    assertThat(builder.build().labels()).hasSize(Request.MOST_LABELS);
  }
}
