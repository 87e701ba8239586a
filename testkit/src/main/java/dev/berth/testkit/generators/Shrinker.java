package dev.berth.testkit.generators;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  static <T> Stream<List<T>> each(
      List<T> list, Function<? super T, ? extends Stream<? extends T>> simpler) {
    return IntStream.range(0, list.size())
        .boxed()
        .flatMap(i -> simpler.apply(list.get(i)).map(element -> with(list, i, element)));
  }

  private static <T> List<T> with(List<T> list, int at, T element) {
    List<T> changed = new ArrayList<>(list);
    changed.set(at, element);
    return changed;
  }

  // ---- Parts of records

  /** Returns what some streams have, one after the other. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is not kept
  static <T> Stream<T> all(Stream<? extends T>... parts) {
    return Stream.of(parts).flatMap(each -> each);
  }

  /** Returns copies of a record in which a component has other values. */
  static <T> Stream<T> with(T whole, String component, Stream<?> values) {
    return values.map(each -> changed(whole, component, each));
  }

  /** Returns copies of a record in which one of its components is simpler; the first ones first. */
  static <T> Stream<T> inEachPart(T whole, Function<Object, Stream<?>> simpler) {
    return Stream.of(whole.getClass().getRecordComponents())
        .flatMap(each -> with(whole, each.getName(), simpler.apply(value(each, whole))));
  }

  /** Returns a copy of a record in which a component has another value. */
  static <T> T changed(T whole, String component, Object value) {
    RecordComponent[] components = whole.getClass().getRecordComponents();
    Object[] values = Stream.of(components).map(each -> value(each, whole)).toArray();
    values[names(components).indexOf(component)] = value;
    try {
      Constructor<?> constructor =
          whole
              .getClass()
              .getDeclaredConstructor(
                  Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      @SuppressWarnings("unchecked") // it is of the same class
      T copy = (T) constructor.newInstance(values);
      return copy;
    } catch (ReflectiveOperationException impossible) { // every record has this constructor
      throw new IllegalStateException(impossible);
    }
  }

  private static List<String> names(RecordComponent[] components) {
    return Stream.of(components).map(RecordComponent::getName).toList();
  }

  private static Object value(RecordComponent component, Object whole) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(whole);
    } catch (ReflectiveOperationException impossible) { // every component has one
      throw new IllegalStateException(impossible);
    }
  }

  // ---- Values

  /** Returns no value, then the elements before it in a list of usual ones; nothing if empty. */
  static <T> Stream<Optional<T>> simpler(Optional<T> value, List<T> usual) {
    return value.stream()
        .flatMap(
            each ->
                Stream.concat(Stream.of(Optional.empty()), before(each, usual).map(Optional::of)));
  }

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
