package dev.berth.simulator.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.simulator.PenaltyTable;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ClassCollectorTest {

  private final ClassCollector silver = new ClassCollector(Ended.SILVER, PenaltyTable.PUBLISHED);

  @Test
  void figuresOfAnInterval() {
    silver.active(10, 10);
    silver.active(9, 10);
    silver.active(5, 10);
    silver.active(0, 10);
    silver.active(0, 0); // admitted at the very end
    ClassInterval got = silver.interval();
    assertThat(got.name()).isEqualTo("silver");
    assertThat(got.active()).isEqualTo(4);
    assertThat(got.min()).isZero();
    assertThat(got.max()).isEqualTo(1);
    assertThat(got.mean()).isCloseTo(0.6, within(1e-12));
    assertThat(got.fulfilment()).as("0.9 and 1").isEqualTo(0.5);
    // Differences of pairs: .1 .5 1 .4 .9 .5 sum to 3.4; 3.4 / (4 * 2.4).
    assertThat(got.gini()).isCloseTo(3.4 / 9.6, within(1e-12));
  }

  @Test
  void anIntervalStartsFromNothing() {
    silver.active(1, 2);
    silver.interval();
    assertThat(silver.interval()).isEqualTo(new ClassInterval("silver", 0, 0, 0, 0, 0, 0));
  }

  @Test
  void whereNobodyGotAnythingAllAreEqual() {
    silver.active(0, 5);
    silver.active(0, 7);
    assertThat(silver.interval().gini()).isZero();
  }

  @Property
  void giniIsTheMeanDifference(
      @ForAll @Size(min = 1, max = 90) List<@IntRange(min = 0, max = 1000) Integer> services) {
    services.forEach(each -> silver.active(each, 1000));
    double differences = 0;
    double sum = 0;
    for (int one : services) {
      sum += one;
      for (int other : services) {
        differences += Math.abs(one - other);
      }
    }
    double naive = sum == 0 ? 0 : differences / (2 * services.size() * sum);
    ClassInterval got = silver.interval();
    assertThat(got.gini()).isCloseTo(naive, within(1e-9)).isGreaterThanOrEqualTo(0).isLessThan(1);
    assertThat(got.min()).isLessThanOrEqualTo(got.mean() + 1e-12);
    assertThat(got.mean()).isLessThanOrEqualTo(got.max() + 1e-12);
    long met = services.stream().filter(each -> each >= 900).count();
    assertThat(got.fulfilment()).isEqualTo((double) met / services.size());
  }

  @Test
  void waiting() {
    for (int i = 1; i <= 100; i++) {
      silver.ended(Ended.completed(i, Ended.SILVER, Duration.ofHours(100), Duration.ofSeconds(i)));
    }
    ClassMetrics got = silver.result();
    assertThat(got.waitingMean()).isCloseTo(50.5, within(1e-9));
    assertThat(got.waitingMedian()).isCloseTo(50, within(0.05));
    assertThat(got.waitingP95()).isCloseTo(95, within(0.1));
    assertThat(got.waitingMax()).isEqualTo(100);
    assertThat(got.served()).isEqualTo(100 * 360_000.0);
    assertThat(got.penalty()).isZero();
  }

  @Test
  void ofNobodyNothing() {
    assertThat(silver.result()).isEqualTo(new ClassMetrics("silver", 0, 0, 0, 0, 0, 0, 0));
  }
}
