package dev.berth.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CsvTextTest {

  @Test
  void quotesWhereNeededAndRoundsDoubles() {
    CsvText csv = new CsvText("runs", "policy", "total");
    csv.row("a, \"b\"", 1.23456);
    csv.row("c", 7);
    assertThat(csv.toAttachment())
        .isEqualTo(
            Attachment.beside(
                "runs.csv", "text/csv", "policy,total\n\"a, \"\"b\"\"\",1.235\nc,7\n"));
    assertThatThrownBy(() -> csv.row("one"))
        .hasMessage("A row of runs had 1 values, must have 2 as there are columns.");
  }
}
