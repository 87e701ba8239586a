package dev.berth.testkit.asserting;

import dev.berth.api.Bag;
import dev.berth.api.Instance;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A bag of tasks with limited validity. Equal to other views of the same bag. */
final class AssertingBag extends View implements Bag {

  private final Bag raw;

  AssertingBag(Scope scope, Bag raw) {
    super(scope);
    this.raw = raw;
  }

  /** Returns the engine's own object; an object of another class unchanged. */
  static Bag unwrap(Bag bag) {
    if (bag instanceof AssertingBag ours) {
      ours.check();
      return ours.raw;
    }
    return bag;
  }

  @Override
  String label() {
    return "bag " + raw.id();
  }

  @Override
  public String id() {
    ask("id()");
    return raw.id();
  }

  @Override
  public int size() {
    ask("size()");
    return raw.size();
  }

  @Override
  public List<Instance> instances() {
    ask("instances()");
    return answer("instances()", raw.instances(), scope()::instance);
  }

  @Override
  public int remaining() {
    ask("remaining()");
    return raw.remaining();
  }

  @Override
  public int completed() {
    ask("completed()");
    return raw.completed();
  }

  @Override
  public long submittedAt() {
    ask("submittedAt()");
    return raw.submittedAt();
  }

  @Override
  public OptionalLong estimatedRunTime() {
    ask("estimatedRunTime()");
    return raw.estimatedRunTime();
  }

  @Override
  public Optional<String> cluster() {
    ask("cluster()");
    return raw.cluster();
  }

  @Override
  public OptionalLong assignedAt() {
    ask("assignedAt()");
    return raw.assignedAt();
  }

  @Override
  public OptionalLong expiresAt() {
    ask("expiresAt()");
    return raw.expiresAt();
  }

  @Override
  public long serviceTime(long now) {
    ask("serviceTime()");
    return raw.serviceTime(now);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof AssertingBag that)) {
      return false;
    }
    check();
    that.check();
    return raw == that.raw;
  }

  @Override
  public int hashCode() {
    check();
    return raw.hashCode();
  }

  @Override
  public String toString() {
    return raw.toString();
  }
}
