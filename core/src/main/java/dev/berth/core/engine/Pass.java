package dev.berth.core.engine;

import dev.berth.api.Action;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Outcome;
import dev.berth.api.Plan;
import dev.berth.api.Reason;
import dev.berth.api.SchedulingPass;
import dev.berth.api.Trigger;
import dev.berth.core.Decision;
import dev.berth.core.Ties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One pass: the guard between a policy and the {@link ClusterState}.
 *
 * <p>Actions are applied to the state at once, so the policy sees them, and noted in a journal from
 * which they are undone when a fork is discarded or the policy throws, and from which the plan is
 * made otherwise.
 */
public final class Pass {

  private final ClusterState state;
  private final long number;
  private final Set<Trigger> triggers;
  private final boolean detailed;
  private final int topScores;
  private final List<Entry> journal = new ArrayList<>();
  private final List<Plan.PolicyError> errors = new ArrayList<>();
  private final View root;
  private View innermost;
  private boolean busy; // with a decision, in which the policy's parts must not act

  /**
   * Opens a pass.
   *
   * @param detailed whether decisions are to be noted for the log
   * @param topScores how many of the best hosts are to be noted for each
   */
  public Pass(
      ClusterState state, long number, Set<Trigger> triggers, boolean detailed, int topScores) {
    this.state = state;
    this.number = number;
    this.triggers = triggers;
    this.detailed = detailed;
    this.topScores = topScores;
    this.root = new View(new Draws(Ties.combine(state.seed(), number, 0)));
    this.innermost = root;
  }

  /** Returns what the policy gets. */
  public SchedulingPass view() {
    return root;
  }

  /** Ends the pass and returns its plan; the actions stand. A fork left open is discarded. */
  public Plan finish(Consumer<Decision> log) {
    close(root);
    List<Action> actions = new ArrayList<>();
    Map<String, Reason> deferrals = new LinkedHashMap<>();
    List<String> victims = new ArrayList<>();
    for (Entry entry : journal) {
      if (entry instanceof Preempted preempted) {
        actions.add(
            new Action.Preempt(
                preempted.victim.id(), preempted.host.id(), preempted.beneficiary.id()));
        victims.add(preempted.victim.id());
      } else if (entry instanceof Placed placed) {
        actions.add(new Action.Place(placed.instance.id(), placed.host.id(), victims));
        victims.clear();
        if (placed.decision != null) {
          log.accept(placed.decision);
        }
      } else if (entry instanceof Deferred deferred) {
        deferrals.put(deferred.instance.id(), deferred.why);
      }
    }
    deferrals.keySet().removeIf(id -> !stillPending(id));
    return new Plan(number, state.now(), triggers, actions, deferrals, errors);
  }

  /** Ends the pass and undoes all it did. */
  public void abandon() {
    close(root);
    undoTo(0);
  }

  // ---- For the pipeline, on the fast path

  long number() {
    return number;
  }

  boolean detailed() {
    return detailed;
  }

  int topScores() {
    return topScores;
  }

  /** Returns the pass behind what a policy holds, which must be of this cluster and open. */
  static Pass of(SchedulingPass view, ClusterState expected) {
    if (view instanceof View ours && ours.pass().state == expected) {
      ours.checkActs();
      return ours.pass();
    }
    throw new IllegalArgumentException(
        "a pipeline runs on a pass of its own scheduler only, this is a " + view.getClass());
  }

  /** Says that a pipeline decides from now on, or no longer. */
  void busy(boolean deciding) {
    busy = deciding;
  }

  /** Places as {@link SchedulingPass#place} does; returns why not, or null when done. */
  @Nullable Reason place(
      InstanceRecord instance,
      HostRecord host,
      InstanceRecord[] victims,
      int count,
      @Nullable Decision decision) {
    Reason obstacle = obstacle(instance, host, victims, count);
    if (obstacle != null) {
      return obstacle;
    }
    int mark = journal.size();
    boolean wasBusy = busy;
    busy = true;
    try {
      for (int i = 0; i < count; i++) {
        preempt(victims[i], host, instance);
      }
      Placed placed =
          new Placed(
              instance,
              host,
              instance.stateSince,
              instance.actedInPass,
              instance.queueKey,
              instance.victimKey,
              decision);
      state.place(instance, host);
      instance.actedInPass = number;
      journal.add(placed);
    } catch (Throwable failure) {
      undoTo(mark);
      throw failure;
    } finally {
      busy = wasBusy;
    }
    return null;
  }

  private void preempt(InstanceRecord victim, HostRecord host, InstanceRecord beneficiary) {
    Preempted preempted =
        new Preempted(
            victim,
            host,
            beneficiary,
            victim.state,
            victim.stateSince,
            victim.actedInPass,
            victim.victimKey);
    state.preempt(victim);
    victim.actedInPass = number;
    journal.add(preempted);
  }

  private @Nullable Reason obstacle(
      InstanceRecord instance, HostRecord host, InstanceRecord[] victims, int count) {
    if (instance.state != InstanceState.PENDING) {
      return new Reason.WrongState(
          instance.id(), "must be pending to be placed, is " + where(instance));
    }
    if (instance.actedInPass == number) {
      return new Reason.WrongState(
          instance.id(), "was preempted in this pass, so it waits for the next");
    }
    for (int i = 0; i < count; i++) {
      InstanceRecord victim = victims[i];
      if (victim.host != host) {
        return new Reason.WrongState(
            victim.id(), "must be on " + host.id() + " to leave it, is " + where(victim));
      }
      if (victim.actedInPass == number) {
        return new Reason.WrongState(
            victim.id(), "was placed in this pass, so it is no victim in it");
      }
      for (int other = 0; other < i; other++) {
        if (victims[other] == victim) {
          return new Reason.WrongState(victim.id(), "is named twice among the victims");
        }
      }
    }
    Reason misfit = state.misfit(instance, host);
    if (misfit != null) {
      return misfit;
    }
    if (instance.job != null && !instance.job.admits(host, instance.antiAffinity)) {
      InstanceRecord sibling = JobRecord.inTheWay(instance, host, victims, count);
      if (sibling != null) {
        return new Reason.AntiAffinity(instance.job.name, sibling.id());
      }
    }
    HostTable table = state.table();
    for (int d = 0; d < instance.demand.length; d++) {
      long room = table.free(host.slot, d);
      for (int i = 0; i < count; i++) {
        long[] held = victims[i].demand;
        room += d < held.length ? held[d] : 0;
      }
      if (room < instance.demand[d]) {
        return new Reason.ShortOfCapacity(table.dimension(d), instance.demand[d] - room);
      }
    }
    return null;
  }

  private static String where(InstanceRecord instance) {
    HostRecord host = instance.host;
    return host == null ? instance.state.toString() : instance.state + " on " + host.id();
  }

  private boolean stillPending(String id) {
    return state.instance(id).filter(each -> each.state() == InstanceState.PENDING).isPresent();
  }

  // ---- Journal

  private sealed interface Entry {}

  private record Placed(
      InstanceRecord instance,
      HostRecord host,
      long pendingSince,
      long actedBefore,
      long queueKey,
      long victimKey,
      @Nullable Decision decision)
      implements Entry {}

  private record Preempted(
      InstanceRecord victim,
      HostRecord host,
      InstanceRecord beneficiary,
      InstanceState formerState,
      long formerSince,
      long actedBefore,
      long victimKey)
      implements Entry {}

  private record Deferred(InstanceRecord instance, Reason why) implements Entry {}

  private void undoTo(int mark) {
    for (int i = journal.size() - 1; i >= mark; i--) {
      Entry entry = journal.remove(i);
      if (entry instanceof Placed placed) {
        state.unplace(placed.instance, placed.pendingSince, placed.queueKey, placed.victimKey);
        placed.instance.actedInPass = placed.actedBefore;
      } else if (entry instanceof Preempted preempted) {
        state.unpreempt(
            preempted.victim,
            preempted.host,
            preempted.formerState,
            preempted.formerSince,
            preempted.victimKey);
        preempted.victim.actedInPass = preempted.actedBefore;
      }
    }
  }

  private void close(View view) {
    while (innermost != view) {
      ((ForkView) innermost).close();
    }
    view.open = false;
  }

  // ---- Views

  /** What a policy holds. */
  private class View implements SchedulingPass {

    boolean open = true;
    private final Draws draws;
    private final RandomGenerator random = this::draw;

    View(Draws draws) {
      this.draws = draws;
    }

    private long draw() {
      checkOpen();
      checkInnermost(); // a fork that is kept sets this back to where the fork stands
      return draws.next();
    }

    Pass pass() {
      return Pass.this;
    }

    Draws draws() {
      return draws;
    }

    private void checkOpen() {
      if (!open) {
        throw new IllegalStateException(
            "pass %s is over, or this fork of it is closed. Views must not be kept."
                .formatted(number));
      }
    }

    final void checkActs() {
      checkOpen();
      if (busy) {
        throw new IllegalStateException(
            "a part of a policy acts on pass %s while it is asked. Parts only answer."
                .formatted(number));
      }
      checkInnermost();
    }

    private void checkInnermost() {
      if (innermost != this) {
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
      return triggers;
    }

    @Override
    public RandomGenerator random() {
      checkOpen();
      return random;
    }

    @Override
    public long tieBreak(Instance instance, Host host) {
      checkOpen();
      return Ties.hash(state.seed(), number, instance.id(), host.id());
    }

    @Override
    public List<Host> hosts() {
      checkOpen();
      return state.hosts();
    }

    @Override
    public Optional<Host> host(String id) {
      checkOpen();
      return state.host(id);
    }

    @Override
    public List<Instance> pending() {
      checkOpen();
      return state.pendingRecords().stream()
          .filter(each -> each.actedInPass != number)
          .map(Instance.class::cast)
          .toList();
    }

    @Override
    public Collection<Instance> instances() {
      checkOpen();
      return Collections.unmodifiableList(new ArrayList<>(state.instances()));
    }

    @Override
    public Optional<Instance> instance(String id) {
      checkOpen();
      return state.instance(id);
    }

    @Override
    public Optional<Reason> obstacle(Instance instance, Host host, List<Instance> victims) {
      checkOpen();
      InstanceRecord[] records = new InstanceRecord[victims.size()];
      Reason unknown = resolve(instance, host, victims, records);
      if (unknown != null) {
        return Optional.of(unknown);
      }
      return Optional.ofNullable(
          Pass.this.obstacle(
              (InstanceRecord) instance, (HostRecord) host, records, records.length));
    }

    @Override
    public Outcome place(Instance instance, Host host, List<Instance> victims) {
      checkActs();
      InstanceRecord[] records = new InstanceRecord[victims.size()];
      Reason refusal = resolve(instance, host, victims, records);
      if (refusal == null) {
        Decision decision =
            detailed
                ? Decision.bare(
                    number,
                    state.now(),
                    instance.id(),
                    host.id(),
                    victims.stream().map(Instance::id).toList())
                : null;
        refusal =
            Pass.this.place(
                (InstanceRecord) instance, (HostRecord) host, records, records.length, decision);
      }
      return refusal == null ? Outcome.accept() : refuse(instance, refusal);
    }

    @Override
    public Outcome defer(Instance instance, Reason why) {
      checkActs();
      InstanceRecord waiting = state.record(instance);
      if (waiting == null) {
        return refuse(instance, new Reason.Unknown("instance", instance.id()));
      }
      if (waiting.state != InstanceState.PENDING) {
        return refuse(
            instance,
            new Reason.WrongState(
                waiting.id(), "must be pending to be deferred, is " + where(waiting)));
      }
      journal.add(new Deferred(waiting, why));
      return Outcome.accept();
    }

    private Outcome refuse(Instance instance, Reason why) {
      if (why.kind() == Reason.Kind.POLICY_ERROR && errors.size() < Plan.MAX_POLICY_ERRORS) {
        errors.add(new Plan.PolicyError(instance.id(), why));
      }
      return Outcome.refuse(why);
    }

    @Override
    public Fork fork() {
      checkActs();
      ForkView fork = new ForkView(this, journal.size());
      innermost = fork;
      return fork;
    }

    private @Nullable Reason resolve(
        Instance instance, Host host, List<Instance> victims, InstanceRecord[] records) {
      if (state.record(instance) == null) {
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
      return null;
    }
  }

  private final class ForkView extends View implements SchedulingPass.Fork {

    private final View parent;
    private final int mark;

    ForkView(View parent, int mark) {
      super(parent.draws().copy());
      this.parent = parent;
      this.mark = mark;
    }

    @Override
    public void keep() {
      checkActs();
      parent.draws().goOnFrom(draws());
      end();
    }

    @Override
    public void close() {
      if (open) {
        Pass.this.close(this);
        undoTo(mark);
        end();
      }
    }

    private void end() {
      open = false;
      innermost = parent;
    }
  }
}
