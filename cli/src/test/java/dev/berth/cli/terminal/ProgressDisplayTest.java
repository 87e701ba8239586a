package dev.berth.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.config.Durations;
import dev.berth.simulator.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressDisplayTest {

  private static final OptionalDouble HALF = OptionalDouble.of(0.5);

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final StringWriter log = new StringWriter();
  private long now; // in nanoseconds

  private ProgressDisplay terminal(int columns) {
    PrintStream stream = new PrintStream(shown, true, StandardCharsets.UTF_8);
    return new ProgressDisplay(new ProgressLine(stream, () -> columns), () -> now, false);
  }

  private ProgressDisplay log() {
    return new ProgressDisplay(new ProgressLog(new PrintWriter(log)), () -> now, false);
  }

  private void pass(ProgressDisplay display, int seconds) {
    for (int i = 0; i < seconds; i++) {
      now += TimeUnit.SECONDS.toNanos(1);
      display.refresh();
    }
  }

  private String onTerminal() {
    return shown.toString(StandardCharsets.UTF_8);
  }

  /** Returns what a terminal of so many columns shows in its last line. */
  private String lastLine(int columns) {
    char[] line = new char[columns];
    Arrays.fill(line, ' ');
    int at = 0;
    for (char each : onTerminal().toCharArray()) {
      if (each == '\r') {
        at = 0;
      } else if (each == '\n') {
        Arrays.fill(line, ' ');
        at = 0;
      } else {
        line[at++] = each; // fails if it would wrap
      }
    }
    return new String(line).stripTrailing();
  }

  // ---- On a terminal

  @Test
  void shortCommandShowsNothingOnTerminal() {
    try (ProgressDisplay display = terminal(80)) {
      display.begin("qos-driven");
      display.reached(HALF, "30m of 1h simulated");
      display.refresh();
      display.note("qos-driven took 1s.");
      display.end();
    }
    assertThat(onTerminal()).isEmpty();
  }

  @Test
  void rewritesOneLineAndRemovesIt() {
    ProgressDisplay display = terminal(80);
    display
        .beginSimulation("qos-driven (1 of 4)", Duration.ofDays(29))
        .reached(Duration.ofHours(300), HALF);
    pass(display, 72);
    assertThat(lastLine(80))
        .isEqualTo("qos-driven (1 of 4): 50 %, 12d of 29d simulated, 1m12s, about 1m12s left");
    display.reached(OptionalDouble.of(0.9));
    pass(display, 1);
    assertThat(lastLine(80))
        .isEqualTo(
            "qos-driven (1 of 4) [==========================>  ] 90 %, 1m13s, about 8s left");
    display.end();
    assertThat(lastLine(80)).isEmpty();
    assertThat(onTerminal()).doesNotContain("\n");
    display.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 20, 40, 60, 80, 200})
  void neverWraps(int columns) {
    ProgressDisplay display = terminal(columns);
    display.begin("a policy with a long name on a workload with a long name (1 of 4)");
    for (int percent = 0; percent <= 100; percent += 10) {
      display.reached(OptionalDouble.of(percent / 100.0), "12d of 29d simulated", "17 pending");
      pass(display, 100);
      String line = lastLine(columns);
      assertThat(line).hasSizeBetween(1, columns - 1).contains(percent + " %");
    }
    display.note("a policy with a long name: mean availability gold 0.98, silver 0.87, bronze 0.3");
    assertThat(onTerminal().lines().filter(line -> line.contains("avail")))
        .allMatch(line -> line.substring(line.lastIndexOf('\r') + 1).length() < columns);
    display.close();
    assertThat(lastLine(columns)).isEmpty();
  }

  @Test
  void dropsLeastImportantPartsOnNarrowTerminal() {
    ProgressState state =
        new ProgressState(
            "priority",
            OptionalDouble.of(0.25),
            List.of("7d of 29d simulated", "12 pending"),
            Duration.ofSeconds(30),
            Optional.of(Duration.ofSeconds(90)));
    assertThat(ProgressText.fitted(state, 95))
        .isEqualTo(
            "priority [=====>                ] 25 %, 7d of 29d simulated, 12 pending, 30s, about 1m30s left");
    assertThat(ProgressText.fitted(state, 70))
        .isEqualTo("priority: 25 %, 7d of 29d simulated, 12 pending, 30s, about 1m30s left");
    assertThat(ProgressText.fitted(state, 60))
        .isEqualTo("priority: 25 %, 7d of 29d simulated, 30s, about 1m30s left");
    assertThat(ProgressText.fitted(state, 40)).isEqualTo("priority: 25 %, 30s, about 1m30s left");
    assertThat(ProgressText.fitted(state, 36)).isEqualTo("priority: 25 %, about 1m30s left");
    assertThat(ProgressText.fitted(state, 20)).isEqualTo("priority: 25 %");
    assertThat(ProgressText.fitted(state, 12)).isEqualTo("pri...: 25 %");
  }

  @Test
  void notesOfLongCommandStayAboveLine() {
    ProgressDisplay display = terminal(80);
    display.begin("qos-driven (1 of 2)");
    pass(display, 6);
    display.end();
    display.note("qos-driven took 6s.");
    display.begin("priority (2 of 2)");
    pass(display, 3);
    assertThat(onTerminal()).doesNotContain("took");
    pass(display, 1);
    assertThat(onTerminal()).contains("\rqos-driven took 6s.\n\rpriority (2 of 2): 10s");
    display.note("priority took 4s.");
    assertThat(onTerminal()).contains("\rpriority took 4s.\n");
    display.close();
  }

  // ---- In a log

  @Test
  void shortCommandLogsNothing() {
    try (ProgressDisplay display = log()) {
      display.begin("qos-driven");
      display.reached(HALF);
      pass(display, 9);
      display.note("qos-driven took 9s.");
      display.end();
    }
    assertThat(log.toString()).isEmpty();
  }

  @Test
  void logsAtGrowingButBoundedIntervals() {
    ProgressDisplay display = log();
    Progress run = display.beginSimulation("priority (2 of 4)", Duration.ofHours(1));
    for (int second = 1; second <= 100; second++) {
      run.reached(Duration.ofSeconds(18L * second), OptionalDouble.of(second / 200.0));
      pass(display, 1);
    }
    display.close();
    assertThat(log.toString().lines())
        .containsExactly(
            "priority (2 of 4): 5 %, 3m of 1h simulated, 10s so far",
            "priority (2 of 4): 15 %, 9m of 1h simulated, 30s so far, about 2m50s left",
            "priority (2 of 4): 30 %, 18m of 1h simulated, 1m so far, about 2m20s left",
            "priority (2 of 4): 45 %, 27m of 1h simulated, 1m30s so far, about 1m50s left");
  }

  @Test
  void missedLinesAreNotMadeUpFor() {
    ProgressDisplay display = log();
    display.begin("reading");
    now += TimeUnit.SECONDS.toNanos(125);
    display.refresh();
    pass(display, 24);
    assertThat(log.toString()).isEqualToNormalizingNewlines("reading: 2m5s so far\n");
    pass(display, 1);
    assertThat(log.toString())
        .isEqualToNormalizingNewlines("reading: 2m5s so far\nreading: 2m30s so far\n");
    display.close();
  }

  @Test
  void notesOfLongCommandAreLogged() {
    ProgressDisplay display = log();
    display.begin("qos-driven (1 of 2)");
    pass(display, 4);
    display.end();
    display.note("qos-driven took 4s.");
    display.begin("priority (2 of 2)");
    pass(display, 8);
    display.end();
    display.note("priority took 8s.");
    display.close();
    assertThat(log.toString().lines())
        .containsExactly(
            "qos-driven took 4s.", "priority (2 of 2): 10s so far", "priority took 8s.");
  }

  @Test
  void escapesOfNamesBecomeVisible() {
    ProgressDisplay display = log();
    display.begin("evil\u001b[31m");
    display.reached(HALF, "two\nlines");
    pass(display, 10);
    display.close();
    assertThat(log.toString().lines())
        .containsExactly("evil\\u001b[31m: 50 %, two\\u000alines, 10s so far, about 10s left");
  }

  // ---- Estimates

  @Test
  void estimateNeedsSomeProgress() {
    ProgressDisplay display = log();
    display.begin("qos-driven");
    display.reached(OptionalDouble.of(0.01));
    pass(display, 5);
    display.reached(OptionalDouble.of(0.09));
    pass(display, 5);
    display.reached(OptionalDouble.of(1));
    pass(display, 20);
    display.close();
    assertThat(log.toString()).doesNotContain("left");
  }

  @Test
  void estimateOfTaskIsUsed() {
    ProgressDisplay display = log();
    display.begin("memic-2 (3 of 18)", () -> Optional.of(Duration.ofSeconds(754)));
    pass(display, 10);
    display.close();
    assertThat(log.toString())
        .isEqualToNormalizingNewlines("memic-2 (3 of 18): 10s so far, about 12m left\n");
  }

  @Test
  void closedDisplayShowsNothing() {
    ProgressDisplay display = log();
    display.close();
    display.begin("qos-driven");
    pass(display, 60);
    display.note("qos-driven took 60s.");
    display.close();
    assertThat(log.toString()).isEmpty();
  }

  @Test
  void readsWidthFromTerminalSettings() {
    assertThat(TerminalWidth.parse("24 132\n")).isEqualTo(132);
    assertThat(TerminalWidth.parse("0 0\n")).as("unknown").isEqualTo(80);
    assertThat(TerminalWidth.parse("")).isEqualTo(80);
  }

  @ParameterizedTest
  @CsvSource({
    "29d, 12d12h, 12d of 29d simulated",
    "2d, 47h, 1d of 2d simulated",
    "1d, 90m, 1h of 1d simulated",
    "1h, 90s, 1m of 1h simulated",
    "90s, 12s, 12s of 1m30s simulated",
    "100000d, 12d, 12d simulated"
  })
  void tellsSimulatedTimeInUnitOfWhole(String until, String reached, String text) {
    assertThat(ProgressText.simulated(Durations.parse(reached), Durations.parse(until)))
        .isEqualTo(text);
  }
}
