package dev.berth.simulator.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BucketsTest {

  private static final int MOST = 1024;

  @Test
  void keepsEachRowWhileThereIsRoom() {
    Buckets buckets = filled(MOST);
    assertThat(buckets.rowsPerBucket()).isEqualTo(1);
    assertThat(buckets.means(0)).hasSize(MOST).startsWith(0.0, 1.0, 2.0).endsWith(MOST - 1.0);
    assertThat(buckets.means(1)).startsWith(0.0, -2.0, -4.0);
  }

  @Test
  void mergesPairsWhenFull() {
    Buckets buckets = filled(MOST + 1);
    assertThat(buckets.rowsPerBucket()).isEqualTo(2);
    assertThat(buckets.means(0)).hasSize(MOST / 2 + 1).startsWith(0.5, 2.5, 4.5);
    assertThat(buckets.means(0).get(MOST / 2)).as("one row alone").isEqualTo(MOST);
  }

  @Test
  void hasNoMeansWithoutRows() {
    assertThat(new Buckets(2).means(1)).isEmpty();
  }

  @Property(tries = 60)
  void mergingKeepsTheOverallMean(@ForAll @IntRange(min = 1, max = 20_000) int rows) {
    Buckets buckets = filled(rows);
    List<Double> means = buckets.means(0);
    int step = buckets.rowsPerBucket();
    assertThat(Integer.bitCount(step)).isOne();
    assertThat(means).hasSize((rows + step - 1) / step).hasSizeLessThanOrEqualTo(MOST);
    int inLast = rows - (means.size() - 1) * step;
    double sum = means.get(means.size() - 1) * inLast;
    for (double each : means.subList(0, means.size() - 1)) {
      sum += each * step;
    }
    assertThat(sum / rows).isCloseTo((rows - 1) / 2.0, within(1e-6));
  }

  private static Buckets filled(int rows) {
    Buckets buckets = new Buckets(2);
    for (int i = 0; i < rows; i++) {
      buckets.add(new double[] {i, -2.0 * i});
    }
    return buckets;
  }
}
