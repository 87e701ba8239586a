package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrossingsTest {

  @ParameterizedTest(name = "a gap of {2} units of 2^{0} ns that closes at {3} from {1} on: {4}")
  @CsvSource({
    "0, 100, 12, 1, 106", // less 2 ns of rounding of the values and 3 of the time
    "0, 100, 12, 0.5, 116",
    "0, 100, 2, 1, 100",
    "0, 100, -5, 1, 100",
    "3, 100, 14, 1, 176", // less 4 units
    "0, -100, 12, 1, -94",
    "0, 0, 3, 0, 9223372036854775807",
    "0, 4000000000000000000, 6000000000000000000, 1, 9223372036854775807",
  })
  void closesAtConstantSpeed(int bits, long now, long gap, double speed, long expected) {
    assertThat(new Crossings(new QosUnit(bits)).closed(now, gap, speed)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{1} ns from {0} on: {2}")
  @CsvSource({"100, 12, 106", "100, 0, 100"})
  void endsAfterALength(long now, double length, long expected) {
    assertThat(Crossings.after(now, length)).isEqualTo(expected);
  }
}
