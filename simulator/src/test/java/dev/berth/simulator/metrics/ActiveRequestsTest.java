package dev.berth.simulator.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.simulator.Ended;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ActiveRequestsTest {

  private final ActiveRequests silver = new ActiveRequests(Ended.SILVER);

  @Test
  void intervalHasFiguresOfItsActiveRequests() {
    silver.add(10, 10, false);
    silver.add(9, 10, false);
    silver.add(5, 10, false);
    silver.add(0, 10, false);
    silver.add(0, 0, false); // admitted at the end
    ClassInterval got = silver.endInterval();
    assertThat(got.name()).isEqualTo("silver");
    assertThat(got.active()).isEqualTo(4);
    assertThat(got.min()).hasValue(0);
    assertThat(got.max()).hasValue(1);
    assertThat(got.mean().orElseThrow()).isCloseTo(0.6, within(1e-12));
    assertThat(got.fulfilment()).as("0.9 and 1").hasValue(0.5);
    // Differences of pairs: .1 .5 1 .4 .9 .5 sum to 3.4; 3.4 / (4 * 2.4).
    assertThat(got.gini().orElseThrow()).isCloseTo(3.4 / 9.6, within(1e-12));
  }

  /** Its first start is the only time out of service of the second. */
  @Test
  void undisturbedRequestLacksNothing() {
    silver.add(10, 10, false);
    silver.add(8, 10, true);
    silver.add(9, 10, false);
    silver.add(8, 10, false);
    ClassInterval got = silver.endInterval();
    assertThat(got.fulfilment()).hasValue(0.5);
    assertThat(got.served()).hasValue(0.5);
    assertThat(got.met()).hasValue(0.75);
    silver.add(9, 10, false);
    assertThat(silver.endInterval().served()).hasValue(0);
  }

  @Test
  void figuresOfAnIntervalWithoutActiveRequestsAreAbsent() {
    silver.add(1, 2, false);
    silver.endInterval();
    assertThat(silver.endInterval()).isEqualTo(ClassInterval.inactive("silver"));
  }

  @Test
  void requestsWithoutAnyServiceAreEqual() {
    silver.add(0, 5, false);
    silver.add(0, 7, false);
    assertThat(silver.endInterval().gini()).hasValue(0);
  }

  @Property
  void giniIsTheMeanDifference(
      @ForAll @Size(min = 1, max = 90) List<@IntRange(min = 0, max = 1000) Integer> services) {
    services.forEach(each -> silver.add(each, 1000, false));
    double differences = 0;
    double sum = 0;
    for (int one : services) {
      sum += one;
      for (int other : services) {
        differences += Math.abs(one - other);
      }
    }
    double naive = sum == 0 ? 0 : differences / (2 * services.size() * sum);
    ClassInterval got = silver.endInterval();
    assertThat(got.gini().orElseThrow())
        .isCloseTo(naive, within(1e-9))
        .isGreaterThanOrEqualTo(0)
        .isLessThan(1);
    double mean = got.mean().orElseThrow();
    assertThat(got.min().orElseThrow()).isLessThanOrEqualTo(mean + 1e-12);
    assertThat(mean).isLessThanOrEqualTo(got.max().orElseThrow() + 1e-12);
    long met = services.stream().filter(each -> each >= 900).count();
    assertThat(got.fulfilment()).hasValue((double) met / services.size());
  }
}
