package dev.berth.testkit.contract;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.Call;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceGroup;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePool;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Forwards events to a scheduler, keeps a ledger of the events and plans, and throws at the first
 * broken rule.
 */
final class InvariantChecker implements EventTarget {

  private final EventTarget subject;
  private final ReferenceCluster ledger;
  private final PlanRules rules;
  private final SnapshotChecker snapshots;
  private final FleetChecks fleet;
  private final Set<String> rejected = new HashSet<>(); // and not submitted again
  private final Set<String> cancelledWithBag = new HashSet<>(); // and not submitted again
  private final Set<String> bags = new HashSet<>(); // ever submitted
  private final Set<String> released = new HashSet<>(); // hosts, and not requested again
  private final Set<String> subjects = new HashSet<>(); // of the actions of the plan so far
  private Optional<Plan> latest = Optional.empty();
  private long passes;

  InvariantChecker(EventTarget subject, Setting setting, PlanRules rules) {
    this.subject = subject;
    this.ledger = new ReferenceCluster(setting.serviceClasses());
    this.rules = rules;
    this.fleet = new FleetChecks(subject, ledger);
    this.snapshots = new SnapshotChecker(subject, ledger, rules.rule(), rejected, cancelledWithBag);
  }

  /** Returns the ledger. */
  ReferenceCluster ledger() {
    return ledger;
  }

  /** Returns the plan of the latest pass, valid or not; empty if there is none. */
  Optional<Plan> latest() {
    return latest;
  }

  // ---- Events

  @Override
  public Set<Feature> supportedFeatures() {
    return subject.supportedFeatures();
  }

  @Override
  public Object apply(Event<?> event, long now) {
    Object answer;
    if (event instanceof Event.ActionRejected rejection) {
      answer = fleet.rejected(rejection, now);
    } else if (event instanceof Event.Reconciled seen) {
      answer = fleet.reconcile(seen, now);
    } else {
      answer = report(event, now);
      noteMembers(event);
      check(event, answer, ledger.apply(event, now).orElse(Accepted.ACCEPTED));
    }
    remember(event, answer);
    snapshots.compare(now);
    return answer;
  }

  private Object report(Event<?> event, long now) {
    Supplier<Object> call = () -> subject.apply(event, now);
    if (event instanceof Event.Started it) {
      boolean isFresh = ledger.canStart(it.attempt());
      return fleet.report(Rule.P44, it.attempt() + " is ready", isFresh, call, now);
    } else if (event instanceof Event.Failed it) {
      boolean isFresh = ledger.canFail(it.attempt());
      return fleet.report(Rule.P44, it.attempt() + " failed", isFresh, call, now);
    } else if (event instanceof Event.Completed it) {
      boolean isFresh = ledger.canComplete(it.attempt());
      return fleet.report(Rule.P44, it.attempt() + " completed", isFresh, call, now);
    }
    return ask(call);
  }

  /** Notes what a cancelled bag has, which the ledger forgets. */
  private void noteMembers(Event<?> event) {
    if (event instanceof Event.BagCancelled it) {
      ledger.bag(it.bag()).orElseThrow().members().forEach(each -> cancelledWithBag.add(each.id()));
    }
  }

  private void check(Event<?> event, Object reported, Object expected) {
    if (expected instanceof BagReport bag && reported instanceof BagReport other) {
      rules.report(other, bag);
    } else if (rules.rule() == Rule.P28 && !expected.equals(reported)) { // else the ledger counts
      throw new RuleBroken(
          Rule.P28,
          expected instanceof InstanceReport one && reported instanceof InstanceReport other
              ? "of %s the scheduler reports %s"
                  .formatted(one.id(), RecordDifferences.of(other, one))
              : "to \"%s\" the scheduler answers %s, but must answer %s"
                  .formatted(new Call(0, event).describe(), reported, expected));
    }
  }

  private void remember(Event<?> event, Object answer) {
    if (event instanceof Event.Submission submission) {
      submission.requests().forEach(this::submittedAgain);
      if (submission instanceof Event.BagSubmitted it) {
        bags.add(it.bag().id());
      }
    } else if (event instanceof Event.HostAdded it) {
      released.remove(it.spec().id());
    } else if (event instanceof Event.Adopted it) {
      submittedAgain(it.how().request());
    } else if (answer instanceof Rejection rejection) {
      rejection.undone().forEach(each -> undone(each.action()));
    } else if (event instanceof Event.Reconciled seen && answer instanceof Reconciliation found) {
      found.differences().forEach(each -> corrected(each, seen));
    }
  }

  private void submittedAgain(Request request) {
    rejected.remove(request.id());
    cancelledWithBag.remove(request.id());
  }

  private void undone(Action action) {
    if (action instanceof Action.Reject it) {
      rejected.remove(it.instance());
    } else if (action instanceof Action.Cancel it) {
      it.instances().forEach(cancelledWithBag::remove);
    } else if (action instanceof Action.Release it) {
      released.remove(it.host());
    }
  }

  private void corrected(Difference difference, Event.Reconciled seen) {
    if (difference instanceof Difference.HostAppeared it) {
      released.remove(it.host());
    } else if (difference instanceof Difference.InstanceUnknown it && it.adopted()) {
      seen.adoption(it.instance()).ifPresent(how -> submittedAgain(how.request()));
    }
  }

  @Override
  public Plan schedule(long now) {
    latest = Optional.empty();
    Plan plan = ask(() -> subject.schedule(now));
    if (plan.now() != now || plan.pass() <= passes) {
      throw Rule.P04.broken(
          "a pass at %s ns after pass %s gives the plan of pass %s at %s ns",
          now, passes, plan.pass(), plan.now());
    }
    passes = plan.pass();
    latest = Optional.of(plan);
    execute(plan);
    snapshots.compare(now);
    return plan;
  }

  @Override
  public Optional<List<InstanceSnapshot>> snapshots(long now) {
    return subject.snapshots(now);
  }

  @Override
  public Optional<Resources> free(String hostId) {
    return subject.free(hostId);
  }

  // ---- Calls

  static <T> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (Throwable thrown) {
      throw RuleBroken.by(thrown);
    }
  }

  // ---- Plans

  private void execute(Plan plan) {
    rules.begin(plan, ledger);
    subjects.clear();
    List<Action> actions = plan.actions();
    ledger.settle();
    for (int i = 0; i < actions.size(); ) {
      int next = i;
      while (next < actions.size() && actions.get(next) instanceof Action.Preempt) {
        next++;
      }
      List<Action.Preempt> preempts =
          actions.subList(i, next).stream().map(Action.Preempt.class::cast).toList();
      Optional<Action> then = actions.stream().skip(next).findFirst();
      if (then.isPresent() && then.get() instanceof Action.Place place) {
        execute(place, preempts, plan, i);
      } else if (preempts.isEmpty()) {
        if (then.orElseThrow() instanceof Action.OnInstance action) {
          adjust(action, plan, i);
        } else {
          executeOther(then.get(), plan, i);
        }
      } else {
        throw Rule.P16.broken(
            "%s leaves, but %s",
            preempts.get(0).instance(),
            then.map(each -> "the next action is: " + each.describe()).orElse("the plan ends"));
      }
      i = next + 1;
    }
    rules.end(plan);
    rules.reports(plan.endedBags(), ledger.takeEndedBags());
  }

  private boolean goesWithGroup(
      ReferenceInstance victim, String host, List<Action.Preempt> preempts) {
    Optional<ReferenceGroup> group = ledger.groupOf(victim);
    return group.isPresent()
        && preempts.stream()
            .filter(each -> each.host().equals(host))
            .flatMap(each -> ledger.instance(each.instance()).stream())
            .anyMatch(group.get().members()::contains);
  }

  private void execute(Action.Place place, List<Action.Preempt> preempts, Plan plan, int from) {
    for (Action.Preempt each : preempts) {
      actsOnce(each);
      ReferenceInstance victim = known(each);
      if (!victim.hostId().equals(Optional.of(each.host()))) {
        throw Rule.P04.broken("%s leaves %s, but it is %s", each.instance(), each.host(), victim);
      }
      if (!each.beneficiary().equals(place.instance())
          || !(each.host().equals(place.host()) || goesWithGroup(victim, place.host(), preempts))) {
        throw Rule.P16.broken(
            "%s leaves %s for %s, but next %s is placed on %s",
            each.instance(), each.host(), each.beneficiary(), place.instance(), place.host());
      }
    }
    actsOnce(place);
    ReferenceInstance beneficiary = known(place);
    if (beneficiary.state() != InstanceState.PENDING) {
      throw Rule.P15.broken(
          "%s is placed on %s, but it is %s", place.instance(), place.host(), beneficiary);
    }
    HostSpec host = known(place.host(), "%s is placed on %s", place.instance());
    List<String> leaving = preempts.stream().map(Action.Preempt::instance).toList();
    if (!place.victims().equals(leaving)) {
      throw Rule.P16.broken(
          "%s is placed for victims %s, but the victims are %s",
          place.instance(), place.victims(), leaving);
    }
    List<ReferenceInstance> victims =
        leaving.stream().map(id -> ledger.instance(id).orElseThrow()).toList();
    Resources grant = place.grant().orElse(beneficiary.request().demand());
    rules.placement(beneficiary, host, victims, grant, plan);
    rules.limits(beneficiary, host, victims);
    rules.before(host);
    checkAttempt(place, beneficiary);
    rules.budgets(place, victims);
    for (int i = 0; i < preempts.size(); i++) {
      ledger.execute(plan.id(from + i), preempts.get(i), plan.now());
    }
    ledger.execute(plan.id(from + preempts.size()), place, plan.now());
    rules.placed(beneficiary, host);
  }

  private void checkAttempt(Action.Starts start, ReferenceInstance instance) {
    if (rules.rule() == Rule.P44) {
      fleet.attempt(start, instance);
    }
  }

  /** Executes an action that is neither a placement nor a preemption. */
  private void adjust(Action.OnInstance action, Plan plan, int index) {
    actsOnce(action);
    ReferenceInstance instance = known(action);
    PlanRules.state(action, instance);
    if (!ledger.drains().containsKey(instance.hostId().orElse(""))) {
      rules.declared(action); // the engine itself empties draining hosts
    }
    rules.reachable(action, instance);
    rules.budget(action, instance);
    String id = instance.id();
    ActionId actionId = plan.id(index);
    long now = plan.now();
    if (action instanceof Action.Starts start) {
      checkAttempt(start, instance);
    }
    if (action instanceof Action.Reject) {
      ledger.execute(actionId, action, now);
      rejected.add(id);
    } else if (action instanceof Action.Migrate move) {
      HostSpec host = known(move.host(), "%s moves to %s", id);
      if (!instance.hostId().equals(Optional.of(move.from())) || move.host().equals(move.from())) {
        throw Rule.P32.broken(
            "%s moves from %s to %s, but it is %s", id, move.from(), move.host(), instance);
      }
      rules.open(action, host);
      rules.grant(instance, host, move.grant());
      rules.cluster(instance, host);
      rules.limits(instance, host);
      rules.before(host);
      ledger.execute(actionId, move, now);
      rules.placed(instance, host);
    } else if (action instanceof Action.OnHost there) {
      adjustThere(there, instance, actionId, now);
    }
  }

  private void adjustThere(
      Action.OnHost action, ReferenceInstance instance, ActionId actionId, long now) {
    String id = instance.id();
    if (!instance.hostId().equals(Optional.of(action.host()))) {
      throw Rule.P04.broken("%s, but %s is %s", action.describe(), id, instance);
    }
    HostSpec host = ledger.host(action.host()).orElseThrow();
    rules.before(host);
    if (action instanceof Action.Resize resize) {
      rules.grant(instance, host, resize.grant());
    } else if (action instanceof Action.Evict evict) {
      if (!rules.releases(instance, evict)) {
        rules.drains(action, instance, host, now);
      }
    } else if (action instanceof Action.Stop stop) {
      PlanRules.stops(stop, instance, now);
    } else if (action instanceof Action.Resume resume) {
      rules.open(action, host);
      PlanRules.tolerates(resume, instance, host);
      rules.grant(instance, host, resume.grant());
    }
    ledger.execute(actionId, action, now);
    rules.changed(host);
    if (action instanceof Action.Stop) {
      rules.beginGroups(); // which may be broken now
    }
  }

  // ---- Actions on hosts and bags

  /** Executes an action that is not on an instance. */
  private void executeOther(Action action, Plan plan, int index) {
    if (action instanceof Action.Provision provision) {
      check(provision);
    } else if (action instanceof Action.Release release) {
      check(release);
    } else if (action instanceof Action.Assign assign) {
      knownBag(assign.bag(), assign);
      rules.declared(assign);
    } else if (action instanceof Action.Cancel cancel) {
      ReferenceBag bag = knownBag(cancel.bag(), cancel);
      cancel.instances().forEach(each -> actsOnce(each, cancel));
      rules.cancellation(cancel, bag);
      cancelledWithBag.addAll(cancel.instances());
    } else {
      throw new IllegalArgumentException("no rule covers " + action);
    }
    ledger.execute(plan.id(index), action, plan.now());
    if (action instanceof Action.Provision provision) {
      released.removeAll(provision.hosts());
    } else if (action instanceof Action.Release release) {
      released.add(release.host());
    }
  }

  private void check(Action.Provision action) {
    ReferencePool pool =
        ledger
            .pool(action.pool())
            .orElseThrow(() -> Rule.P04.broken("%s, but no such pool exists", action.describe()));
    Set<String> ids = new HashSet<>();
    for (String each : action.hosts()) {
      if (!ids.add(each) || ledger.host(each).isPresent() || ledger.poolOf(each).isPresent()) {
        throw Rule.P04.broken("%s, but %s exists already", action.describe(), each);
      }
    }
    rules.declared(action);
    PlanRules.limit(action, pool);
  }

  private void check(Action.Release action) {
    String host = action.host();
    if (released.contains(host)) {
      throw Rule.P38.broken("%s was released, but then: %s", host, action.describe());
    }
    if (ledger.host(host).isEmpty() && ledger.poolOf(host).isEmpty()) {
      throw Rule.P04.broken("no host %s: %s", host, action);
    }
    rules.declared(action);
    rules.idle(action);
  }

  private ReferenceBag knownBag(String bagId, Action action) {
    return ledger
        .bag(bagId)
        .orElseThrow(
            () ->
                bags.contains(bagId)
                    ? Rule.P39.broken("bag %s has ended, but then: %s", bagId, action.describe())
                    : Rule.P04.broken("no bag %s: %s", bagId, action.describe()));
  }

  // ---- Lookups

  private HostSpec known(String hostId, String what, String instanceId) {
    if (released.contains(hostId) || ledger.starting().contains(hostId)) {
      throw new RuleBroken(
          Rule.P38,
          what.formatted(instanceId, hostId)
              + (released.contains(hostId) ? ", which was released" : ", which is not up"));
    }
    return ledger
        .host(hostId)
        .orElseThrow(
            () ->
                new RuleBroken(
                    Rule.P04, what.formatted(instanceId, hostId) + ", which does not exist"));
  }

  private void actsOnce(Action.OnInstance action) {
    actsOnce(action.instance(), action);
  }

  private void actsOnce(String instanceId, Action action) {
    if (!subjects.add(instanceId)) {
      throw Rule.P19.broken(
          "%s is the subject of two actions in a pass, the second is %s", instanceId, action);
    }
  }

  private ReferenceInstance known(Action.OnInstance action) {
    if (rejected.contains(action.instance())) {
      throw Rule.P34.broken("%s was rejected, but then: %s", action.instance(), action.describe());
    }
    if (cancelledWithBag.contains(action.instance())) {
      throw Rule.P39.broken(
          "%s was cancelled with its bag, but then: %s", action.instance(), action.describe());
    }
    return ledger
        .instance(action.instance())
        .orElseThrow(() -> Rule.P04.broken("no instance %s: %s", action.instance(), action));
  }
}
