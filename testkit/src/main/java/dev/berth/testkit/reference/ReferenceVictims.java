package dev.berth.testkit.reference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Chooses victims among those that may go, by a look at all sets of them. The least number of the
 * last victims in order that are equal, then of those before, and so on; then the least progress
 * lost; then the least capacity freed; then the set without the last victim in which two differ.
 */
final class ReferenceVictims {

  private final List<ReferenceInstance> eligible;
  private final List<Integer> runs = new ArrayList<>(); // of equals, by victim
  private final Predicate<List<ReferenceInstance>> isEnough;
  private final Predicate<List<ReferenceInstance>> isAllowed;
  private final Comparator<List<Integer>> byLoss;
  private final List<List<Integer>> better = new ArrayList<>(); // each than those before

  /**
   * Looks at all sets.
   *
   * @param eligible in victim order
   * @param areEqual whether two in a row are equal
   * @param isEnough whether a set frees enough; so does one with more victims
   * @param isAllowed whether a set may go together; so may one with fewer victims
   */
  ReferenceVictims(
      List<ReferenceInstance> eligible,
      BiPredicate<ReferenceInstance, ReferenceInstance> areEqual,
      Predicate<List<ReferenceInstance>> isEnough,
      Predicate<List<ReferenceInstance>> isAllowed,
      ToLongFunction<ReferenceInstance> loss,
      ToLongFunction<ReferenceInstance> share) {
    this.eligible = eligible;
    this.isEnough = isEnough;
    this.isAllowed = isAllowed;
    this.byLoss =
        Comparator.<List<Integer>>comparingLong(set -> sum(set, loss))
            .thenComparingLong(set -> sum(set, share));
    for (int i = 0; i < eligible.size(); i++) {
      boolean isFirst = i == 0 || !areEqual.test(eligible.get(i - 1), eligible.get(i));
      runs.add(i == 0 ? 0 : runs.get(i - 1) + (isFirst ? 1 : 0));
    }
    if (isEnough.test(eligible)) {
      look(eligible.size() - 1, List.of());
    }
  }

  /** Returns the least set, in victim order, or empty if there is none. */
  Optional<List<ReferenceInstance>> least() {
    return better.isEmpty() ? Optional.empty() : Optional.of(victims(last()));
  }

  /** Returns whether the order without ties would have chosen others. */
  boolean differFromOrder() {
    return better.size() > 1;
  }

  private List<Integer> last() {
    return better.get(better.size() - 1);
  }

  /** Looks at the sets with some victims, and any of those up to one. */
  private void look(int upTo, List<Integer> some) {
    if (!better.isEmpty() && compareNumbers(some, last()) > 0) {
      return; // more victims do not help
    }
    if (upTo < 0) {
      if (better.isEmpty() || compare(some, last()) < 0) {
        better.add(some);
      }
      return;
    }
    List<ReferenceInstance> most = new ArrayList<>(eligible.subList(0, upTo));
    most.addAll(victims(some));
    if (isEnough.test(most)) {
      look(upTo - 1, some);
    }
    List<Integer> more = new ArrayList<>(some);
    more.add(upTo);
    if (isAllowed.test(victims(more))) {
      look(upTo - 1, more);
    }
  }

  private int compare(List<Integer> a, List<Integer> b) {
    int byNumbers = compareNumbers(a, b);
    return byNumbers != 0 ? byNumbers : byLoss.compare(a, b);
  }

  private int compareNumbers(List<Integer> a, List<Integer> b) {
    for (int run = runs.get(runs.size() - 1); run >= 0; run--) {
      int byNumber = Long.compare(number(a, run), number(b, run));
      if (byNumber != 0) {
        return byNumber;
      }
    }
    return 0;
  }

  private long number(List<Integer> set, int run) {
    return set.stream().filter(each -> runs.get(each) == run).count();
  }

  private long sum(List<Integer> set, ToLongFunction<ReferenceInstance> of) {
    return victims(set).stream().mapToLong(of).sum();
  }

  private List<ReferenceInstance> victims(List<Integer> set) {
    return IntStream.range(0, eligible.size())
        .filter(set::contains)
        .mapToObj(eligible::get)
        .toList();
  }
}
