package dev.berth.experiments.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.experiments.bound.BagHostTimeBound.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BagHostTimeBoundTest {

  private static final Duration OVERHEAD = Duration.ofNanos(3);

  @Test
  void noBagsNeedNoHosts() {
    assertThat(BagHostTimeBound.leastHosts(List.of())).isZero();
    assertThat(BagHostTimeBound.leastHostTime(List.of(), OVERHEAD)).isZero();
  }

  @Test
  void tightestPairOfBagsDeterminesHosts() {
    Work loose = new Work(0, 100, 100);
    Work tight = new Work(40, 50, 25);

    assertThat(BagHostTimeBound.leastHosts(List.of(loose))).isEqualTo(1);
    assertThat(BagHostTimeBound.leastHosts(List.of(loose, tight))).isEqualTo(3);
    assertThat(BagHostTimeBound.leastHostTime(List.of(loose, tight), OVERHEAD))
        .isEqualTo(125 + 3 * 3);
  }

  /** Tasks take one nanosecond. With fewer hosts than the bound no schedule meets all deadlines. */
  @Property(tries = 300)
  void fewerHostsMissADeadline(
      @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 0, max = 99) Integer> codes) {
    List<Work> bags = new ArrayList<>();
    for (int code : codes) {
      int release = code % 4;
      bags.add(new Work(release, release + 1 + code / 4 % 4, 1 + code / 16 % 4));
    }
    int bound = BagHostTimeBound.leastHosts(bags);

    assertThat(meetsAll(bags, bound - 1)).isFalse();
  }

  /** Schedules earliest deadline first, slot by slot, which is optimal for tasks of one length. */
  private static boolean meetsAll(List<Work> bags, int hosts) {
    long[] left = bags.stream().mapToLong(Work::work).toArray();
    for (long time = 0; time < 10; time++) {
      for (int host = 0; host < hosts; host++) {
        int next = -1;
        for (int i = 0; i < left.length; i++) {
          boolean ready = left[i] > 0 && bags.get(i).release() <= time;
          if (ready && (next < 0 || bags.get(i).deadline() < bags.get(next).deadline())) {
            next = i;
          }
        }
        if (next >= 0) {
          left[next]--;
          if (time + 1 > bags.get(next).deadline()) {
            return false;
          }
        }
      }
    }
    for (long each : left) {
      if (each > 0) {
        return false;
      }
    }
    return true;
  }
}
