package dev.berth.testkit.asserting;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * An object that a policy or a part may use for a limited time. Only {@link #toString} may be
 * called at any time and on any thread, for messages and debuggers.
 */
abstract class View {

  private final Scope scope;

  View(Scope scope) {
    this.scope = scope;
  }

  final Scope scope() {
    return scope;
  }

  /** Returns a description for messages: {@code "instance r1"}. */
  abstract String label();

  /** Checks and counts a question. */
  final void ask(String call) {
    check(call);
    scope.count(1);
  }

  /** Checks the use of an answer. */
  final void check(String call) {
    if (!scope.isOpen()) {
      throw scope.misused(call + " of " + label());
    }
  }

  /** Checks a use without a question. */
  final void check() {
    if (!scope.isOpen()) {
      throw scope.misused(label());
    }
  }

  /** Returns a list that is valid as long as this view. */
  final List<Object> answer(String call, List<?> raw, UnaryOperator<Object> wrapped) {
    scope.count(raw.size());
    return new AssertingList<>(this, call, raw.stream().<Object>map(wrapped).toList());
  }
}
