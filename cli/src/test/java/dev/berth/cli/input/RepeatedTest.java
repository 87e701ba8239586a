package dev.berth.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class RepeatedTest {

  @Test
  void readsSingleAndRepeatedValues() {
    assertThat(Repeated.read("2s")).isEqualTo(new Repeated(Duration.ofSeconds(2), 1));
    assertThat(Repeated.read("1m30sx625")).isEqualTo(new Repeated(Duration.ofSeconds(90), 625));
    assertThat(Repeated.expand(List.of(Repeated.read("2sx2"), Repeated.read("3s"))))
        .containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2sx0", "2sx9999999", "2x3", "x3", "2sx"})
  void refusesMalformedValues(String text) {
    assertThatThrownBy(() -> Repeated.read(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("must be a duration");
  }

  @Test
  void countsRepeatedValuesOfLongLists() {
    assertThat(Repeated.words(Collections.nCopies(8, Duration.ofSeconds(2)))).hasSize(8);
    assertThat(Repeated.words(Collections.nCopies(9, Duration.ofSeconds(2))))
        .containsExactly("2sx9");
  }
}
