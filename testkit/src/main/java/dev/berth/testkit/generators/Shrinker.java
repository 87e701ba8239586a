package dev.berth.testkit.generators;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.ShrinkingDistance;

/**
 * Shrinks a value by trying simpler values, independent of its generator.
 *
 * <p>jqwik shrinks a combination part by part, and removes only the first and last elements of a
 * list, so its time limit of ten seconds would often end before a history is short. This class
 * tries the most effective change first, and repeats a change that succeeded.
 */
final class Shrinker {

  /** The maximum number of parts of which all pairs are tried. */
  static final int FEW = 32;

  private Shrinker() {}

  /**
   * Returns an arbitrary with the values of another one and this way of shrinking.
   *
   * @param simpler returns the simpler values to try, best first; must be finite
   */
  static <T> Arbitrary<T> shrinking(Arbitrary<T> drawn, Function<T, Stream<T>> simpler) {
    return Arbitraries.fromGeneratorWithSize(
        genSize -> {
          RandomGenerator<T> generator = drawn.generator(genSize);
          return random -> new Candidate<>(generator.next(random).value(), simpler, 0);
        });
  }

  /**
   * A value that shrinks.
   *
   * @param from the index of the simpler value that is tried first: the one after the last success
   */
  private record Candidate<T>(T value, Function<T, Stream<T>> simpler, int from)
      implements Shrinkable<T> {

    @Override
    public Stream<Shrinkable<T>> shrink() {
      return Stream.concat(numbered(from, Long.MAX_VALUE), numbered(0, from));
    }

    private Stream<Shrinkable<T>> numbered(int first, long most) {
      AtomicInteger next = new AtomicInteger(first);
      return simpler
          .apply(value)
          .skip(first)
          .limit(most)
          .map(it -> new Candidate<>(it, simpler, next.getAndIncrement()));
    }

    /** Constant: every candidate is known to be simpler. */
    @Override
    public ShrinkingDistance distance() {
      return ShrinkingDistance.of(0);
    }
  }

  // ---- Lists

  /**
   * Returns a list without many, then without one of its elements. The last ones go first: what
   * happens after a failure does not matter.
   */
  static <T> Stream<List<T>> fewer(List<T> list, int least) {
    int most = list.size() - least;
    return IntStream.iterate(most, chunk -> chunk > 0, chunk -> chunk / 2)
        .boxed()
        .flatMap(
            chunk ->
                IntStream.iterate(list.size() - chunk, at -> at > -chunk, at -> at - chunk)
                    .mapToObj(at -> without(list, Math.max(at, 0), chunk)));
  }

  private static <T> List<T> without(List<T> list, int from, int count) {
    List<T> fewer = new ArrayList<>(list);
    fewer.subList(from, from + count).clear();
    return fewer;
  }

  /** Returns a list without one of its elements. */
  static <T> List<T> without(List<T> list, int at) {
    return without(list, at, 1);
  }

  /**
   * Returns a value without two of its parts, if it has few parts. Some parts can only be removed
   * together, such as a submission and the events of its instance.
   *
   * @param parts the number of parts
   * @param without returns the value without one part
   */
  static <T> Stream<T> withoutTwo(T whole, int parts, BiFunction<T, Integer, T> without) {
    return parts > FEW
        ? Stream.empty()
        : IntStream.range(0, parts)
            .boxed()
            .flatMap(
                i ->
                    IntStream.range(0, i).mapToObj(j -> without.apply(without.apply(whole, i), j)));
  }

  /** Returns a list with one of its elements made simpler. */
  static <T> Stream<List<T>> each(List<T> list, Function<T, Stream<T>> simpler) {
    return IntStream.range(0, list.size())
        .boxed()
        .flatMap(i -> simpler.apply(list.get(i)).map(element -> with(list, i, element)));
  }

  private static <T> List<T> with(List<T> list, int at, T element) {
    List<T> changed = new ArrayList<>(list);
    changed.set(at, element);
    return changed;
  }

  // ---- Values

  /** Returns the elements before a value in a list of usual ones; all if it is not in the list. */
  static <T> Stream<T> before(T value, List<T> usual) {
    int at = usual.indexOf(value);
    return usual.stream().limit(at < 0 ? usual.size() : at);
  }

  /** Returns smaller numbers that are not negative: few, but zero and the next one among them. */
  static Stream<Integer> below(int number) {
    return IntStream.of(0, number / 2, number - 1)
        .filter(each -> each >= 0 && each < number)
        .distinct()
        .boxed();
  }
}
