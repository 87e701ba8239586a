package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Slo;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceDistributionTest {

  private static final long SECOND = 1_000_000_000;
  private static final Slo HALF = Slo.of(0.5);

  /** Returns one that has counted some services, which its table tells. */
  private static ServiceDistribution of(int count, long seconds, int others, long otherSeconds) {
    ServiceDistribution all = new ServiceDistribution(HALF, false);
    IntStream.range(0, count).forEach(any -> all.add(seconds * SECOND));
    IntStream.range(0, others).forEach(any -> all.add(otherSeconds * SECOND));
    all.renew(LongStream.empty());
    return all;
  }

  private static List<Boolean> ends(ServiceDistribution of) {
    return IntStream.range(0, ServiceGrid.STEPS).mapToObj(of.table()::ends).toList();
  }

  /** In steps of 0, 11, 25, 41, 60, 83, 110, 142 and 180 s. */
  @Test
  void savesWhatItCountedSoFarAndWhatTheTableTells() {
    ServiceDistribution all = of(2, 12, 1, 60);
    all.renew(LongStream.of(0, 0, 12 * SECOND, 59 * SECOND));
    all.add(200 * SECOND);
    List<List<Long>> saved =
        List.of(
            List.of(0L, 2L, 0L, 0L, 1L, 0L, 0L, 0L, 1L),
            List.of(0L, 24L, 0L, 0L, 60L, 0L, 0L, 0L, 200L),
            List.of(0L, 2L, 0L, 0L, 1L),
            List.of(0L, 24L, 0L, 0L, 60L),
            List.of(2L, 1L, 0L, 1L));

    assertThat(all.save()).isEqualTo(saved);
    assertThat(all.save()).as("nothing changed").isSameAs(all.save()).isEqualTo(saved);

    ServiceDistribution restored = of(20, 3_600, 20, 7_200);
    restored.restore(all.save());
    assertThat(restored.save()).isEqualTo(saved);
    assertThat(ends(restored)).isEqualTo(ends(all)).contains(true);

    restored.restore(null);
    assertThat(restored.save()).isEqualTo(Collections.nCopies(5, List.of()));
    assertThat(ends(restored)).containsOnly(false);
  }

  @Test
  void whatIsSavedBeyondTheGridIsIgnored() {
    ServiceDistribution all = of(1, 12, 1, 60);
    List<Long> ones = Collections.nCopies(ServiceGrid.STEPS, 1L);

    all.restore(Collections.nCopies(5, Collections.nCopies(ServiceGrid.STEPS + 1, 1L)));

    assertThat(all.save()).isEqualTo(Collections.nCopies(5, ones));
  }

  @ParameterizedTest(name = "of {0} completions of 12 s, {1} count, {2} s")
  @CsvSource({"4095, 4095, 49140", "4096, 2048, 24576", "4097, 2048, 24582"})
  void fromSoManyOnTheOlderCountHalf(int completions, long counted, long seconds) {
    List<List<Long>> saved = of(completions, 12, 0, 0).save();

    assertThat(saved.subList(0, 2)).containsExactly(List.of(0L, counted), List.of(0L, seconds));
    assertThat(saved.subList(2, 4)).as("told by the table").isEqualTo(saved.subList(0, 2));
  }

  @ParameterizedTest(name = "{0} of 0 s and {1} of 60 s, against {2} and {3}: {4}")
  @CsvSource({
    "3, 13, 8, 8, true", // variances of 2.4 and 4
    "4, 12, 8, 8, false", // 3 is just three fourths
    "8, 8, 3, 13, false",
    "3, 13, 7, 8, true", // of so few, the spread is not known
    "3, 12, 8, 8, false",
    "0, 15, 8, 8, false",
    "0, 15, 7, 8, false",
  })
  void isSharperWithLessThanThreeFourthsOfTheVariance(
      int none, int minutes, int othersNone, int othersMinutes, boolean sharper) {
    ServiceDistribution other = of(othersNone, 0, othersMinutes, 60);

    assertThat(of(none, 0, minutes, 60).isSharperThan(other)).isEqualTo(sharper);
  }
}
