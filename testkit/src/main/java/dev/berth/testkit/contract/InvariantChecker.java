package dev.berth.testkit.contract;

import dev.berth.api.Action;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePool;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Stands between an embedder and a scheduler, keeps books of its own of what the scheduler was told
 * and what it ordered, and protests at the first broken rule.
 */
final class InvariantChecker implements EventTarget {

  private final EventTarget subject;
  private final ReferenceCluster ledger;
  private final PlanRules laws;
  private final Set<String> refused = new HashSet<>(); // and not submitted again
  private final Set<String> cancelledWithBag = new HashSet<>(); // with their bags, and not submitted again
  private final Set<String> bags = new HashSet<>(); // that were ever submitted
  private final Set<String> released = new HashSet<>(); // hosts, and not asked for again
  private Optional<Plan> latest = Optional.empty();
  private long passes;

  InvariantChecker(EventTarget subject, Setting setting, PlanRules laws) {
    this.subject = subject;
    this.ledger = new ReferenceCluster(setting.serviceClasses());
    this.laws = laws;
  }

  /** Returns its books. */
  ReferenceCluster ledger() {
    return ledger;
  }

  /** Returns the plan of the latest pass, to which it may have objected; or empty. */
  Optional<Plan> latest() {
    return latest;
  }

  // ---- Events

  @Override
  public Set<Feature> supportedFeatures() {
    return subject.supportedFeatures();
  }

  @Override
  public void offerPool(PoolSpec pool, long now) {
    tell(() -> subject.offerPool(pool, now));
    ledger.offer(pool);
    compare(now);
  }

  @Override
  public void addHost(HostSpec spec, long now) {
    tell(() -> subject.addHost(spec, now));
    ledger.addHost(spec);
    released.remove(spec.id());
    compare(now);
  }

  @Override
  public void removeHost(String hostId, long now) {
    tell(() -> subject.removeHost(hostId, now));
    ledger.removeHost(hostId, now);
    compare(now);
  }

  @Override
  public void submit(Request request, long now) {
    tell(() -> subject.submit(request, now));
    ledger.submit(request, now);
    isBack(request);
    compare(now);
  }

  @Override
  public void submit(BagSpec bag, long now) {
    tell(() -> subject.submit(bag, now));
    ledger.submit(bag, now);
    bag.requests().forEach(this::isBack);
    bags.add(bag.id());
    compare(now);
  }

  private void isBack(Request request) {
    refused.remove(request.id());
    cancelledWithBag.remove(request.id());
  }

  @Override
  public void loadReported(String hostId, double average, long now) {
    tell(() -> subject.loadReported(hostId, average, now));
    compare(now);
  }

  @Override
  public void started(String instanceId, long now) {
    tell(() -> subject.started(instanceId, now));
    ledger.started(instanceId, now);
    compare(now);
  }

  @Override
  public void failed(String instanceId, long now) {
    tell(() -> subject.failed(instanceId, now));
    ledger.failed(instanceId, now);
    compare(now);
  }

  @Override
  public void usageReported(String instanceId, Resources used, Resources shortfall, long now) {
    tell(() -> subject.usageReported(instanceId, used, shortfall, now));
    ledger.usageReported(instanceId, used, shortfall, now);
    compare(now);
  }

  @Override
  public InstanceReport completed(String instanceId, long now) {
    InstanceReport reported = ask(() -> subject.completed(instanceId, now));
    return done(reported, ledger.completed(instanceId, now), now);
  }

  @Override
  public InstanceReport completed(String instanceId, Duration cpuTime, long now) {
    InstanceReport reported = ask(() -> subject.completed(instanceId, cpuTime, now));
    return done(reported, ledger.completed(instanceId, now), now);
  }

  @Override
  public InstanceReport cancel(String instanceId, long now) {
    InstanceReport reported = ask(() -> subject.cancel(instanceId, now));
    return done(reported, ledger.done(instanceId, now), now);
  }

  private InstanceReport done(InstanceReport reported, InstanceReport booked, long now) {
    if (laws.rule() == Rule.P28 && !booked.equals(reported)) { // else the books go on without it
      throw new RuleBroken(
          Rule.P28, "of %s it reports %s".formatted(booked.id(), RecordDifferences.of(reported, booked)));
    }
    compare(now);
    return reported;
  }

  @Override
  public BagReport cancelBag(String bagId, Reason why, long now) {
    BagReport reported = ask(() -> subject.cancelBag(bagId, why, now));
    laws.report(reported, cancel(ledger.bag(bagId).orElseThrow(), why, now));
    compare(now);
    return reported;
  }

  private BagReport cancel(ReferenceBag bag, Reason why, long now) {
    bag.members().forEach(each -> cancelledWithBag.add(each.id()));
    return ledger.cancelBag(bag.id(), why, now);
  }

  @Override
  public Plan schedule(long now) {
    latest = Optional.empty();
    Plan plan = ask(() -> subject.schedule(now));
    if (plan.now() != now || plan.pass() <= passes) {
      throw new RuleBroken(
          Rule.P04,
          "a pass at %s ns after pass %s gives the plan of pass %s at %s ns"
              .formatted(now, passes, plan.pass(), plan.now()));
    }
    passes = plan.pass();
    latest = Optional.of(plan);
    carryOut(plan);
    compare(now);
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

  // ---- What is thrown

  private static void tell(Runnable event) {
    ask(
        () -> {
          event.run();
          return "told";
        });
  }

  private static <T> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (Throwable thrown) {
      throw RuleBroken.by(thrown);
    }
  }

  // ---- Plans

  private void carryOut(Plan plan) {
    laws.begin(plan, ledger);
    Set<String> subjects = new HashSet<>();
    List<Action> actions = plan.actions();
    for (int i = 0; i < actions.size(); ) {
      int next = i;
      while (next < actions.size() && actions.get(next) instanceof Action.Preempt) {
        next++;
      }
      List<Action.Preempt> preempts =
          actions.subList(i, next).stream().map(Action.Preempt.class::cast).toList();
      Optional<Action> then = actions.stream().skip(next).findFirst();
      if (then.isPresent() && then.get() instanceof Action.Place place) {
        carryOut(place, preempts, plan, subjects);
      } else if (preempts.isEmpty()) {
        if (then.orElseThrow() instanceof Action.OnInstance action) {
          adjust(action, plan, subjects);
        } else {
          arrange(then.get(), plan, subjects);
        }
      } else {
        throw new RuleBroken(
            Rule.P16,
            "%s leaves, but %s"
                .formatted(
                    preempts.get(0).instance(),
                    then.map(each -> "next is: " + each.describe()).orElse("nobody comes")));
      }
      i = next + 1;
    }
    laws.end(plan, ledger);
    laws.reports(plan.endedBags(), ledger.takeEndedBags());
  }

  private void carryOut(
      Action.Place place, List<Action.Preempt> preempts, Plan plan, Set<String> subjects) {
    for (Action.Preempt each : preempts) {
      actsOnce(each, subjects);
      ReferenceInstance victim = known(each);
      if (!victim.hostId().equals(Optional.of(each.host()))) {
        throw new RuleBroken(
            Rule.P04,
            "%s is to leave %s, but it is %s".formatted(each.instance(), each.host(), victim));
      }
      if (!each.beneficiary().equals(place.instance()) || !each.host().equals(place.host())) {
        throw new RuleBroken(
            Rule.P16,
            "%s leaves %s for %s, but next %s comes to %s"
                .formatted(
                    each.instance(),
                    each.host(),
                    each.beneficiary(),
                    place.instance(),
                    place.host()));
      }
    }
    actsOnce(place, subjects);
    ReferenceInstance beneficiary = known(place);
    if (beneficiary.state() != InstanceState.PENDING) {
      throw new RuleBroken(
          Rule.P15,
          "%s is to be placed on %s, but it is %s"
              .formatted(place.instance(), place.host(), beneficiary));
    }
    HostSpec host = known(place.host(), "%s is to be placed on %s", place.instance());
    List<String> leaving = preempts.stream().map(Action.Preempt::instance).toList();
    if (!place.victims().equals(leaving)) {
      throw new RuleBroken(
          Rule.P16,
          "%s is placed for victims %s, but those who leave are %s"
              .formatted(place.instance(), place.victims(), leaving));
    }
    List<ReferenceInstance> victims =
        leaving.stream().map(id -> ledger.instance(id).orElseThrow()).toList();
    Resources grant = place.grant().orElse(beneficiary.request().demand());
    laws.placement(beneficiary, host, victims, grant, plan, ledger);
    victims.forEach(each -> ledger.preempt(each.id(), plan.now()));
    ledger.place(place.instance(), place.host(), grant, plan.pass(), plan.now());
    laws.placed(host, ledger);
  }

  /** Carries out an action that is neither a placement nor a preemption. */
  private void adjust(Action.OnInstance action, Plan plan, Set<String> subjects) {
    actsOnce(action, subjects);
    ReferenceInstance instance = known(action);
    PlanRules.state(action, instance);
    laws.declared(action);
    String id = instance.id();
    long now = plan.now();
    if (action instanceof Action.Reject) {
      ledger.reject(id, now);
      refused.add(id);
    } else if (action instanceof Action.Migrate move) {
      HostSpec host = known(move.host(), "%s is to move to %s", id);
      if (!instance.hostId().equals(Optional.of(move.from())) || move.host().equals(move.from())) {
        throw new RuleBroken(
            Rule.P32,
            "%s is to move from %s to %s, but it is %s"
                .formatted(id, move.from(), move.host(), instance));
      }
      laws.grant(instance, host, move.grant(), false);
      laws.cluster(instance, host, ledger);
      ledger.migrate(id, move.host(), move.grant(), plan.pass(), now);
      laws.placed(host, ledger);
    } else if (action instanceof Action.OnHost there) {
      adjustThere(there, instance, now);
    }
  }

  private void adjustThere(Action.OnHost action, ReferenceInstance instance, long now) {
    String id = instance.id();
    if (!instance.hostId().equals(Optional.of(action.host()))) {
      throw new RuleBroken(Rule.P04, "%s, but %s is %s".formatted(action.describe(), id, instance));
    }
    HostSpec host = ledger.host(action.host()).orElseThrow();
    if (action instanceof Action.Resize resize) {
      laws.grant(instance, host, resize.grant(), false);
      ledger.resize(id, resize.grant());
    } else if (action instanceof Action.Pause) {
      ledger.pause(id, now);
    } else if (action instanceof Action.Suspend) {
      ledger.suspend(id, now);
    } else if (action instanceof Action.Resume resume) {
      laws.grant(instance, host, resume.grant(), false);
      ledger.resume(id, resume.grant(), now);
    }
    laws.placed(host, ledger);
  }

  // ---- Actions on hosts and bags

  /** Carries out an action that is not on an instance. */
  private void arrange(Action action, Plan plan, Set<String> subjects) {
    if (action instanceof Action.Provision provision) {
      provision(provision);
    } else if (action instanceof Action.Release release) {
      release(release);
    } else if (action instanceof Action.Assign assign) {
      knownBag(assign.bag(), assign);
      laws.declared(assign);
      ledger.assign(assign.bag(), assign.cluster(), assign.expiresAt(), plan.now());
    } else if (action instanceof Action.Cancel cancel) {
      ReferenceBag bag = knownBag(cancel.bag(), cancel);
      cancel.instances().forEach(each -> actsOnce(each, cancel, subjects));
      laws.cancellation(cancel, bag);
      cancel(bag, cancel.why(), plan.now());
    } else {
      throw new IllegalArgumentException("no law is known of " + action);
    }
  }

  private void provision(Action.Provision action) {
    ReferencePool pool =
        ledger
            .pool(action.pool())
            .orElseThrow(
                () ->
                    new RuleBroken(
                        Rule.P04, "%s, but no such pool is offered".formatted(action.describe())));
    Set<String> ids = new HashSet<>();
    for (String each : action.hosts()) {
      if (!ids.add(each) || ledger.host(each).isPresent() || ledger.poolOf(each).isPresent()) {
        throw new RuleBroken(
            Rule.P04, "%s, but %s is there already".formatted(action.describe(), each));
      }
    }
    laws.declared(action);
    PlanRules.limit(action, pool);
    ledger.provision(action.pool(), action.hosts(), action.cluster());
    released.removeAll(ids);
  }

  private void release(Action.Release action) {
    String host = action.host();
    if (released.contains(host)) {
      throw new RuleBroken(
          Rule.P38, "%s was given back, and then: %s".formatted(host, action.describe()));
    }
    if (ledger.host(host).isEmpty() && ledger.poolOf(host).isEmpty()) {
      throw new RuleBroken(Rule.P04, "there is no host %s: %s".formatted(host, action));
    }
    laws.declared(action);
    PlanRules.idle(action, ledger);
    ledger.release(host);
    released.add(host);
  }

  private ReferenceBag knownBag(String bagId, Action action) {
    return ledger
        .bag(bagId)
        .orElseThrow(
            () ->
                bags.contains(bagId)
                    ? new RuleBroken(
                        Rule.P39,
                        "bag %s is at an end, and then: %s".formatted(bagId, action.describe()))
                    : new RuleBroken(
                        Rule.P04, "there is no bag %s: %s".formatted(bagId, action.describe())));
  }

  // ---- What is there

  private HostSpec known(String hostId, String what, String instanceId) {
    if (released.contains(hostId) || ledger.starting().contains(hostId)) {
      throw new RuleBroken(
          Rule.P38,
          what.formatted(instanceId, hostId)
              + (released.contains(hostId) ? ", which was given back" : ", which is not up"));
    }
    return ledger
        .host(hostId)
        .orElseThrow(
            () ->
                new RuleBroken(
                    Rule.P04, what.formatted(instanceId, hostId) + ", which is not there"));
  }

  private static void actsOnce(Action.OnInstance action, Set<String> subjects) {
    actsOnce(action.instance(), action, subjects);
  }

  private static void actsOnce(String instanceId, Action action, Set<String> subjects) {
    if (!subjects.add(instanceId)) {
      throw new RuleBroken(
          Rule.P19, "%s is acted on twice in a pass, then by %s".formatted(instanceId, action));
    }
  }

  private ReferenceInstance known(Action.OnInstance action) {
    if (refused.contains(action.instance())) {
      throw new RuleBroken(
          Rule.P34, "%s was refused, and then: %s".formatted(action.instance(), action.describe()));
    }
    if (cancelledWithBag.contains(action.instance())) {
      throw new RuleBroken(
          Rule.P39,
          "%s was cancelled with its bag, and then: %s"
              .formatted(action.instance(), action.describe()));
    }
    return ledger
        .instance(action.instance())
        .orElseThrow(
            () ->
                new RuleBroken(
                    Rule.P04, "there is no instance %s: %s".formatted(action.instance(), action)));
  }

  // ---- Where everybody stands

  private void compare(long now) {
    Optional<List<InstanceSnapshot>> told = ask(() -> subject.snapshots(now));
    if (told.isEmpty()) {
      return;
    }
    List<InstanceSnapshot> booked = ledger.snapshots(now);
    List<String> ids = told.get().stream().map(InstanceSnapshot::id).toList();
    ids.stream()
        .filter(refused::contains)
        .findFirst()
        .ifPresent(
            id -> {
              throw new RuleBroken(Rule.P34, id + " was refused, and yet it knows " + id);
            });
    ids.stream()
        .filter(cancelledWithBag::contains)
        .findFirst()
        .ifPresent(
            id -> {
              throw new RuleBroken(
                  Rule.P39, "%s was cancelled with its bag, and yet it knows %s".formatted(id, id));
            });
    if (!ids.equals(booked.stream().map(InstanceSnapshot::id).toList())) {
      throw new RuleBroken(
          Rule.P15,
          "it knows %s, but those who are not done are %s"
              .formatted(ids, booked.stream().map(InstanceSnapshot::id).toList()));
    }
    for (int i = 0; i < booked.size(); i++) {
      InstanceSnapshot one = told.get().get(i);
      InstanceSnapshot other = booked.get(i);
      if (!Objects.equals(one, other)) {
        Rule rule = brokenBy(one, other);
        if (rule != laws.rule() && rule != Rule.P15) {
          continue;
        }
        throw new RuleBroken(
            rule, "of %s it tells %s".formatted(other.id(), RecordDifferences.of(one, other)));
      }
    }
    if (laws.rule() == Rule.P31) {
      booked.forEach(this::compareFree);
    }
  }

  /** Returns the rule that is broken by who tells something else than the books say. */
  private Rule brokenBy(InstanceSnapshot told, InstanceSnapshot booked) {
    if (told.state() != booked.state() || !told.host().equals(booked.host())) {
      return Rule.P15;
    }
    boolean ofService = told.serviceTime() != booked.serviceTime();
    if (laws.rule() == Rule.P31 && ofService && standsStill(booked)) {
      return Rule.P31;
    } else if (laws.rule() == Rule.P32 && ofService && booked.migrations() > 0) {
      return Rule.P32;
    }
    return Rule.P28;
  }

  private static boolean standsStill(InstanceSnapshot booked) {
    return booked.state() == InstanceState.PAUSED || booked.state() == InstanceState.SUSPENDED;
  }

  /** Compares what is free where somebody stands still. */
  private void compareFree(InstanceSnapshot booked) {
    if (!standsStill(booked)) {
      return;
    }
    String host = booked.host().orElseThrow();
    Optional<Resources> told = ask(() -> subject.free(host));
    if (told.isPresent() && !told.get().equals(ledger.free(host))) {
      throw new RuleBroken(
          Rule.P31,
          "with %s %s there it tells that %s has free %s, but it has %s"
              .formatted(booked.id(), booked.state(), host, told.get(), ledger.free(host)));
    }
  }
}
