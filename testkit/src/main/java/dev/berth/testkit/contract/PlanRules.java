package dev.berth.testkit.contract;

import static dev.berth.api.InstanceState.PAUSED;
import static dev.berth.api.InstanceState.RUNNING;
import static dev.berth.api.InstanceState.STARTING;
import static dev.berth.api.InstanceState.SUSPENDED;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.LimitUse;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePlacement;
import dev.berth.testkit.reference.ReferencePool;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks plans against the rules, with the ledger as the only source. Laws that hold for every
 * scheduler are always checked, other rules only if they are under test.
 */
final class PlanRules {

  /** The states in which an instance may be the subject of an action. */
  private static final Map<Class<? extends Action>, Set<InstanceState>> STATES =
      Map.of(
          Action.Resize.class, EnumSet.of(STARTING, RUNNING, PAUSED),
          Action.Pause.class, EnumSet.of(RUNNING),
          Action.Suspend.class, EnumSet.of(RUNNING, PAUSED),
          Action.Resume.class, EnumSet.of(PAUSED, SUSPENDED),
          Action.Migrate.class, EnumSet.of(RUNNING, PAUSED, SUSPENDED),
          Action.Evict.class, EnumSet.of(STARTING, RUNNING, PAUSED, SUSPENDED),
          Action.Stop.class, EnumSet.of(RUNNING));

  /** What a policy must declare to use an action; others are of the engine. */
  private static final Map<Class<? extends Action>, Capability> NEEDED =
      Map.of(
          Action.Provision.class, Capability.SCALES,
          Action.Release.class, Capability.SCALES,
          Action.Assign.class, Capability.ASSIGNS,
          Action.Cancel.class, Capability.ASSIGNS,
          Action.Resize.class, Capability.RESIZES,
          Action.Migrate.class, Capability.MIGRATES,
          Action.Reject.class, Capability.REJECTS,
          Action.Pause.class, Capability.SUSPENDS, // implied by a resumption
          Action.Suspend.class, Capability.SUSPENDS);

  private final Rule asked;
  private final Capabilities capabilities;
  private final PreemptionChecks preemptions;
  private final GrantChecks grants;
  private final Set<Capability> seen = EnumSet.noneOf(Capability.class);
  private final Set<String> expired = new HashSet<>(); // bags, before the plan
  private final Set<String> lightened = new HashSet<>(); // hosts of cancelled bags
  private final List<ReferenceInstance> keepersBefore = new ArrayList<>(); // on hosts
  private final GroupChecks groups = new GroupChecks();
  private ReferenceCluster ledger = new ReferenceCluster(List.of()); // of the plan being checked
  private final Map<Dimension, BigInteger> heldBefore = new HashMap<>(); // by the host acted on

  /**
   * Creates the rules.
   *
   * @param asked the rule under test
   * @param expectedOverhead α, which is subtracted from Q
   * @param mostRestarts the share of a life that P41 promises
   * @param oversubscribed dimensions in which less than the demand may be granted
   */
  PlanRules(
      Rule asked,
      Capabilities capabilities,
      Duration expectedOverhead,
      double mostRestarts,
      Set<Dimension> oversubscribed) {
    this.asked = asked;
    this.capabilities = capabilities;
    this.preemptions = new PreemptionChecks(expectedOverhead.toNanos(), mostRestarts);
    this.grants = new GrantChecks(asked, oversubscribed);
  }

  /** Returns the rule under test. */
  Rule rule() {
    return asked;
  }

  /** Returns the uses that occurred. */
  Set<Capability> seen() {
    return seen;
  }

  /** Checks a plan before it is executed. */
  void begin(Plan plan, ReferenceCluster its) {
    ledger = its;
    expired.clear();
    lightened.clear();
    keepersBefore.clear();
    ledger.hosts().forEach(host -> keepersBefore.addAll(ledger.residents(host)));
    groups.begin(ledger);
    ledger.expiredBags(plan.now()).forEach(each -> expired.add(each.id()));
    if (asked == Rule.P04 && !plan.policyErrors().isEmpty()) { // rejected, so without effect
      Plan.PolicyError error = plan.policyErrors().get(0);
      throw Rule.P04.broken("an action on %s: %s", error.subject(), error.why().describe());
    }
    plan.deferrals()
        .forEach(
            (id, why) ->
                waits(
                    "it defers " + id,
                    !(why instanceof Reason.GroupIncomplete), // of the engine
                    ledger.instance(id).isPresent()));
    plan.blockedHead()
        .ifPresent(
            head ->
                waits("it makes others wait for " + head, true, ledger.instance(head).isPresent()));
    plan.bagDeferrals()
        .keySet()
        .forEach(id -> waits("it defers bag " + id, true, ledger.bag(id).isPresent()));
  }

  private void waits(String what, boolean ofPolicy, boolean exists) {
    if (ofPolicy) {
      see(Capability.DEFERS, what);
    }
    if (!exists) {
      throw Rule.P04.broken("%s, which does not exist", what);
    }
  }

  /** Checks a placement before it is executed. */
  void placement(
      ReferenceInstance beneficiary,
      HostSpec host,
      List<ReferenceInstance> victims,
      Resources grant,
      Plan plan) {
    if (!beneficiary.waitsFor().isEmpty()) {
      throw Rule.P56.broken(
          "%s is placed on %s, but must wait for %s",
          beneficiary.id(), host.id(), beneficiary.waitsFor());
    }
    if (!grant.equals(beneficiary.request().demand())) {
      adjusts(Capability.MOLDS, "%s is placed with %s".formatted(beneficiary.id(), grant));
    }
    open("%s is placed on %s".formatted(beneficiary.id(), host.id()), host);
    grants.check(beneficiary, host, grant, true);
    cluster(beneficiary, host);
    for (ReferenceInstance victim : victims) {
      see(Capability.PREEMPTS, "%s preempts %s".formatted(beneficiary.id(), victim.id()));
      if (victim.state() == InstanceState.STARTING) {
        see(
            Capability.PREEMPTS_STARTING,
            "%s preempts %s, which is still starting".formatted(beneficiary.id(), victim.id()));
      }
      if (asked == Rule.P08) {
        preemptions.checkMargins(beneficiary, victim, plan.now());
      } else if (asked == Rule.P41) {
        preemptions.checkRestarts(beneficiary, victim, plan.now());
      } else if (asked == Rule.P52) {
        PreemptionChecks.checkProgress(beneficiary, victim);
      } else if (asked == Rule.P53) {
        PreemptionChecks.checkTurn(beneficiary, victim, plan.now());
      }
    }
    if (asked == Rule.P18) {
      PreemptionChecks.checkMinimal(beneficiary, host, victims, grant, ledger);
    }
  }

  // ---- Actions other than placing and preempting

  /** Checks the state of the instance that an action changes. */
  static void state(Action action, ReferenceInstance instance) {
    if (action instanceof Action.Reject) {
      if (instance.state() != InstanceState.PENDING || instance.placements() > 0) {
        throw Rule.P34.broken(
            "%s is rejected, but it is %s, placed %s times",
            instance.id(), instance, instance.placements());
      }
      return;
    }
    Set<InstanceState> states = STATES.get(action.getClass());
    if (states == null) {
      throw new IllegalArgumentException("no rule covers " + action);
    }
    if (!states.contains(instance.state())) {
      throw Rule.P35.broken("%s, but %s is %s", action.describe(), instance.id(), instance);
    }
  }

  /** Checks that an action starts an instance on an open host only. */
  void open(Action action, HostSpec host) {
    open(action.describe(), host);
  }

  private void open(String what, HostSpec host) {
    if (!ledger.isOpen(host)) {
      throw Rule.P42.broken(
          "%s, but %s %s",
          what,
          host.id(),
          ledger.drains().containsKey(host.id())
              ? "is draining"
              : ledger.withdrawn().contains(host) ? "is cordoned" : "holds more than its capacity");
    }
  }

  // ---- Disruption budgets

  /** Checks that a placement may take its victims down. */
  void budgets(Action.Place place, List<ReferenceInstance> victims) {
    for (int i = 0; i < victims.size(); i++) {
      if (ledger.budgets().protect(victims.get(i), victims.subList(0, i))) {
        throw exceedsBudget(
            "%s is placed for victims %s".formatted(place.instance(), place.victims()),
            victims.get(i));
      }
    }
  }

  /** Checks that an action may take its instance down. */
  void budget(Action.OnInstance action, ReferenceInstance instance) {
    boolean takesDown = !(action instanceof Action.Resize || action instanceof Action.Stop);
    if (takesDown && !isOutOfReach(instance) && ledger.budgets().protect(instance, List.of())) {
      throw exceedsBudget(action.describe(), instance);
    }
  }

  private boolean isOutOfReach(ReferenceInstance instance) {
    return instance.hostId().flatMap(ledger::host).stream()
        .anyMatch(ReferencePlacement::isUnreachable);
  }

  /** Checks that an instance on a host that cannot be reached is at most evicted or stopped. */
  void reachable(Action.OnInstance action, ReferenceInstance instance) {
    boolean mayBe = action instanceof Action.Evict || action instanceof Action.Stop;
    if (!mayBe && isOutOfReach(instance)) {
      throw Rule.P48.broken("%s, but its host cannot be reached", action.describe());
    }
  }

  /** Checks that a cancellation leaves enough members up, unless the bag has expired. */
  private void budgets(Action.Cancel action, ReferenceBag bag) {
    List<ReferenceInstance> leaving = new ArrayList<>();
    for (ReferenceInstance each : bag.members()) {
      Optional<DisruptionBudget> budget = each.request().job().map(ledger.budgets().byJob()::get);
      if (budget.filter(it -> it.limit() == DisruptionBudget.Limit.MIN_UP).isPresent()) {
        if (ledger.budgets().protect(each, leaving)) {
          throw exceedsBudget(action.describe(), each);
        }
        leaving.add(each);
      }
    }
  }

  private RuleBroken exceedsBudget(String what, ReferenceInstance instance) {
    String job = instance.request().job().orElseThrow();
    return Rule.P50.broken(
        "%s, but job %s of %s has a budget of %s, and has %s up and %s down",
        what,
        job,
        instance.id(),
        ledger.budgets().byJob().get(job),
        ledger.budgets().up(job),
        ledger.budgets().down(job));
  }

  // ---- Longest run times

  /** Checks that the longest run time of an instance is over, and the report of its service. */
  static void stops(Action.Stop action, ReferenceInstance instance, long now) {
    if (instance.stopsAt().orElse(Long.MAX_VALUE) > now) {
      throw Rule.P54.broken("%s, but %s", action.describe(), run(instance, now));
    }
    if (!action.report().equals(instance.report(now))) {
      throw Rule.P54.broken(
          "%s with a report %s",
          action.describe(), RecordDifferences.of(action.report(), instance.report(now)));
    }
  }

  private static String run(ReferenceInstance instance, long now) {
    return "%s, with a service of %s ns, of at most %s ns"
        .formatted(
            instance,
            instance.serviceTime(now),
            instance.request().maxRunTime().orElse(Long.MAX_VALUE));
  }

  private void checkRunTimes(long now) {
    for (ReferenceInstance each : ledger.instances(RUNNING)) {
      if (each.stopsAt().orElse(Long.MAX_VALUE) <= now) {
        throw Rule.P54.broken("%s after a pass", run(each, now));
      }
    }
  }

  /** Notes the state of groups. */
  void beginGroups() {
    groups.begin(ledger);
  }

  /** Checks that an instance is evicted from a draining host, or because of a taint. */
  void drains(Action action, ReferenceInstance instance, HostSpec host, long now) {
    if (!ledger.drains().containsKey(host.id())
        && ledger.taints().expelling(instance, host, now).isEmpty()) {
      throw Rule.P04.broken("%s, but %s is not draining", action.describe(), host.id());
    }
  }

  /** Checks that an instance goes to the cluster of its bag. */
  void cluster(ReferenceInstance instance, HostSpec host) {
    if (!ledger.ofItsCluster(instance, host)) {
      ReferenceBag bag = ledger.bagOf(instance).orElseThrow();
      throw Rule.P40.broken(
          "%s goes to %s, which is of cluster %s, but bag %s is assigned to cluster %s",
          instance.id(),
          host.id(),
          ledger.clusterOf(host.id()).orElse("none"),
          bag.id(),
          bag.cluster().orElseThrow());
    }
  }

  // ---- Actions on hosts and bags

  /** Checks the limit of a pool before hosts are requested from it. */
  static void limit(Action.Provision action, ReferencePool pool) {
    if (action.hosts().size() > pool.spec().limit() - pool.size()) {
      throw Rule.P36.broken("%s, but there is %s", action.describe(), pool);
    }
  }

  /** Checks that a host may be released. */
  void idle(Action.Release action) {
    Optional<String> pool = ledger.poolOf(action.host()).map(ReferencePool::name);
    if (!pool.equals(Optional.of(action.pool()))) {
      throw Rule.P37.broken(
          "%s, but it is of %s",
          action.describe(), pool.map(each -> "pool " + each).orElse("no pool"));
    }
    List<ReferenceInstance> residents =
        ledger.host(action.host()).map(ledger::residents).orElse(List.of());
    if (!residents.isEmpty()) {
      throw Rule.P37.broken("%s, but there is %s", action.describe(), residents);
    }
  }

  /** Checks a cancellation before it is executed. */
  void cancellation(Action.Cancel action, ReferenceBag bag) {
    List<String> left = bag.members().stream().map(ReferenceInstance::id).toList();
    if (!action.instances().equals(left)) {
      throw Rule.P39.broken(
          "bag %s is cancelled with %s left, but left are %s", bag.id(), action.instances(), left);
    }
    bag.members().forEach(each -> each.hostId().ifPresent(lightened::add));
    if (!expired.contains(bag.id())) {
      budgets(action, bag);
      declared(action);
    }
  }

  /** Checks the reports of bags that ended. */
  void reports(List<BagReport> reported, List<BagReport> expected) {
    if (asked != Rule.P39) {
      return;
    }
    List<BagReport> reports = byBag(reported);
    List<BagReport> ends = byBag(expected);
    List<String> reportedBags = reports.stream().map(BagReport::bag).toList();
    List<String> ended = ends.stream().map(BagReport::bag).toList();
    if (!reportedBags.equals(ended)) {
      throw Rule.P39.broken(
          "the scheduler reports bags %s, but the bags that ended are %s", reportedBags, ended);
    }
    for (int i = 0; i < ends.size(); i++) {
      report(reports.get(i), ends.get(i));
    }
  }

  /** Checks the report of a bag that ended. */
  void report(BagReport reported, BagReport expected) {
    if (asked == Rule.P39 && !reported.equals(expected)) {
      throw Rule.P39.broken(
          "of bag %s the scheduler reports %s",
          expected.bag(), RecordDifferences.of(reported, expected));
    }
  }

  /** Sorts reports: the order of bags that end at the same instant does not matter. */
  private static List<BagReport> byBag(List<BagReport> reports) {
    return reports.stream().sorted(Comparator.comparing(BagReport::bag)).toList();
  }

  /** Checks that an action is declared. */
  void declared(Action action) {
    Capability needed = NEEDED.get(action.getClass());
    if (needed != null) {
      adjusts(needed, action.describe());
    }
  }

  private void adjusts(Capability part, String what) {
    see(part, what);
    seen.add(Capability.ADJUSTS);
  }

  /** Checks a grant of an instance that has a host, before it takes effect. */
  void grant(ReferenceInstance instance, HostSpec host, Resources grant) {
    grants.check(instance, host, grant, false);
  }

  private void see(Capability use, String what) {
    seen.add(use);
    if (asked == Rule.P26 && !capabilities.include(use)) {
      throw Rule.P26.broken("%s, but %s is not declared", what, use);
    }
  }

  /** Checks the limits that an instance uses before it is placed. */
  void limits(ReferenceInstance instance, HostSpec host, List<ReferenceInstance> victims) {
    if (!ledger.limits().allow(instance, host, victims)) {
      throw exceeds("%s is placed on %s".formatted(instance.id(), host.id()), instance);
    }
  }

  /** Checks the limits that an instance uses before it moves to another host. */
  void limits(ReferenceInstance instance, HostSpec host) {
    if (!ledger.limits().allowMove(instance, host)) {
      throw exceeds("%s moves to %s".formatted(instance.id(), host.id()), instance);
    }
  }

  private RuleBroken exceeds(String what, ReferenceInstance instance) {
    return Rule.P49.broken(
        "%s and %s, but of the limits there are %s",
        what,
        instance.request().placement().limits().stream()
            .map(LimitUse::describe)
            .collect(Collectors.joining(", ")),
        ledger.limits().all());
  }

  /** Notes what a host holds before an action there. */
  void before(HostSpec host) {
    heldBefore.clear();
    for (Dimension each : ledger.dimensions()) {
      heldBefore.put(each, sum(ledger.residents(host), each));
    }
  }

  /** Checks a host after an instance came to it: an event may have broken the laws before. */
  void placed(ReferenceInstance newcomer, HostSpec host) {
    changed(host);
    newcomer(newcomer, host);
    new ReferencePlacement(ledger)
        .refusal(newcomer, host, List.of())
        .ifPresent(
            refusal -> {
              throw Rule.P48.broken(
                  "%s comes to %s, but %s", newcomer.id(), host.id(), words(refusal));
            });
  }

  private static String words(ReferencePlacement.Refusal refusal) {
    return switch (refusal) {
      case TAINT -> "does not tolerate a taint there";
      case NEAR -> "is not near the instances that it must be near";
      case APART -> "is not kept apart from the instances that it must be kept apart from";
      case KEPT_AWAY -> "is in the place of an instance that keeps it away";
      case SPREAD -> "makes the spread of its peers too uneven";
      case NO_PLACE -> "the host is in no place of a domain that its rules name";
    };
  }

  /** Checks that an instance resumes only on a host whose taints it tolerates. */
  static void tolerates(Action.Resume action, ReferenceInstance instance, HostSpec host) {
    if (ReferencePlacement.repels(host, instance)) {
      throw Rule.P48.broken("%s, but it does not tolerate a taint there", action.describe());
    }
  }

  /** Checks a host after a change of grants. */
  void changed(HostSpec host) {
    List<ReferenceInstance> residents = ledger.residents(host);
    for (Dimension each : ledger.dimensions()) {
      BigInteger held = sum(residents, each); // may exceed a long
      long capacity = host.capacity().amount(each) - ledger.foreign(host, each);
      if (held.compareTo(BigInteger.valueOf(capacity)) > 0
          && held.compareTo(heldBefore.getOrDefault(each, BigInteger.ZERO)) > 0) {
        throw Rule.P03.broken(
            "%s holds %s %s of %s",
            host.id(), each.name(), words(held, each), each.format(capacity));
      }
    }
  }

  private void newcomer(ReferenceInstance one, HostSpec host) {
    if (!ReferencePlacement.constraintsHold(one, host)) {
      throw Rule.P17.broken(
          "%s is on %s %s, but demands %s",
          one.id(), host.id(), host.attributes(), conditions(one));
    }
    for (ReferenceInstance other : ledger.residents(host)) {
      if (one != other && !ReferencePlacement.mayShare(one, other)) {
        throw Rule.P17.broken(
            "%s and %s of one job share %s, but one has anti-affinity",
            one.id(), other.id(), host.id());
      }
    }
  }

  private static String conditions(ReferenceInstance instance) {
    return instance.request().constraints().stream()
        .map(Constraint::describe)
        .collect(Collectors.joining(", "));
  }

  private static BigInteger sum(List<ReferenceInstance> holders, Dimension dimension) {
    return holders.stream()
        .map(each -> BigInteger.valueOf(each.held(dimension)))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static String words(BigInteger amount, Dimension dimension) {
    return amount.bitLength() < Long.SIZE
        ? dimension.format(amount.longValueExact())
        : amount.divide(BigInteger.valueOf(dimension.unitsPerWhole())).toString();
  }

  /** Returns whether an eviction is one of a broken group that starts again. */
  boolean releases(ReferenceInstance instance, Action.Evict evict) {
    return groups.releases(instance, evict);
  }

  /** Checks a plan after it was executed. */
  void end(Plan plan) {
    if (asked == Rule.P51) {
      groups.check(plan, ledger);
    }
    if (asked == Rule.P55) {
      GroupChecks.checkVictims(plan, ledger);
    }
    if (asked == Rule.P54) {
      checkRunTimes(plan.now());
    }
    if (asked == Rule.P39) {
      ledger.bags().stream()
          .filter(each -> expired.contains(each.id()))
          .findFirst()
          .ifPresent(
              each -> {
                throw Rule.P39.broken("the time to live of %s is over, but it continues", each);
              });
    }
    if ((asked != Rule.P09 && asked != Rule.P20) || GroupChecks.mayHaveUndone(plan, ledger)) {
      return;
    }
    List<ReferenceInstance> keepers = new ArrayList<>(keepersBefore);
    ledger.hosts().forEach(host -> keepers.addAll(ledger.residents(host)));
    Set<String> left = lightened(plan);
    left.addAll(lightened);
    Set<String> victims = instances(plan.actions(Action.Preempt.class));
    victims.addAll(instances(plan.actions(Action.Evict.class)));
    for (ReferenceInstance waiting : ledger.instances(InstanceState.PENDING)) {
      boolean excused =
          !waiting.waitsFor().isEmpty() || (asked == Rule.P09 && isDeferred(waiting, plan));
      // What rules about other instances allow may have changed in the course of the pass.
      boolean dependsOnOthers =
          !waiting.request().placement().rules().isEmpty()
              || keepers.stream().anyMatch(it -> ReferencePlacement.hasRuleAbout(it, waiting));
      if (!excused && !dependsOnOthers && !victims.contains(waiting.id())) {
        // On a host that lost nothing, the capacity that is free at the end was free throughout.
        ledger.hosts().stream()
            .filter(host -> !left.contains(host.id()))
            .filter(host -> hasRoom(waiting, host))
            .findFirst()
            .ifPresent(host -> throwWaits(waiting, host));
      }
    }
  }

  private boolean isDeferred(ReferenceInstance waiting, Plan plan) {
    return plan.deferrals().containsKey(waiting.id())
        || plan.blockedHead().filter(head -> !head.equals(waiting.id())).isPresent()
        || ledger
            .bagOf(waiting)
            .filter(bag -> plan.bagDeferrals().containsKey(bag.id()))
            .isPresent();
  }

  /** Returns the hosts that lost something in a plan. */
  private static Set<String> lightened(Plan plan) {
    return plan.actions(Action.OnHost.class).stream()
        .filter(each -> !(each instanceof Action.Place || each instanceof Action.Resume))
        .map(each -> each instanceof Action.Migrate move ? move.from() : each.host())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Set<String> instances(List<? extends Action.OnInstance> actions) {
    return actions.stream()
        .map(Action.OnInstance::instance)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private boolean hasRoom(ReferenceInstance waiting, HostSpec host) {
    List<ReferenceInstance> residents = ledger.residents(host);
    return ledger.isOpen(host)
        && ReferencePlacement.constraintsHold(waiting, host)
        && ledger.ofItsCluster(waiting, host)
        && !ReferencePlacement.repels(host, waiting)
        && ledger.fit(waiting, host, residents)
        && residents.stream().allMatch(each -> ReferencePlacement.mayShare(waiting, each))
        && waiting.request().placement().limits().isEmpty(); // others may have used them meanwhile
  }

  private void throwWaits(ReferenceInstance waiting, HostSpec host) {
    throw asked.broken(
        "%s waits, though %s has room for it%s",
        waiting.id(), host.id(), asked == Rule.P09 ? ", and no reason is given" : "");
  }
}
