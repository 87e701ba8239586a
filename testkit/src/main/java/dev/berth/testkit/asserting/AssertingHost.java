package dev.berth.testkit.asserting;

import dev.berth.api.ApplicationHistory;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A host with limited validity. Equal to other views of the same host. */
final class AssertingHost extends View implements Host {

  private final Host raw;

  AssertingHost(Scope scope, Host raw) {
    super(scope);
    this.raw = raw;
  }

  /** Returns the engine's own object; an object of another class unchanged. */
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
  public Resources foreign() {
    ask("foreign()");
    return raw.foreign();
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
  public HostState state() {
    ask("state()");
    return raw.state();
  }

  @Override
  public Optional<Reason> closed() {
    ask("closed()");
    return raw.closed();
  }

  @Override
  public Optional<String> pool() {
    ask("pool()");
    return raw.pool();
  }

  @Override
  public Optional<String> cluster() {
    ask("cluster()");
    return raw.cluster();
  }

  @Override
  public OptionalLong expiresAt() {
    ask("expiresAt()");
    return raw.expiresAt();
  }

  @Override
  public boolean timeShared() {
    ask("timeShared()");
    return raw.timeShared();
  }

  @Override
  public List<Taint> taints() {
    ask("taints()");
    return raw.taints();
  }

  @Override
  public Optional<HostLoad> load() {
    ask("load()");
    return raw.load();
  }

  @Override
  public List<Long> recentCompletions() {
    ask("recentCompletions()");
    return raw.recentCompletions();
  }

  @Override
  public Optional<ApplicationHistory> history(String application) {
    ask("history()");
    return raw.history(application);
  }

  @Override
  public long version() {
    ask("version()");
    return raw.version();
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
