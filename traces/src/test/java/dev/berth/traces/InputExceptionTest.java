package dev.berth.traces;

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
}
