package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ApplicationHistoryTest {

  @Test
  void firstRunIsTheMean() {
    assertThat(ApplicationHistory.first(7)).isEqualTo(new ApplicationHistory(1, 7));
  }

  @Test
  void newerRunsWeighAQuarter() {
    assertThat(ApplicationHistory.first(100).plus(200).plus(0))
        .isEqualTo(new ApplicationHistory(3, 93)); // 125, then 93.75
  }

  @Property
  void meanIsExactForVeryLongRuns(
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long mean,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long cpuTime) {
    BigInteger exact =
        BigInteger.valueOf(mean)
            .multiply(BigInteger.valueOf(3))
            .add(BigInteger.valueOf(cpuTime))
            .divide(BigInteger.valueOf(4));

    assertThat(new ApplicationHistory(5, mean).plus(cpuTime))
        .isEqualTo(new ApplicationHistory(6, exact.longValueExact()));
  }

  @Test
  void refusesImpossibleValues() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ApplicationHistory(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new ApplicationHistory(1, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> ApplicationHistory.first(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> ApplicationHistory.first(9).plus(-1));
  }
}
