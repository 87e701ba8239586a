package dev.berth.testkit.asserting;

import dev.berth.api.Host;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import java.util.List;
import java.util.OptionalLong;

/** A pool with limited validity. Equal to other views of the same pool. */
final class AssertingPool extends View implements Pool {

  private final Pool raw;

  AssertingPool(Scope scope, Pool raw) {
    super(scope);
    this.raw = raw;
  }

  /** Returns the engine's own object; an object of another class unchanged. */
  static Pool unwrap(Pool pool) {
    if (pool instanceof AssertingPool ours) {
      ours.check();
      return ours.raw;
    }
    return pool;
  }

  @Override
  String label() {
    return "pool " + raw.name();
  }

  @Override
  public PoolSpec spec() {
    ask("spec()");
    return raw.spec();
  }

  @Override
  public List<Host> starting() {
    ask("starting()");
    return answer("starting()", raw.starting(), scope()::host);
  }

  @Override
  public List<Host> up() {
    ask("up()");
    return answer("up()", raw.up(), scope()::host);
  }

  @Override
  public int stopping() {
    ask("stopping()");
    return raw.stopping();
  }

  @Override
  public int room() {
    ask("room()");
    return raw.room();
  }

  @Override
  public int failures() {
    ask("failures()");
    return raw.failures();
  }

  @Override
  public OptionalLong lastFailureAt() {
    ask("lastFailureAt()");
    return raw.lastFailureAt();
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof AssertingPool that)) {
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
