package dev.berth.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleTest {

  @Test
  void returnsMeanAndInterval() {
    Sample sample = Sample.of(List.of(1.0, 2.0, 3.0, 4.0, 5.0));

    assertThat(sample.mean()).isEqualTo(3);
    assertThat(sample.deviation()).isCloseTo(Math.sqrt(2.5), within(1e-12));
    assertThat(sample.halfWidth().orElseThrow()).isCloseTo(2.7764 * Math.sqrt(0.5), within(1e-4));
    assertThat(sample.isBelowZero()).isFalse();
  }

  @Test
  void comparesPairByPair() {
    Sample one = Sample.of(List.of(10.0, 20.0, 30.0));
    Sample other = Sample.of(List.of(11.0, 21.5, 31.0));

    assertThat(one.minus(other).mean()).isCloseTo(-3.5 / 3, within(1e-12));
    assertThat(one.minus(other).deviation()).isCloseTo(Math.sqrt(1 / 12.0), within(1e-12));
    assertThat(one.minus(other).isBelowZero()).isTrue();
    assertThat(other.minus(one).isBelowZero()).isFalse();
    assertThat(one.minus(one).isBelowZero()).isFalse();
  }

  @Test
  void oneValueHasNoInterval() {
    assertThat(Sample.of(List.of(7.0)).halfWidth()).isEmpty();
  }

  @Test
  void oneDifferenceIsNeverSignificant() {
    assertThat(Sample.of(List.of(1.0)).minus(Sample.of(List.of(2.0))).isBelowZero()).isFalse();
  }
}
