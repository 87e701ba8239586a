package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state that the detectors around one policy share. */
final class MisuseDetector {

  private static final int MOST_REMEMBERED = 100; // a policy may catch it and continue forever

  private final List<RuleBroken> violations = Collections.synchronizedList(new ArrayList<>());
  private final List<Keys> keys = new ArrayList<>();
  private final @Nullable SplittableRandom shuffleSeeds;
  private final boolean asksAll;
  private @Nullable Scope pass;
  private boolean quiet;
  private long questions;

  MisuseDetector(OptionalLong shuffleSeed, boolean asksAll) {
    this.asksAll = asksAll;
    this.shuffleSeeds =
        shuffleSeed.isPresent() ? new SplittableRandom(shuffleSeed.getAsLong()) : null;
  }

  // ---- Findings

  /** Records a violation and returns it for throwing. */
  RuleBroken broken(RuleBroken found) {
    synchronized (violations) {
      if (violations.size() < MOST_REMEMBERED) {
        violations.add(found);
      }
    }
    return found;
  }

  List<RuleBroken> violations() {
    synchronized (violations) {
      return List.copyOf(violations);
    }
  }

  // ---- Questions

  /** Returns whether the engine must judge the pairs that a monotone rule lets it skip. */
  boolean asksAll() {
    return asksAll;
  }

  long questions() {
    return questions;
  }

  /** Counts questions of a pass, unless counting is off. */
  void count(long asked) {
    if (pass != null && !quiet) {
      questions += asked;
    }
  }

  /** Asks without counting, since the engine alone would not ask. */
  <T> T quietly(Supplier<T> question) {
    boolean before = quiet;
    quiet = true;
    try {
      return question.get();
    } finally {
      quiet = before;
    }
  }

  /**
   * Asks a part the same question twice and requires equal answers.
   *
   * @param part the method: {@code "AllocationScore.score"}
   * @param about the subject of the question, for the message
   * @param question asks the part, with views of the given scope
   */
  <T> T ask(String part, Supplier<String> about, Function<Scope, T> question) {
    // Both calls see the same order: P27 tests whether the order matters.
    OptionalLong shuffleSeed = shuffleSeed();
    count(1);
    T answer = ask(part, shuffleSeed, question);
    T again = quietly(() -> ask(part, shuffleSeed, question));
    if (!answer.equals(again)) {
      throw broken(
          Rule.P23.broken(
              "%s of %s answered %s, and asked again %s", part, about.get(), answer, again));
    }
    return answer;
  }

  /** Asks a part once, between passes. */
  <T> T askAgain(String part, Function<Scope, T> question) {
    return ask(part, shuffleSeed(), question);
  }

  private <T> T ask(String part, OptionalLong shuffleSeed, Function<Scope, T> question) {
    Scope call = new Scope(this, Rule.P23, "the call of " + part, shuffleSeed);
    try {
      return question.apply(call);
    } finally {
      call.end();
    }
  }

  // ---- Passes

  /** Begins a pass; later questions belong to it. */
  Scope beginPass(long number) {
    Scope begun = new Scope(this, Rule.P07, "pass " + number, shuffleSeed());
    pass = begun;
    questions = 0;
    return begun;
  }

  /** Ends the pass and the validity of its views. */
  void endPass(Scope ended) {
    ended.end();
    pass = null;
  }

  /** Returns the pass under way, or null. */
  @Nullable Scope pass() {
    return pass;
  }

  private OptionalLong shuffleSeed() {
    return shuffleSeeds == null ? OptionalLong.empty() : OptionalLong.of(shuffleSeeds.nextLong());
  }

  // ---- Keys

  void detector(Keys each) {
    keys.add(each);
  }

  void checkKeys() {
    keys.forEach(Keys::check);
  }

  /** Forgets the keys of instances that are done, and of states they have left. */
  void forgetAllKeysBut(Collection<Instance> present) {
    keys.forEach(each -> each.forgetAllBut(present));
  }
}
