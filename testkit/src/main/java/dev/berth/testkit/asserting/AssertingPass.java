package dev.berth.testkit.asserting;

import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.GroupStatus;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.Trigger;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.SchedulingPass;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A pass that puts detectors around its views. */
class AssertingPass extends View implements SchedulingPass {

  private final SchedulingPass raw;

  AssertingPass(Scope scope, SchedulingPass raw) {
    super(scope);
    this.raw = raw;
  }

  /** Returns the engine's own object; an object of another class unchanged. */
  static SchedulingPass unwrap(SchedulingPass pass) {
    if (pass instanceof AssertingPass ours) {
      ours.check();
      return ours.raw;
    }
    return pass;
  }

  @Override
  String label() {
    return scope().name();
  }

  @Override
  public long number() {
    ask("number()");
    return raw.number();
  }

  @Override
  public long now() {
    ask("now()");
    return raw.now();
  }

  @Override
  public Set<Trigger> triggers() {
    ask("triggers()");
    return Collections.unmodifiableSet(new LinkedHashSet<>(scope().inNoOrder(raw.triggers())));
  }

  @Override
  public RandomGenerator random() {
    ask("random()");
    RandomGenerator draws = raw.random();
    return () -> {
      check("random()");
      return draws.nextLong();
    };
  }

  @Override
  public long tieBreak(Instance instance, Host host) {
    ask("tieBreak()");
    return raw.tieBreak(AssertingInstance.unwrap(instance), AssertingHost.unwrap(host));
  }

  @Override
  public List<Host> hosts() {
    ask("hosts()");
    return answer("hosts()", raw.hosts(), scope()::host);
  }

  @Override
  public List<Host> openHosts() {
    ask("openHosts()");
    return answer("openHosts()", raw.openHosts(), scope()::host);
  }

  @Override
  public Optional<Host> host(String id) {
    ask("host()");
    return raw.host(id).map(scope()::host);
  }

  @Override
  public List<Pool> pools() {
    ask("pools()");
    return answer("pools()", raw.pools(), scope()::pool);
  }

  @Override
  public List<Bag> bags() {
    ask("bags()");
    return answer("bags()", raw.bags(), scope()::bag);
  }

  @Override
  public Optional<GroupStatus> group(String id) {
    ask("group()");
    return raw.group(id);
  }

  @Override
  public List<BagReport> endedBags() {
    ask("endedBags()");
    return raw.endedBags();
  }

  @Override
  public Outcome provision(
      Pool pool, int count, Optional<String> cluster, OptionalLong expiresAt, Reason why) {
    ask("provision()");
    return raw.provision(AssertingPool.unwrap(pool), count, cluster, expiresAt, why);
  }

  @Override
  public Outcome release(Host host, Reason why) {
    ask("release()");
    return raw.release(AssertingHost.unwrap(host), why);
  }

  @Override
  public Outcome assign(Bag bag, String cluster, OptionalLong expiresAt, Reason why) {
    ask("assign()");
    return raw.assign(AssertingBag.unwrap(bag), cluster, expiresAt, why);
  }

  @Override
  public Outcome cancel(Bag bag, Reason why) {
    ask("cancel()");
    return raw.cancel(AssertingBag.unwrap(bag), why);
  }

  @Override
  public Outcome defer(Bag bag, Reason why) {
    ask("defer()");
    return raw.defer(AssertingBag.unwrap(bag), why);
  }

  @Override
  public void wakeAt(long time) {
    ask("wakeAt()");
    raw.wakeAt(time);
  }

  @Override
  public List<Instance> pending() {
    ask("pending()");
    return answer("pending()", raw.pending(), scope()::instance);
  }

  @Override
  public Collection<Instance> instances() {
    ask("instances()");
    return answer("instances()", scope().inNoOrder(raw.instances()), scope()::instance);
  }

  @Override
  public Optional<Instance> instance(String id) {
    ask("instance()");
    return raw.instance(id).map(scope()::instance);
  }

  @Override
  public Optional<DisruptionBudget> budget(String job) {
    ask("budget()");
    return raw.budget(job);
  }

  @Override
  public Optional<Reason> protection(Instance instance) {
    ask("protection()");
    return raw.protection(AssertingInstance.unwrap(instance));
  }

  @Override
  public Optional<Reason> obstacle(Instance instance, Host host, List<Instance> victims) {
    ask("obstacle()");
    return raw.obstacle(
        AssertingInstance.unwrap(instance), AssertingHost.unwrap(host), unwrap(victims));
  }

  @Override
  public Outcome place(Instance instance, Host host, List<Instance> victims) {
    ask("place()");
    return raw.place(
        AssertingInstance.unwrap(instance), AssertingHost.unwrap(host), unwrap(victims));
  }

  @Override
  public Optional<Reason> obstacle(
      Instance instance, Host host, List<Instance> victims, Resources grant) {
    ask("obstacle()");
    return raw.obstacle(
        AssertingInstance.unwrap(instance), AssertingHost.unwrap(host), unwrap(victims), grant);
  }

  @Override
  public Outcome place(Instance instance, Host host, List<Instance> victims, Resources grant) {
    ask("place()");
    return raw.place(
        AssertingInstance.unwrap(instance), AssertingHost.unwrap(host), unwrap(victims), grant);
  }

  @Override
  public Outcome resize(Instance instance, Resources grant, Reason why) {
    ask("resize()");
    return raw.resize(AssertingInstance.unwrap(instance), grant, why);
  }

  @Override
  public Outcome pause(Instance instance, Reason why) {
    ask("pause()");
    return raw.pause(AssertingInstance.unwrap(instance), why);
  }

  @Override
  public Outcome suspend(Instance instance, Reason why) {
    ask("suspend()");
    return raw.suspend(AssertingInstance.unwrap(instance), why);
  }

  @Override
  public Outcome resume(Instance instance, Resources grant, Reason why) {
    ask("resume()");
    return raw.resume(AssertingInstance.unwrap(instance), grant, why);
  }

  @Override
  public Outcome migrate(Instance instance, Host host, Resources grant, Reason why) {
    ask("migrate()");
    return raw.migrate(AssertingInstance.unwrap(instance), AssertingHost.unwrap(host), grant, why);
  }

  @Override
  public Outcome reject(Instance instance, Reason why) {
    ask("reject()");
    return raw.reject(AssertingInstance.unwrap(instance), why);
  }

  @Override
  public Outcome defer(Instance instance, Reason why) {
    ask("defer()");
    return raw.defer(AssertingInstance.unwrap(instance), why);
  }

  @Override
  public Fork fork() {
    ask("fork()");
    return new AssertingFork(scope(), raw.fork());
  }

  @Override
  public String toString() {
    return raw.toString();
  }

  private static List<Instance> unwrap(List<Instance> victims) {
    return victims.stream().map(AssertingInstance::unwrap).toList();
  }

  /** A fork, with the same detectors as its pass. */
  private static final class AssertingFork extends AssertingPass implements Fork {

    private final Fork raw;

    AssertingFork(Scope scope, Fork raw) {
      super(scope, raw);
      this.raw = raw;
    }

    @Override
    String label() {
      return "a fork of " + super.label();
    }

    @Override
    public void keep() {
      ask("keep()");
      raw.keep();
    }

    @Override
    public void close() {
      ask("close()");
      raw.close();
    }
  }
}
