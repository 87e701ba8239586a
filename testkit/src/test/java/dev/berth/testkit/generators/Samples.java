package dev.berth.testkit.generators;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;

/** What an arbitrary really generates, from a fixed seed. */
record Samples<T>(List<T> all) {

  static <T> Samples<T> of(Arbitrary<T> arbitrary, int count) {
    RandomGenerator<T> generator = arbitrary.generator(1000);
    Random random = new Random(42);
    return new Samples<>(
        Stream.generate(() -> generator.next(random).value()).limit(count).toList());
  }

  /** Demands that something occurs in a share of the samples, and not in all of them. */
  Samples<T> have(String what, double leastShare, Predicate<? super T> condition) {
    double share = (double) all.stream().filter(condition).count() / all.size();
    assertThat(share).as("share with %s", what).isBetween(leastShare, 0.999);
    return this;
  }

  /** Demands that something holds in every sample. */
  Samples<T> allHave(String what, Predicate<? super T> condition) {
    assertThat(all).as(what).allMatch(condition);
    return this;
  }
}
