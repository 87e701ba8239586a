package dev.berth.traces.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class InputExceptionTest {

  @Test
  void messageNamesLocationValueAndRule() {
    assertThat(
            new InputException(
                "w.csv",
                OptionalLong.of(17),
                Optional.of("cpu"),
                Optional.of("-1"),
                "must not be negative",
                Optional.of("you meant \"1\"")))
        .hasMessage("w.csv, line 17: cpu was \"-1\", must not be negative. Maybe you meant \"1\".");
    assertThat(
            new InputException(
                "w.csv",
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                "does not exist",
                Optional.empty()))
        .hasMessage("w.csv: does not exist.");
  }

  @Test
  void escapesControlCharacters() {
    InputException error =
        new InputException(
            "w.csv",
            OptionalLong.of(1),
            Optional.of("id"),
            Optional.of("a\u001b[31m\u202eb\u0000"),
            "must be plain",
            Optional.empty());

    assertThat(error)
        .hasMessage("w.csv, line 1: id was \"a\\u001b[31m\\u202eb\\u0000\", must be plain.");
    assertThat(error.value()).contains("a\u001b[31m\u202eb\u0000");
  }

  @Test
  void everyPartOfTheMessageIsPlainAndShort() {
    String hostile = "\u202e\u2066\u001b]0;x\u0007\n" + "a".repeat(100_000);
    InputException error =
        new InputException(
            hostile,
            OptionalLong.of(1),
            Optional.of(hostile),
            Optional.of(hostile),
            hostile,
            Optional.of(hostile));

    for (String text :
        new String[] {error.getMessage(), error.field().get(), error.rule(), error.hint().get()}) {
      assertThat(text).startsWith("\\u202e\\u2066\\u001b]0;x\\u0007\\u000aaaa").contains("aaa…");
      assertThat(text.chars())
          .noneMatch(
              each -> Character.isISOControl(each) || Character.getType(each) == Character.FORMAT);
    }
    assertThat(error.getMessage()).hasSizeLessThan(3_500);
    assertThat(error.field().get()).hasSizeLessThan(100);
    assertThat(error.rule()).hasSizeLessThan(1_100);
    assertThat(error.file()).isEqualTo(hostile);
    assertThat(error.value()).contains(hostile);
  }
}
