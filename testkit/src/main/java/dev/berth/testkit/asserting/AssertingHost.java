package dev.berth.testkit.asserting;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Resources;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** A host that is shown for a while. Equal to other views of the same host. */
final class AssertingHost extends View implements Host {

  private final Host raw;

  AssertingHost(Scope scope, Host raw) {
    super(scope);
    this.raw = raw;
  }

  /** Returns what the engine knows; what is not ours, as it is. */
  static Host unwrap(Host host) {
    if (host instanceof AssertingHost ours) {
      ours.check();
      return ours.raw;
    }
    return host;
  }

  @Override
  String label() {
    return "host " + raw.id();
  }

  @Override
  public String id() {
    ask("id()");
    return raw.id();
  }

  @Override
  public Resources capacity() {
    ask("capacity()");
    return raw.capacity();
  }

  @Override
  public Resources free() {
    ask("free()");
    return raw.free();
  }

  @Override
  public long free(Dimension dimension) {
    ask("free()");
    return raw.free(dimension);
  }

  @Override
  public Map<String, String> attributes() {
    ask("attributes()");
    return raw.attributes();
  }

  @Override
  public Optional<String> attribute(String name) {
    ask("attribute()");
    return raw.attribute(name);
  }

  @Override
  public Collection<Instance> instances() {
    ask("instances()");
    return answer("instances()", scope().inNoOrder(raw.instances()), scope()::instance);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof AssertingHost that)) {
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
