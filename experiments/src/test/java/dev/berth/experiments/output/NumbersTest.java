package dev.berth.experiments.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class NumbersTest {

  @Test
  void sharesHaveAPointWhateverTheLocale() {
    assertThat(Numbers.share(0.90545, 4)).isEqualTo("0.9055");
    assertThat(Numbers.share(OptionalDouble.of(1), 3)).isEqualTo("1.000");
  }

  @Test
  void undefinedIsADash() {
    assertThat(Numbers.share(OptionalDouble.empty(), 4)).isEqualTo("–");
    assertThat(Numbers.count(OptionalLong.empty())).isEqualTo("–");
    assertThat(Numbers.count(OptionalLong.of(1234567))).isEqualTo("1234567");
  }

  @Test
  void objectivesReadAsPeopleWriteThem() {
    assertThat(Numbers.plain(1)).isEqualTo("1");
    assertThat(Numbers.plain(0.9)).isEqualTo("0.9");
    assertThat(Numbers.plain(0.9999)).isEqualTo("0.9999");
  }
}
