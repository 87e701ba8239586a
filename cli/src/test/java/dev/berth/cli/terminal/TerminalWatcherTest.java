package dev.berth.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TerminalWatcherTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final PrintStream terminal = new PrintStream(shown, true, StandardCharsets.UTF_8);

  @Test
  void shortRunShowsNoBar() {
    Watcher watcher = new TerminalWatcher(terminal);
    Progress progress = watcher.begin("qos-driven");
    progress.reached(Duration.ofMinutes(1), OptionalDouble.of(0.5));
    watcher.end();
    assertThat(shown.size()).isZero();
  }

  @Test
  void longRunShowsBarAndClearsIt() {
    Watcher watcher = new TerminalWatcher(terminal, Duration.ZERO);
    for (int run = 0; run < 2; run++) {
      Progress progress = watcher.begin("qos-driven");
      progress.reached(Duration.ofMinutes(30), OptionalDouble.of(0.5));
      watcher.end();
    }
    String text = shown.toString(StandardCharsets.UTF_8);
    assertThat(text).contains("\rqos-driven  50% [").endsWith("\r").doesNotContain("\n");
    assertThat(text.substring(0, text.length() - 1)).endsWith(" ");
  }

  @Test
  void runOfUnknownLengthShowsBar() {
    Watcher watcher = new TerminalWatcher(terminal, Duration.ZERO);
    watcher.begin("priority").reached(Duration.ofMinutes(30), OptionalDouble.empty());
    watcher.end();
    assertThat(shown.toString(StandardCharsets.UTF_8)).contains("\rpriority");
  }

  @Test
  void endIsIdempotent() {
    Watcher watcher = new TerminalWatcher(terminal);
    watcher.begin("priority");
    watcher.end();
    watcher.end();
    assertThat(shown.size()).isZero();
  }
}
