package dev.berth.testkit.generators;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;

/** The values that an arbitrary generates from a fixed seed. */
record Samples<T>(List<T> all) {

  static <T> Samples<T> of(Arbitrary<T> arbitrary, int count) {
    RandomGenerator<T> generator = arbitrary.generator(1000);
    Random random = new Random(42);
    return new Samples<>(
        Stream.generate(() -> generator.next(random).value()).limit(count).toList());
  }

  /** Requires that a condition holds for a share of the samples, but not for all. */
  Samples<T> have(String description, double leastShare, Predicate<? super T> condition) {
    double share = (double) all.stream().filter(condition).count() / all.size();
    assertThat(share).as("share with %s", description).isBetween(leastShare, 0.999);
    return this;
  }

  /** Requires that a condition holds for every sample. */
  Samples<T> allHave(String description, Predicate<? super T> condition) {
    assertThat(all).as(description).allMatch(condition);
    return this;
  }
}
