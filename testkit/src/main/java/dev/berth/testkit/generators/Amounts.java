package dev.berth.testkit.generators;

import dev.berth.core.config.Durations;
import dev.berth.testkit.history.Scale;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generators of small numbers, one for each of {@link Scale#DIMENSIONS}. */
final class Amounts {

  private Amounts() {}

  /** How the numbers relate. */
  enum Form {
    /** All are the same. */
    ALIKE,
    /** The first two are the same; the caller names the other dimensions. */
    TWO_ALIKE,
    /** Each is drawn independently. */
    ANY,
    /** All are zero. */
    ZERO
  }

  /**
   * Returns numbers of given forms.
   *
   * @param alike drawn once for all dimensions
   * @param any drawn for each dimension
   */
  static Arbitrary<List<Integer>> of(
      Arbitrary<Form> forms, Arbitrary<Integer> alike, Arbitrary<Integer> any) {
    return Combinators.combine(forms, alike, any, any, any, any)
        .as(
            (form, size, a, b, c, d) ->
                switch (form) {
                  case ALIKE -> Collections.nCopies(Scale.DIMENSIONS.size(), size);
                  case TWO_ALIKE -> List.of(size, size, 0, 0);
                  case ANY -> List.of(a, b, c, d);
                  case ZERO -> Collections.nCopies(Scale.DIMENSIONS.size(), 0);
                });
  }

  /** Returns durations that are written one after the other: {@code "0s 1ns 10m"}. */
  static List<Duration> lengths(String texts) {
    return Stream.of(texts.split(" ")).map(Durations::parse).toList();
  }

  /** Returns each number up to {@code most}, as likely as the others. */
  static Arbitrary<Integer> upTo(int most) {
    return Arbitraries.of(IntStream.rangeClosed(0, most).boxed().toList());
  }

  /** Returns simpler amounts: equal in all dimensions, or smaller in one. */
  static Stream<List<Integer>> simpler(List<Integer> amounts) {
    int most = Collections.max(amounts);
    Stream<List<Integer>> alike =
        IntStream.rangeClosed(1, most)
            .mapToObj(each -> Collections.nCopies(amounts.size(), each))
            .takeWhile(each -> !each.equals(amounts));
    Stream<List<Integer>> less =
        Collections.min(amounts) == most ? Stream.empty() : Shrinker.each(amounts, Shrinker::below);
    return Stream.concat(alike, less);
  }
}
