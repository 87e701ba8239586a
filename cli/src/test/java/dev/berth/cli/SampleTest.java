package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleTest {

  @ParameterizedTest
  @CsvSource({"1, 12.7062", "2, 4.3027", "4, 2.7764", "9, 2.2622", "29, 2.0452", "1000, 1.9623"})
  void studentsT(int freedom, double published) {
    assertThat(Sample.quantile(freedom)).isCloseTo(published, within(0.0001));
  }

  @Test
  void meanAndMargin() {
    Sample sample = new Sample(List.of(1.0, 2.0, 3.0, 4.0, 5.0));

    assertThat(sample.mean()).isEqualTo(3);
    assertThat(sample.deviation()).isCloseTo(Math.sqrt(2.5), within(1e-12));
    assertThat(sample.margin()).isCloseTo(2.7764 * Math.sqrt(0.5), within(1e-4));
    assertThat(sample.isBelowZero()).isFalse();
  }

  @Test
  void differencesGoByPairs() {
    Sample one = new Sample(List.of(10.0, 20.0, 30.0));
    Sample other = new Sample(List.of(11.0, 21.5, 31.0));

    assertThat(one.minus(other).values()).containsExactly(-1.0, -1.5, -1.0);
    assertThat(one.minus(other).isBelowZero()).isTrue();
    assertThat(other.minus(one).isBelowZero()).isFalse();
    assertThat(one.minus(one).isBelowZero()).isFalse();
  }

  @Test
  void oneValueHasNoMargin() {
    assertThat(new Sample(List.of(7.0)).margin()).isZero();
  }
}
