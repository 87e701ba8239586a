package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import dev.berth.cli.terminal.Environment;
import dev.berth.cli.terminal.ProgressMode;
import dev.berth.cli.terminal.TerminalStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code berth compare} adds on a terminal, and nowhere else. */
class GlanceBarsTest {

  private static final Map<String, String> XTERM =
      Map.of("TERM", "xterm-256color", "LANG", "en_GB.UTF-8");

  @TempDir private Path folder;

  private static List<String> lines(boolean terminal, int columns, Map<String, String> variables) {
    TerminalStyle style = TerminalStyle.of(terminal, variables);
    OptionalInt width = terminal ? OptionalInt.of(columns) : OptionalInt.empty();
    return Cli.run(new Environment(false, ProgressMode.NONE, width, style), "compare").outLines();
  }

  @Test
  void terminalHasBarsAndColoursForBestAndWorst() {
    List<String> lines = lines(true, 100, XTERM);
    List<String> plain = lines.stream().map(each -> each.replaceAll("\u001b\\[\\d+m", "")).toList();

    assertThat(lines).hasSizeLessThanOrEqualTo(22);
    assertThat(plain).allMatch(each -> each.length() <= 100);
    assertThat(plain)
        .contains(
            "               ------- service --  ---------- ci ----  -------- batch ---  penalty    pre-    lost",
            "               met %         mean  met %         mean  met %         mean   core h  empted  work h",
            "qos-attained   100.0 █████  0.998  100.0 █████  0.985   99.1 █████  0.937     0.58     757    0.42",
            "never-preempt  100.0 █████  1.000   78.7 ███▉   0.878   73.6 ███▋   0.729    41.33       0    0.00");
    assertThat(lines)
        .anyMatch(each -> each.contains("\u001b[32m99.1 █████\u001b[0m  0.937"))
        .anyMatch(each -> each.contains("\u001b[31m81.5 ████▏\u001b[0m  0.805"))
        .noneMatch(each -> each.startsWith("infinite host") && each.contains("\u001b"));
  }

  @Test
  void namesCannotColourATerminal() throws IOException {
    Environment terminal =
        new Environment(
            false, ProgressMode.NONE, OptionalInt.of(200), TerminalStyle.of(true, XTERM));
    Cli.Result result =
        Cli.run(
            terminal,
            "compare",
            "--classes",
            file("c.json", "[{\"name\": \"c\\u001b[31m\", \"importance\": 1}]"),
            "--workload",
            file(
                "w.jsonl",
                """
                {"admitted":0,"id":"r\\u001b[32m","class":"c\\u001b[31m","serviceTime":60,\
                "demand":{"cpu":1,"memory":1}}
                """),
            "--infrastructure",
            file("h.csv", "id,cpu,memory\nh1,4,8\n"));

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).contains("█", "c\\u001b[31m").doesNotContain("\u001b");
  }

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  @Test
  void asciiWithoutUnicodeAndNoColourIfUnwanted() {
    for (Map<String, String> each :
        List.of(
            Map.of("TERM", "dumb"),
            Map.of("LANG", "C"),
            Map.of("TERM", "xterm", "NO_COLOR", "1", "LC_ALL", "C", "LANG", "en_GB.UTF-8"))) {
      assertThat(lines(true, 100, each))
          .as(each.toString())
          .anyMatch(line -> line.contains("78.7 ####   0.878"))
          .noneMatch(line -> line.contains("\u001b") || line.contains("█"));
    }
  }

  @Test
  void narrowTerminalHasColoursAlone() {
    assertThat(lines(true, 90, XTERM))
        .anyMatch(each -> each.contains("\u001b[32m99.1\u001b[0m  0.937     0.58"))
        .noneMatch(each -> each.contains("█"));
  }

  @Test
  void otherOutputStaysAsItIs() {
    assertThat(lines(false, 100, XTERM))
        .isEqualTo(Cli.run("compare").outLines())
        .noneMatch(each -> each.contains("\u001b") || each.contains("█"))
        .contains(
            "never-preempt  100.0  1.000   78.7  0.878   73.6  0.729    41.33       0    0.00");
  }
}
