package dev.berth.testkit.asserting;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Something that a policy or a part is shown for a while. Only {@link #toString} may be asked at
 * any time and by anybody: messages and debuggers do.
 */
abstract class View {

  private final Scope scope;

  View(Scope scope) {
    this.scope = scope;
  }

  final Scope scope() {
    return scope;
  }

  /** Returns what it is, for messages: {@code "instance r1"}. */
  abstract String label();

  /** Says that a question is asked of it. */
  final void ask(String call) {
    check(call);
    scope.count(1);
  }

  /** Says that the answer to a question is used. */
  final void check(String call) {
    scope.use(call + " of " + label());
  }

  /** Says that it is used without being asked anything. */
  final void check() {
    scope.use(label());
  }

  /** Returns a list as an answer, valid as long as this is. */
  final <T> List<T> answer(String call, List<T> raw, UnaryOperator<T> wrapped) {
    scope.count(raw.size());
    return new AssertingList<>(this, call, raw.stream().map(wrapped).toList());
  }
}
