package dev.berth.testkit.asserting;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The validity of views: one pass or one call of a part, on one thread. Within a scope, each
 * instance, host, pool or bag has one view.
 */
final class Scope {

  private static final int FEW = 2; // most scopes are calls of parts

  private final MisuseDetector detector;
  private final Rule rule;
  private final String name;
  private final Thread owner = Thread.currentThread();
  private final @Nullable Random shuffler;
  private final IdentityHashMap<Object, Object> views = new IdentityHashMap<>(FEW);
  private volatile boolean over;

  /**
   * Begins a scope on this thread.
   *
   * @param rule the rule that forbids the use of views outside the scope
   * @param name what it is, for messages
   */
  Scope(MisuseDetector detector, Rule rule, String name, OptionalLong shuffleSeed) {
    this.detector = detector;
    this.rule = rule;
    this.name = name;
    this.shuffler = shuffleSeed.isPresent() ? new Random(shuffleSeed.getAsLong()) : null;
  }

  void end() {
    over = true;
  }

  String name() {
    return name;
  }

  /** Returns whether a view may be used now and on this thread. */
  boolean isOpen() {
    return !over && Thread.currentThread() == owner;
  }

  /** Records the use of a view when that is not allowed, and returns the violation for throwing. */
  RuleBroken misused(String what) {
    return detector.broken(
        over
            ? rule.broken("%s is used when %s is over", what, name)
            : rule.broken(
                "%s is used on thread %s, but %s is on thread %s",
                what, Thread.currentThread().getName(), name, owner.getName()));
  }

  /** Records a violation and returns it for throwing. */
  RuleBroken broken(RuleBroken found) {
    return detector.broken(found);
  }

  void count(long asked) {
    detector.count(asked);
  }

  // ---- Views

  Instance instance(Instance raw) {
    return view(Instance.class, raw, () -> "instance " + raw.id());
  }

  Host host(Host raw) {
    return view(Host.class, raw, () -> "host " + raw.id());
  }

  /** Returns the view of an object; in a call, that of the pass if the policy may hold it. */
  <T> T view(Class<T> type, T raw, Supplier<String> label) {
    Scope pass = detector.pass();
    Object known = pass == null ? null : pass.views.get(raw);
    return type.cast(
        known != null
            ? known
            : views.computeIfAbsent(raw, each -> ProxyView.of(type, this, raw, label.get())));
  }

  /** Returns a copy, in another order if orders are shuffled. */
  <T> List<T> inNoOrder(Collection<T> promisesNone) {
    List<T> copy = new ArrayList<>(promisesNone);
    if (shuffler != null) {
      Collections.shuffle(copy, shuffler);
    }
    return copy;
  }
}
