package dev.berth.policies.qos;

import dev.berth.api.Slo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * How often instances completed at which service, by {@linkplain ServiceGrid step}: so far, and
 * when the present table was derived.
 */
final class ServiceDistribution {

  private static final long MOST = 4096; // completions; older ones count less
  private static final long FEW = 16; // of so few, the spread is not known
  private static final double SHARPER = 0.75;
  private static final int LISTS = 5; // of numbers, when saved

  private final Slo slo;
  private final boolean ratios;
  private long[] counts = new long[ServiceGrid.STEPS];
  private long[] sums = new long[ServiceGrid.STEPS]; // s
  private long[] countsThen = counts.clone();
  private long[] sumsThen = sums.clone();
  private long[] presentThen = counts.clone();
  private RemainingService table;
  private double variance; // of the step
  private @Nullable List<List<Long>> lists; // as saved; null: not since the latest change

  /**
   * Creates a distribution.
   *
   * @param ratios whether it counts ratios of service to what was expected
   */
  ServiceDistribution(Slo slo, boolean ratios) {
    this.slo = slo;
    this.ratios = ratios;
    this.table = derived();
  }

  void add(long service) {
    lists = null;
    int step = ServiceGrid.step(service);
    counts[step]++;
    sums[step] += service / 1_000_000_000;
  }

  /**
   * Derives the table anew.
   *
   * @param present the attained service of the instances that are not done
   */
  void renew(LongStream present) {
    if (Arrays.stream(counts).sum() >= MOST) {
      Arrays.setAll(counts, i -> counts[i] / 2);
      Arrays.setAll(sums, i -> sums[i] / 2);
    }
    countsThen = counts.clone();
    sumsThen = sums.clone();
    presentThen = new long[ServiceGrid.STEPS];
    present.forEach(attained -> presentThen[ServiceGrid.step(attained)]++);
    table = derived();
  }

  private RemainingService derived() {
    lists = null;
    variance = variance(countsThen);
    return new RemainingService(slo, ratios, countsThen, sumsThen, presentThen);
  }

  /** Returns the variance of the step; infinite if there are few completions. */
  private static double variance(long[] counts) {
    double n = 0;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < counts.length; i++) {
      double each = (double) counts[i];
      n += each;
      sum += each * i;
      squares += each * i * i;
    }
    return n < FEW ? Double.POSITIVE_INFINITY : squares / n - sum / n * (sum / n);
  }

  /** Returns whether it clearly varies less than another. */
  boolean isSharperThan(ServiceDistribution other) {
    return variance < SHARPER * other.variance;
  }

  RemainingService table() {
    return table;
  }

  List<List<Long>> save() {
    if (lists != null) {
      return lists;
    }
    List<List<Long>> all = new ArrayList<>();
    for (long[] each : List.of(counts, sums, countsThen, sumsThen, presentThen)) {
      int length = each.length;
      while (length > 0 && each[length - 1] == 0) {
        length--;
      }
      List<Long> numbers = IntStream.range(0, length).mapToObj(i -> each[i]).toList();
      all.add(Collections.unmodifiableList(numbers));
    }
    lists = Collections.unmodifiableList(all);
    return lists;
  }

  /**
   * Restores what was saved.
   *
   * @param saved null: nothing
   * @throws IllegalArgumentException if it is no such data
   */
  void restore(@Nullable Object saved) {
    List<?> all =
        saved == null ? Collections.nCopies(LISTS, List.of()) : SavedData.list(saved, LISTS);
    counts = numbers(all, 0);
    sums = numbers(all, 1);
    countsThen = numbers(all, 2);
    sumsThen = numbers(all, 3);
    presentThen = numbers(all, 4);
    table = derived();
  }

  private static long[] numbers(List<?> all, int place) {
    long[] read = new long[ServiceGrid.STEPS];
    List<?> numbers = SavedData.list(all.get(place));
    for (int i = 0; i < Math.min(read.length, numbers.size()); i++) {
      read[i] = SavedData.number(numbers.get(i));
    }
    return read;
  }
}
