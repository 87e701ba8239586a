package dev.berth.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalWidthTest {

  @ParameterizedTest
  @CsvSource({"120,200,120", "'',200,200", "wide,200,200", "0,200,200", "-5,80,80"})
  void variableBeforeTerminal(String variable, int reported, int expected) {
    assertThat(TerminalWidth.of(true, variable, () -> reported)).hasValue(expected);
  }

  @Test
  void pipeHasNoWidth() {
    assertThat(TerminalWidth.of(false, "120", () -> 100)).isEmpty();
    assertThat(TerminalWidth.of(true, null, () -> TerminalWidth.USUAL)).hasValue(80);
  }
}
