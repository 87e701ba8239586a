package dev.berth.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.core.event.Event;
import dev.berth.testkit.TestCluster;
import dev.berth.testkit.event.Call;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Invalid histories are refused with a message when they are created, not during a replay. */
class HistoryTest {

  private static final ServiceClass GOLD = ServiceClass.builder("gold").build();
  private static final ServiceClass BRONZE = ServiceClass.builder("bronze").build();

  @Test
  void requiresAServiceClass() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> history(List.of(), 0))
        .withMessage("a history has at least one service class.");
  }

  @Test
  void refusesMorePresentHostsThanHosts() {
    for (int present : List.of(-1, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> history(List.of(GOLD), present))
          .withMessage(
              "present was %s, must be from 0 to 0, the number of hosts.".formatted(present));
    }
  }

  @Test
  void scaleRequiresDimensionsAndAUnit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Scale(5, 1))
        .withMessage("a scale had 5 dimensions and a unit of 1, must have 1 to 4 and at least 1.");
    assertThatIllegalArgumentException().isThrownBy(() -> new Scale(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Scale(1, 0));
  }

  @Test
  void refusesNegativeWaits() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Step.Elapse(Duration.ofNanos(-1)))
        .withMessageContaining("must not be negative");
  }

  @Test
  void refusesUsageOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Step.ReportUsage(0, 9, List.of()))
        .withMessage("eighths were 9, must be from 0 to 8.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Step.ReportUsage(0, -1, List.of()))
        .withMessage("eighths were -1, must be from 0 to 8.");
  }

  @Test
  void optionsAreSharesOfTheDemand() {
    RequestOptions options =
        new RequestOptions(
            List.of(8, 0, 4, 4),
            Optional.of(Duration.ofMinutes(5)),
            Optional.of(Duration.ofHours(1)),
            true,
            List.of(2, 8),
            true,
            0);
    RequestShape shape =
        new RequestShape(0, List.of(4, 8, 6, 1), List.of(), 0, false, false, options);

    Request request = shape.request("r1", List.of(GOLD), new Scale(3, 2));

    assertThat(request)
        .usingRecursiveComparison()
        .isEqualTo(
            Request.builder("r1", "gold")
                .demand(new Scale(3, 2).resources(List.of(4, 8, 6)))
                .guaranteed(new Scale(3, 2).resources(List.of(4, 0, 3)))
                .estimatedRunTime(Duration.ofMinutes(5))
                .deadline(Duration.ofHours(1))
                .moldability(Moldability.LINPACK)
                .memoryProfile(
                    MemoryProfile.of(
                        List.of(
                            new MemoryProfile.Step(0, 4),
                            new MemoryProfile.Step(Duration.ofMinutes(1).toNanos(), 16))))
                .performanceMemoryProfile(
                    PerformanceMemoryProfile.of(
                        List.of(
                            new PerformanceMemoryProfile.Point(16, Duration.ofMinutes(5).toNanos()),
                            new PerformanceMemoryProfile.Point(
                                8, Duration.ofMinutes(10).toNanos()))))
                .build());
  }

  @Test
  void sharesOfTheGreatestDemandDoNotOverflow() {
    RequestOptions half =
        new RequestOptions(
            List.of(4), Optional.empty(), Optional.empty(), false, List.of(8), true, 0);
    RequestShape shape = new RequestShape(0, List.of(9, 9), List.of(), 0, false, false, half);

    Request request = shape.request("r1", List.of(GOLD), new Scale(2, Long.MAX_VALUE / 7));

    assertThat(request.guaranteed().amount(Dimension.CPU)).isEqualTo(Long.MAX_VALUE / 2);
    assertThat(request.memoryProfile().orElseThrow().initial()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void transcriptListsGrantsAndActions() {
    Transcript transcript = new Transcript("some policy", history(List.of(GOLD), 0));

    transcript.answer(
        Optional.of(
            new Plan(
                1,
                0,
                Set.of(Trigger.EMBEDDER),
                List.of(
                    new Action.Place("r1", "h1", List.of(), Optional.of(TestCluster.cpu(2))),
                    new Action.Place("r2", "h1", List.of()),
                    new Action.Suspend("r3", "h1")))));

    assertThat(transcript.toString().lines().map(String::strip))
        .endsWith("r1 goes to h1 with cpu 2", "r2 goes to h1", "suspend r3 on h1");
  }

  @Test
  void transcriptAlignsTimesOfAnyLength() {
    Transcript transcript = new Transcript("some policy", history(List.of(GOLD), 0));

    transcript.call(new Call(5, new Event.Cancelled("r1")));
    transcript.call(new Call(600_000_000_006L, new Event.Cancelled("r2")));
    transcript.answer(
        Optional.of(
            new Plan(
                1, 0, Set.of(Trigger.EMBEDDER), List.of(new Action.Place("r3", "h1", List.of())))));

    List<String> lines = transcript.toString().lines().toList();
    assertThat(lines.subList(lines.size() - 3, lines.size()))
        .containsExactly(
            "             0S  r1 is cancelled",
            "10M0.000000001S  r2 is cancelled",
            "                 r3 goes to h1");
  }

  @Test
  void changesServiceClassesOnly() {
    History history = history(List.of(GOLD), 0);

    History changed = history.withServiceClasses(List.of(BRONZE));

    assertThat(changed.serviceClasses()).containsExactly(BRONZE);
    assertThat(changed.withServiceClasses(List.of(GOLD))).isEqualTo(history);
  }

  private static History history(List<ServiceClass> classes, int present) {
    return new History(
        3, 5, classes, new Scale(2, 7), List.of(), present, List.of(new Step.Pass()));
  }
}
