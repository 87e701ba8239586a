package dev.berth.core.internal.pass;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.GroupStatus;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Completion;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.budget.Budgets;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.state.ClusterState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The view of a pass for its policy: resolves and checks arguments, then acts on the pass. */
class PolicyView implements SchedulingPass {

  boolean open = true;
  private final Pass pass;
  private final PassActions actions;
  private final ClusterState state;
  private final PassGuard guard;
  private final long number;
  private final PassRandom draws;
  private final RandomGenerator random = this::draw;

  PolicyView(Pass pass, ClusterState state, PassGuard guard, PassRandom draws) {
    this.pass = pass;
    this.actions = pass.actions();
    this.state = state;
    this.guard = guard;
    this.number = pass.number();
    this.draws = draws;
  }

  private long draw() {
    checkOpen();
    checkInnermost(); // otherwise the numbers of a kept fork would replace this one
    return draws.next();
  }

  Pass pass() {
    return pass;
  }

  PassRandom draws() {
    return draws;
  }

  private void checkOpen() {
    checkState(
        open, "pass %s is over, or this fork of it is closed. Views must not be kept.", number);
    pass.requireRunning();
  }

  final void checkActs() {
    checkOpen();
    checkIdle();
    pass.requireWhole();
    checkInnermost();
  }

  final void checkIdle() {
    checkState(
        !pass.isBusy(),
        "a part of a policy acts on pass %s. Parts only answer; act in Policy.schedule.",
        number);
  }

  private void checkInnermost() {
    if (pass.innermost() != this) {
      throw new IllegalStateException(
          "pass %s has an open fork: act on that, or close it first.".formatted(number));
    }
  }

  @Override
  public long number() {
    checkOpen();
    return number;
  }

  @Override
  public long now() {
    checkOpen();
    return state.now();
  }

  @Override
  public Set<Trigger> triggers() {
    checkOpen();
    return pass.triggers();
  }

  @Override
  public RandomGenerator random() {
    checkOpen();
    return random;
  }

  @Override
  public long tieBreak(Instance instance, Host host) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(host, "host");
    checkOpen();
    return SeededTieBreaker.toss(
        SeededTieBreaker.draw(tieHash(instance), number), tieHash(host), pass.groupBits());
  }

  private long tieHash(Instance instance) {
    return instance instanceof InstanceRecord ours
        ? ours.tieHash
        : SeededTieBreaker.hash(state.seed(), instance.id());
  }

  private long tieHash(Host host) {
    return host instanceof HostRecord ours
        ? ours.tieHash
        : SeededTieBreaker.hash(state.seed(), host.id());
  }

  @Override
  public List<Host> hosts() {
    checkOpen();
    return state.hosts();
  }

  @Override
  public List<Host> openHosts() {
    checkOpen();
    return state.closedHosts() == 0 ? state.hosts() : SchedulingPass.super.openHosts();
  }

  @Override
  public Optional<Host> host(String id) {
    Objects.requireNonNull(id, "id");
    checkOpen();
    return state.host(id);
  }

  @Override
  public List<Pool> pools() {
    checkOpen();
    return state.pools().all();
  }

  @Override
  public List<Bag> bags() {
    checkOpen();
    return state.bags();
  }

  @Override
  public Optional<GroupStatus> group(String id) {
    Objects.requireNonNull(id, "id");
    checkOpen();
    return state.group(id);
  }

  @Override
  public List<BagReport> endedBags() {
    checkOpen();
    return pass.endedBags();
  }

  @Override
  public List<Completion> completions() {
    checkOpen();
    return state.completions();
  }

  @Override
  public List<Instance> pending() {
    checkOpen();
    List<Instance> waiting = new ArrayList<>(state.pendingCount());
    for (InstanceRecord each : state.pendingRecords()) {
      if (each.actedInPass() != number && !each.heldBack()) {
        waiting.add(each);
      }
    }
    return Collections.unmodifiableList(waiting);
  }

  @Override
  public Collection<Instance> instances() {
    checkOpen();
    List<Instance> present = new ArrayList<>(state.instances());
    present.removeIf(each -> each.state() == InstanceState.DONE); // by this pass
    return Collections.unmodifiableList(present);
  }

  @Override
  public Optional<Instance> instance(String id) {
    Objects.requireNonNull(id, "id");
    checkOpen();
    return state.instance(id).filter(each -> each.state() != InstanceState.DONE);
  }

  @Override
  public Optional<Reason> obstacle(
      Instance instance, Host host, List<Instance> victims, Resources grant) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(victims, "victims");
    Objects.requireNonNull(grant, "grant");
    checkOpen();
    InstanceRecord[] records = new InstanceRecord[victims.size()];
    Reason wrong = resolve(instance, host, victims, grant, records);
    if (wrong != null) {
      return Optional.of(wrong);
    }
    InstanceRecord subject = (InstanceRecord) instance;
    return Optional.ofNullable(
        actions.obstacle(
            subject, (HostRecord) host, records, records.length, grantOf(subject, grant)));
  }

  @Override
  public Optional<DisruptionBudget> budget(String job) {
    Objects.requireNonNull(job, "job");
    checkOpen();
    return state.budgets().budget(job);
  }

  @Override
  public Optional<Reason> protection(Instance instance) {
    Objects.requireNonNull(instance, "instance");
    checkOpen();
    InstanceRecord subject = state.record(instance);
    return subject == null ? Optional.empty() : Budgets.protection(subject);
  }

  // ---- Actions

  /**
   * Acts, unless the pass takes no actions now. If an error of the virtual machine ends the action,
   * the policy cannot continue, even if it catches the error.
   */
  private <T> T act(Supplier<T> action) {
    checkActs();
    return stoppingOnError(action);
  }

  final <T> T stoppingOnError(Supplier<T> action) {
    try {
      return action.get();
    } catch (VirtualMachineError fatal) {
      pass.stop = fatal; // without a call, which might overflow the stack
      throw fatal;
    }
  }

  @Override
  public Outcome place(Instance instance, Host host, List<Instance> victims, Resources grant) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(victims, "victims");
    Objects.requireNonNull(grant, "grant");
    return act(() -> tryPlace(instance, host, victims, grant));
  }

  private Outcome tryPlace(Instance instance, Host host, List<Instance> victims, Resources grant) {
    InstanceRecord[] records = new InstanceRecord[victims.size()];
    Reason refusal = resolve(instance, host, victims, grant, records);
    if (refusal == null) {
      InstanceRecord subject = (InstanceRecord) instance;
      refusal =
          actions.place(
              subject,
              (HostRecord) host,
              records,
              records.length,
              grantOf(subject, grant),
              pass.detailed()
                  ? Decision.bare(
                      number,
                      state.now(),
                      instance.id(),
                      host.id(),
                      victims.stream().map(Instance::id).toList())
                  : null);
    }
    return answer(instance, refusal);
  }

  @Override
  public Outcome resize(Instance instance, Resources grant, Reason why) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(grant, "grant");
    Objects.requireNonNull(why, "why");
    return adjust(
        instance, grant, subject -> actions.resize(subject, grantOf(subject, grant), why));
  }

  @Override
  public Outcome pause(Instance instance, Reason why) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(why, "why");
    return adjust(instance, instance.granted(), subject -> actions.pause(subject, why));
  }

  @Override
  public Outcome suspend(Instance instance, Reason why) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(why, "why");
    return adjust(instance, instance.granted(), subject -> actions.suspend(subject, why));
  }

  @Override
  public Outcome resume(Instance instance, Resources grant, Reason why) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(grant, "grant");
    Objects.requireNonNull(why, "why");
    return adjust(
        instance, grant, subject -> actions.resume(subject, grantOf(subject, grant), why));
  }

  @Override
  public Outcome migrate(Instance instance, Host host, Resources grant, Reason why) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(grant, "grant");
    Objects.requireNonNull(why, "why");
    HostRecord target = state.record(host);
    return adjust(
        instance,
        grant,
        subject ->
            target == null
                ? new Reason.Unknown("host", host.id())
                : actions.migrate(subject, target, grantOf(subject, grant), why));
  }

  @Override
  public Outcome reject(Instance instance, Reason why) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(why, "why");
    return adjust(instance, instance.granted(), subject -> actions.reject(subject, why));
  }

  private Outcome adjust(
      Instance instance, Resources grant, Function<InstanceRecord, @Nullable Reason> doing) {
    return act(
        () -> {
          InstanceRecord subject = state.record(instance);
          Reason refusal =
              subject == null
                  ? new Reason.Unknown("instance", instance.id())
                  : guard.wrongGrant(subject, grant, false);
          return answer(
              instance, refusal == null && subject != null ? doing.apply(subject) : refusal);
        });
  }

  @Override
  public Outcome provision(
      Pool pool, int count, Optional<String> cluster, OptionalLong expiresAt, Reason why) {
    Objects.requireNonNull(pool, "pool");
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(expiresAt, "expiresAt");
    Objects.requireNonNull(why, "why");
    return act(
        () -> {
          PoolRecord known = state.record(pool);
          return answer(
              pool.name(),
              known == null
                  ? new Reason.Unknown("pool", pool.name())
                  : actions.provision(known, count, cluster, expiresAt, why));
        });
  }

  @Override
  public Outcome release(Host host, Reason why) {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(why, "why");
    return act(() -> answer(host.id(), actions.release(host, why)));
  }

  @Override
  public Outcome assign(Bag bag, String cluster, OptionalLong expiresAt, Reason why) {
    Objects.requireNonNull(bag, "bag");
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(expiresAt, "expiresAt");
    Objects.requireNonNull(why, "why");
    return onBag(bag, known -> actions.assign(known, cluster, expiresAt, why));
  }

  @Override
  public Outcome cancel(Bag bag, Reason why) {
    Objects.requireNonNull(bag, "bag");
    Objects.requireNonNull(why, "why");
    return onBag(bag, known -> actions.tryCancel(known, why));
  }

  @Override
  public Outcome defer(Bag bag, Reason why) {
    Objects.requireNonNull(bag, "bag");
    Objects.requireNonNull(why, "why");
    return onBag(
        bag,
        known -> {
          actions.defer(known, why);
          return null;
        });
  }

  private Outcome onBag(Bag bag, Function<BagRecord, @Nullable Reason> doing) {
    return act(
        () -> {
          BagRecord known = state.record(bag);
          return answer(
              bag.id(), known == null ? new Reason.Unknown("bag", bag.id()) : doing.apply(known));
        });
  }

  @Override
  public Outcome defer(Instance instance, Reason why) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(why, "why");
    return act(() -> tryDefer(instance, why));
  }

  private Outcome tryDefer(Instance instance, Reason why) {
    InstanceRecord waiting = state.record(instance);
    if (waiting == null) {
      return answer(instance, new Reason.Unknown("instance", instance.id()));
    }
    if (waiting.state() != InstanceState.PENDING) {
      return answer(
          instance,
          new Reason.WrongState(
              waiting.id(), "must be pending to be deferred, is " + PassGuard.where(waiting)));
    }
    actions.defer(waiting, why);
    return Outcome.accept();
  }

  private Grant grantOf(InstanceRecord instance, Resources grant) {
    return Grant.of(instance, grant, state.table());
  }

  private Outcome answer(Instance instance, @Nullable Reason refusal) {
    return answer(instance.id(), refusal);
  }

  private Outcome answer(String subject, @Nullable Reason refusal) {
    return refusal == null ? Outcome.accept() : refusedWith(subject, refusal);
  }

  private Outcome refusedWith(String subject, Reason why) {
    pass.noteError(subject, why);
    return Outcome.refuse(why);
  }

  @Override
  public void wakeAt(long time) {
    act(
        () -> {
          if (time <= state.now()) {
            throw new IllegalArgumentException(
                "pass %s requested a wake-up at %s ns, must be after now, %s ns."
                    .formatted(number, time, state.now()));
          }
          pass.wakeBy(time);
          return this;
        });
  }

  @Override
  public Fork fork() {
    return act(
        () -> {
          ForkView fork = new ForkView(this, pass.mark());
          pass.innermost(fork);
          return fork;
        });
  }

  private @Nullable Reason resolve(
      Instance instance,
      Host host,
      List<Instance> victims,
      Resources grant,
      InstanceRecord[] records) {
    InstanceRecord subject = state.record(instance);
    if (subject == null) {
      return new Reason.Unknown("instance", instance.id());
    }
    if (state.record(host) == null) {
      return new Reason.Unknown("host", host.id());
    }
    for (int i = 0; i < records.length; i++) {
      InstanceRecord victim = state.record(victims.get(i));
      if (victim == null) {
        return new Reason.Unknown("instance", victims.get(i).id());
      }
      records[i] = victim;
    }
    return guard.wrongGrant(subject, grant, true);
  }

  /** A fork of a pass. */
  static final class ForkView extends PolicyView implements SchedulingPass.Fork {

    final PolicyView parent;
    final int mark; // size of the log before its first action

    ForkView(PolicyView parent, int mark) {
      super(parent.pass, parent.state, parent.guard, parent.draws().copy());
      this.parent = parent;
      this.mark = mark;
    }

    @Override
    public void keep() {
      checkActs();
      stoppingOnError(
          () -> {
            parent.draws().continueFrom(draws());
            pass().innermost(parent);
            open = false;
            return parent;
          });
    }

    @Override
    public void close() {
      if (open) {
        pass().requireThread();
        checkIdle();
        stoppingOnError(
            () -> {
              pass().discard(this);
              return parent;
            });
      }
    }
  }
}
