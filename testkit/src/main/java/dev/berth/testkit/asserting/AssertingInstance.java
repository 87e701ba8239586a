package dev.berth.testkit.asserting;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import java.util.Optional;
import java.util.OptionalDouble;

/** An instance with limited validity. Equal to other views of the same instance. */
final class AssertingInstance extends View implements Instance {

  private final Instance raw;

  AssertingInstance(Scope scope, Instance raw) {
    super(scope);
    this.raw = raw;
  }

  /** Returns the engine's own object; an object of another class unchanged. */
  static Instance unwrap(Instance instance) {
    if (instance instanceof AssertingInstance ours) {
      ours.check();
      return ours.raw;
    }
    return instance;
  }

  @Override
  String label() {
    return "instance " + raw.id();
  }

  @Override
  public String id() {
    ask("id()");
    return raw.id();
  }

  @Override
  public Request request() {
    ask("request()");
    return raw.request();
  }

  @Override
  public ServiceClass serviceClass() {
    ask("serviceClass()");
    return raw.serviceClass();
  }

  @Override
  public InstanceState state() {
    ask("state()");
    return raw.state();
  }

  @Override
  public Optional<Host> host() {
    ask("host()");
    return raw.host().map(scope()::host);
  }

  @Override
  public Resources granted() {
    ask("granted()");
    return raw.granted();
  }

  @Override
  public Optional<Usage> usage() {
    ask("usage()");
    return raw.usage();
  }

  @Override
  public Optional<Usage> previousUsage() {
    ask("previousUsage()");
    return raw.previousUsage();
  }

  @Override
  public int migrations() {
    ask("migrations()");
    return raw.migrations();
  }

  @Override
  public int attempt() {
    ask("attempt()");
    return raw.attempt();
  }

  @Override
  public Optional<String> bag() {
    ask("bag()");
    return raw.bag();
  }

  @Override
  public Optional<String> group() {
    ask("group()");
    return raw.group();
  }

  @Override
  public long admittedAt() {
    ask("admittedAt()");
    return raw.admittedAt();
  }

  @Override
  public long stateSince() {
    ask("stateSince()");
    return raw.stateSince();
  }

  @Override
  public long serviceTime(long now) {
    ask("serviceTime()");
    return raw.serviceTime(now);
  }

  @Override
  public long waitingTime(long now) {
    ask("waitingTime()");
    return raw.waitingTime(now);
  }

  @Override
  public OptionalDouble availability(long now) {
    ask("availability()");
    return raw.availability(now);
  }

  @Override
  public long earnedTime(long now) {
    ask("earnedTime()");
    return raw.earnedTime(now);
  }

  @Override
  public int preemptions() {
    ask("preemptions()");
    return raw.preemptions();
  }

  @Override
  public int placements() {
    ask("placements()");
    return raw.placements();
  }

  @Override
  public long restartOverhead() {
    ask("restartOverhead()");
    return raw.restartOverhead();
  }

  @Override
  public boolean restarting() {
    ask("restarting()");
    return raw.restarting();
  }

  @Override
  public double preemptionOverhead(long now) {
    ask("preemptionOverhead()");
    return raw.preemptionOverhead(now);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof AssertingInstance that)) {
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
