package dev.berth.kubernetes.reproduction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.command.KubernetesMain;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.Delay;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Options, requests and settings; nothing is run. */
class ReproduceCommandTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kubernetes-validation-3                   | EXPERIMENT: kubernetes-validation-3 is no experiment
          kubernetes-validation-1 --speed 0.5       | --speed was 0.5, must be a number from 1 to 100
          kubernetes-validation-1 --speed NaN       | --speed was NaN, must be a number from 1 to 100
          kubernetes-validation-1 --speed fast      | --speed was fast, must be a number from 1 to 100
          kubernetes-validation-1 --minutes 0       | --minutes was 0, must be a number above 0
          kubernetes-validation-1 --seed 1.5        | --seed was 1.5, must be a whole number
          kubernetes-validation-1 --watchdog 0s     | --watchdog was 0s, must be a duration from 1s to 1h
          kubernetes-validation-1 --watchdog soon   | --watchdog was soon, must be a duration from 1s to 1h
          kubernetes-validation-1 --json none/a.json| --json was none/a.json, must be a file in a folder that exists
          kubernetes-validation-1 --json .          | --json was ., must be a file in a folder that exists
          kubernetes-validation-1 --fast            | Unknown option: '--fast'
          """)
  void badInputIsALineWithExitCode2(String words, String message) {
    StringWriter err = new StringWriter();
    PrintWriter writer = new PrintWriter(err);
    int code =
        KubernetesMain.commandLine(writer, writer, new ReproduceCommand())
            .execute(("reproduce " + words.strip()).split(" "));
    assertThat(err.toString()).contains(message).hasLineCount(1);
    assertThat(code).isEqualTo(2);
  }

  @Test
  void helpListsTheCommandAfterThoseOfTheScheduler() {
    PrintWriter none = new PrintWriter(new StringWriter());
    CommandLine line = KubernetesMain.commandLine(none, none, new ReproduceCommand());
    assertThat(line.getSubcommands().keySet())
        .containsExactly("run", "check", "explain", "reproduce", "help");
  }

  @Test
  void theRequestsAreThoseOfThePaperInAnOrderOfTheSeed() {
    Map<String, Long> first =
        Validation.VALIDATION_1.requests(1).stream()
            .collect(
                Collectors.groupingBy(
                    Validation.Submission::serviceClass, TreeMap::new, Collectors.counting()));
    assertThat(first).isEqualTo(Map.of("gold", 80L, "silver", 80L, "bronze", 96L));
    List<Validation.Submission> order = Validation.VALIDATION_1.requests(1);
    List<Validation.Submission> again = Validation.VALIDATION_1.requests(1);
    List<Validation.Submission> other = Validation.VALIDATION_1.requests(2);
    assertThat(again).isEqualTo(order);
    assertThat(other).isNotEqualTo(order).containsExactlyInAnyOrderElementsOf(order);
    assertThat(Validation.VALIDATION_2.requests(1)).hasSize(221);
  }

  @Test
  void delaysAreThePublishedOnesDividedByTheSpeed() {
    RunSettings settings = settings(10);
    SplittableRandom random = new SplittableRandom(1);
    Map<Duration, Long> starts = new TreeMap<>();
    Delay delay = settings.starts();
    for (int i = 0; i < 100_000; i++) {
      starts.merge(delay.draw(random), 1L, Long::sum);
    }
    assertThat(starts).hasSize(6);
    assertThat(starts.get(Duration.ofMillis(200))).isBetween(61_500L, 63_500L);
    assertThat(starts.get(Duration.ofMillis(300))).isBetween(33_500L, 35_500L);
    assertThat(settings.stops().draw(random))
        .isBetween(Duration.ofMillis(275), Duration.ofMillis(375));
    assertThat(settings.length()).isEqualTo(Duration.ofMinutes(6));
  }

  @Test
  void theSchedulerIsConfiguredAsTheirsWas() {
    Configuration configuration =
        Configuration.read(
            Map.of(Configuration.KEY, settings(10).configuration()),
            (Optional<Path> none) -> PolicyRegistry.load());
    assertThat(configuration.policy()).isEqualTo("qos-driven");
    assertThat(configuration.serviceClasses())
        .extracting(each -> each.safetyMargin())
        .containsOnly(Duration.ofSeconds(3));
    assertThat(configuration.serviceClasses())
        .extracting(each -> each.slo().share())
        .containsExactly(1.0, 0.9, 0.5);
    assertThat(configuration.policyConfig()).contains("urgent-first").contains("7.5s");
    assertThat(configuration.loop().passInterval()).isEqualTo(Duration.ofMillis(100));
  }

  private static RunSettings settings(double speed) {
    return new RunSettings(Validation.VALIDATION_1, speed, 1, 60, Duration.ofSeconds(75));
  }
}
