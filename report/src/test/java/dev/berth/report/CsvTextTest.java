package dev.berth.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\uff1d1", "-"})
  void makesFormulasHarmless(String name) {
    CsvText csv = new CsvText("runs", "policy");
    csv.row(name);
    assertThat(csv.toString().lines().skip(1).findFirst().orElseThrow().replace("\"", ""))
        .startsWith("'");
  }

  @Test
  void numbersAreNoFormulas() {
    CsvText csv = new CsvText("runs", "a", "b", "c", "d");
    csv.row("-1.500000000", "+7", "-1e-9", -2.0);
    assertThat(csv).hasToString("a,b,c,d\n-1.500000000,+7,-1e-9,-2.000\n");
  }

  @Test
  void quotesWhereNeededAndRoundsDoubles() {
    CsvText csv = new CsvText("runs", "policy", "total");
    csv.row("a, \"b\"", 1.23456);
    csv.row("c", 7);
    assertThat(csv).hasToString("policy,total\n\"a, \"\"b\"\"\",1.235\nc,7\n");
    assertThatThrownBy(() -> csv.row("one"))
        .hasMessage("A row of runs had 1 values, must have 2 as there are columns.");
  }
}
