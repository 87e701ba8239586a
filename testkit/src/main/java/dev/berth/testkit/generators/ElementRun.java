package dev.berth.testkit.generators;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;

/**
 * Consecutive elements of a list.
 *
 * @param weight the frequency relative to other runs
 * @param parts the generators of its elements
 * @param fewest minimum number of repetitions
 * @param most maximum number of repetitions
 */
record ElementRun<T>(int weight, List<Arbitrary<T>> parts, int fewest, int most) {

  /** A run of one element of each kind. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is not kept
  static <T> ElementRun<T> of(int weight, Arbitrary<T>... parts) {
    return new ElementRun<>(weight, List.of(parts), 1, 1);
  }

  /** A run of equal elements, two to four. */
  static <T> ElementRun<T> ofTwins(int weight, Arbitrary<T> element) {
    return new ElementRun<>(weight, List.of(element), 2, 4);
  }

  /**
   * Returns lists that consist of runs. They do not shrink; {@link Shrinker} does that.
   *
   * @param sizes the possible sizes, equally likely; the last run is truncated
   */
  static <T> Arbitrary<List<T>> lists(List<ElementRun<T>> runs, int... sizes) {
    return Arbitraries.fromGeneratorWithSize(
        genSize -> {
          List<Function<Random, List<T>>> lots = new ArrayList<>();
          for (ElementRun<T> each : runs) {
            lots.addAll(Collections.nCopies(each.weight, each.generator(genSize)));
          }
          return random -> {
            int size = sizes[random.nextInt(sizes.length)];
            List<T> elements = new ArrayList<>();
            while (elements.size() < size) {
              elements.addAll(lots.get(random.nextInt(lots.size())).apply(random));
            }
            return Shrinkable.unshrinkable(List.copyOf(elements.subList(0, size)));
          };
        });
  }

  /** Returns lists of such elements, which do not shrink. */
  static <T> Arbitrary<List<T>> lists(Arbitrary<T> element, int... sizes) {
    return lists(List.of(of(1, element)), sizes);
  }

  /** Returns the elements that are the first with their key. */
  static <T> List<T> distinct(List<T> elements, Function<T, Object> key) {
    Set<Object> seen = new HashSet<>();
    return elements.stream().filter(each -> seen.add(key.apply(each))).toList();
  }

  private Function<Random, List<T>> generator(int genSize) {
    List<RandomGenerator<T>> generators =
        parts.stream().map(each -> each.generator(genSize)).toList();
    return random -> {
      List<T> drawn = generators.stream().map(each -> each.next(random).value()).toList();
      int times = fewest + random.nextInt(most - fewest + 1);
      return Collections.nCopies(times, drawn).stream().flatMap(List::stream).toList();
    };
  }
}
