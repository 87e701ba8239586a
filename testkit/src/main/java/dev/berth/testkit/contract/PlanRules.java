package dev.berth.testkit.contract;

import dev.berth.api.Action;
import dev.berth.api.BagReport;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.api.Resources;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePool;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What plans are held to, judged from books alone: what no scheduler may do, always; the rules that
 * not everybody is under, when they are asked for.
 */
final class PlanRules {

  private final Rule asked;
  private final Capabilities capabilities;
  private final long expectedOverhead;
  private final Set<Dimension> oversubscribed;
  private final Set<Capability> seen = EnumSet.noneOf(Capability.class);
  private final Set<String> expired = new HashSet<>(); // bags, before the plan was carried out
  private final Set<String> relieved = new HashSet<>(); // hosts, by bags that were cancelled

  /**
   * Makes them.
   *
   * @param asked the rule that is being tested
   * @param expectedOverhead α, which Q is less by
   * @param oversubscribed in which dimensions less than the demand may be granted
   */
  PlanRules(
      Rule asked,
      Capabilities capabilities,
      Duration expectedOverhead,
      Set<Dimension> oversubscribed) {
    this.asked = asked;
    this.capabilities = capabilities;
    this.expectedOverhead = expectedOverhead.toNanos();
    this.oversubscribed = oversubscribed;
  }

  /** Returns the rule that is being tested. */
  Rule rule() {
    return asked;
  }

  /** Returns which uses were seen. */
  Set<Capability> seen() {
    return seen;
  }

  /** Judges a plan before it is carried out. */
  void begin(Plan plan, ReferenceCluster before) {
    expired.clear();
    relieved.clear();
    before.expiredBags(plan.now()).forEach(each -> expired.add(each.id()));
    if (asked == Rule.P04 && !plan.policyErrors().isEmpty()) { // refused, so no harm was done
      Plan.PolicyError error = plan.policyErrors().get(0);
      throw new RuleBroken(
          Rule.P04, "an action on %s: %s".formatted(error.subject(), error.why().describe()));
    }
    plan.deferrals()
        .forEach(
            (id, why) -> {
              see(Capability.DEFERS, "it defers " + id);
              if (before.instance(id).isEmpty()) {
                throw new RuleBroken(Rule.P04, "it defers %s, who is not there".formatted(id));
              }
            });
    plan.bagDeferrals()
        .forEach(
            (id, why) -> {
              see(Capability.DEFERS, "it defers bag " + id);
              if (before.bag(id).isEmpty()) {
                throw new RuleBroken(
                    Rule.P04, "it defers bag %s, which is not there".formatted(id));
              }
            });
  }

  /** Judges a placement before it is carried out. */
  void placement(
      ReferenceInstance beneficiary,
      HostSpec host,
      List<ReferenceInstance> victims,
      Resources grant,
      Plan plan,
      ReferenceCluster before) {
    if (!grant.equals(beneficiary.request().demand())) {
      adjusts(Capability.MOLDS, "%s is placed with %s".formatted(beneficiary.id(), grant));
    }
    grant(beneficiary, host, grant, true);
    cluster(beneficiary, host, before);
    for (ReferenceInstance victim : victims) {
      see(Capability.PREEMPTS, "%s preempts %s".formatted(beneficiary.id(), victim.id()));
      if (victim.state() == InstanceState.STARTING) {
        see(
            Capability.PREEMPTS_STARTING,
            "%s preempts %s, which is still starting".formatted(beneficiary.id(), victim.id()));
      }
      if (asked == Rule.P08) {
        checkMargins(beneficiary, victim, plan.now());
      }
    }
    if (asked == Rule.P18) {
      checkMinimal(beneficiary, host, victims, grant, before);
    }
  }

  // ---- Actions other than placing and preempting

  /** Judges in which state somebody is acted on. */
  static void state(Action action, ReferenceInstance instance) {
    if (action instanceof Action.Reject) {
      if (instance.state() != InstanceState.PENDING || instance.placements() > 0) {
        throw new RuleBroken(
            Rule.P34,
            "%s is to be refused, but it is %s, placed %s times"
                .formatted(instance.id(), instance, instance.placements()));
      }
      return;
    }
    if (!statesFor(action).contains(instance.state())) {
      throw new RuleBroken(
          Rule.P35, "%s, but %s is %s".formatted(action.describe(), instance.id(), instance));
    }
  }

  private static Set<InstanceState> statesFor(Action action) {
    if (action instanceof Action.Resize) {
      return EnumSet.of(InstanceState.STARTING, InstanceState.RUNNING, InstanceState.PAUSED);
    } else if (action instanceof Action.Pause) {
      return EnumSet.of(InstanceState.RUNNING);
    } else if (action instanceof Action.Suspend) {
      return EnumSet.of(InstanceState.RUNNING, InstanceState.PAUSED);
    } else if (action instanceof Action.Resume) {
      return EnumSet.of(InstanceState.PAUSED, InstanceState.SUSPENDED);
    } else if (action instanceof Action.Migrate) {
      return EnumSet.of(InstanceState.RUNNING, InstanceState.PAUSED, InstanceState.SUSPENDED);
    }
    throw new IllegalArgumentException("no law is known of " + action);
  }

  /** Judges whether somebody goes where its bag runs. */
  void cluster(ReferenceInstance instance, HostSpec host, ReferenceCluster before) {
    if (!before.ofItsCluster(instance, host)) {
      ReferenceBag bag = before.bagOf(instance).orElseThrow();
      throw new RuleBroken(
          Rule.P40,
          "%s goes to %s, which is of cluster %s, but bag %s is assigned to cluster %s"
              .formatted(
                  instance.id(),
                  host.id(),
                  before.clusterOf(host.id()).orElse("none"),
                  bag.id(),
                  bag.cluster().orElseThrow()));
    }
  }

  // ---- Actions on hosts and bags

  /** Judges whether a pool may be asked for so many hosts, as it was before. */
  static void limit(Action.Provision action, ReferencePool pool) {
    if (action.hosts().size() > pool.spec().limit() - pool.size()) {
      throw new RuleBroken(Rule.P36, "%s, but there is %s".formatted(action.describe(), pool));
    }
  }

  /** Judges whether a host that starts or is up may be given back. */
  static void idle(Action.Release action, ReferenceCluster before) {
    Optional<String> pool = before.poolOf(action.host()).map(ReferencePool::name);
    if (!pool.equals(Optional.of(action.pool()))) {
      throw new RuleBroken(
          Rule.P37,
          "%s, but it is of %s"
              .formatted(action.describe(), pool.map(each -> "pool " + each).orElse("no pool")));
    }
    List<ReferenceInstance> residents =
        before.host(action.host()).map(before::residents).orElse(List.of());
    if (!residents.isEmpty()) {
      throw new RuleBroken(Rule.P37, "%s, but there is %s".formatted(action.describe(), residents));
    }
  }

  /** Judges a cancellation before it is carried out. */
  void cancellation(Action.Cancel action, ReferenceBag bag) {
    List<String> left = bag.members().stream().map(ReferenceInstance::id).toList();
    if (!action.instances().equals(left)) {
      throw new RuleBroken(
          Rule.P39,
          "bag %s is cancelled with %s left, but left are %s"
              .formatted(bag.id(), action.instances(), left));
    }
    bag.members().forEach(each -> each.hostId().ifPresent(relieved::add));
    if (!expired.contains(bag.id())) {
      declared(action);
    }
  }

  /** Judges what a plan tells of the bags that came to an end. */
  void reports(List<BagReport> told, List<BagReport> booked) {
    if (asked != Rule.P39) {
      return;
    }
    List<BagReport> reports = byBag(told);
    List<BagReport> ends = byBag(booked);
    List<String> reported = reports.stream().map(BagReport::bag).toList();
    List<String> ended = ends.stream().map(BagReport::bag).toList();
    if (!reported.equals(ended)) {
      throw new RuleBroken(
          Rule.P39,
          "it reports bags %s, but those that came to an end are %s".formatted(reported, ended));
    }
    for (int i = 0; i < ends.size(); i++) {
      report(reports.get(i), ends.get(i));
    }
  }

  /** Judges what is told of a bag that came to an end. */
  void report(BagReport told, BagReport booked) {
    if (asked == Rule.P39 && !told.equals(booked)) {
      throw new RuleBroken(
          Rule.P39,
          "of bag %s it reports %s".formatted(booked.bag(), RecordDifferences.of(told, booked)));
    }
  }

  /** Of those that end at one instant it does not matter which is told first. */
  private static List<BagReport> byBag(List<BagReport> reports) {
    return reports.stream().sorted(Comparator.comparing(BagReport::bag)).toList();
  }

  /** Judges whether an action is of a kind that was declared. */
  void declared(Action action) {
    if (action instanceof Action.Provision || action instanceof Action.Release) {
      adjusts(Capability.SCALES, action.describe());
    } else if (action instanceof Action.Assign || action instanceof Action.Cancel) {
      adjusts(Capability.ASSIGNS, action.describe());
    } else if (action instanceof Action.Resize) {
      adjusts(Capability.RESIZES, action.describe());
    } else if (action instanceof Action.Migrate) {
      adjusts(Capability.MIGRATES, action.describe());
    } else if (action instanceof Action.Reject) {
      adjusts(Capability.REJECTS, action.describe());
    } else if (!(action instanceof Action.Resume)) { // which nobody needs to who lets nobody stand
      adjusts(Capability.SUSPENDS, action.describe());
    }
  }

  private void adjusts(Capability part, String what) {
    see(part, what);
    seen.add(Capability.ADJUSTS);
  }

  /**
   * Judges what somebody is to be granted, as it was before.
   *
   * @param placed whether it is being placed, so that its cores may be molded
   */
  void grant(ReferenceInstance instance, HostSpec host, Resources grant, boolean placed) {
    for (Dimension each : grant.dimensions()) {
      if (asked == Rule.P30 && grant.amount(each) > host.capacity().amount(each)) {
        throw new RuleBroken(
            Rule.P30,
            "%s is granted %s %s on %s, which has %s"
                .formatted(
                    instance.id(),
                    each.name(),
                    each.format(grant.amount(each)),
                    host.id(),
                    each.format(host.capacity().amount(each))));
      }
    }
    for (Dimension each : instance.request().demand().dimensions()) {
      long asks = instance.request().demand().amount(each);
      long usual = Math.min(asks, instance.granted().amount(each));
      long guaranteed = Math.min(usual, instance.request().guaranteed().amount(each));
      if (asked == Rule.P30 && grant.amount(each) < molded(instance, each, guaranteed, placed)) {
        throw new RuleBroken(Rule.P30, tooSmall(instance, grant, each, "guaranteed", guaranteed));
      }
      long least = oversubscribed.contains(each) ? 0 : molded(instance, each, usual, placed);
      if (asked == Rule.P33 && grant.amount(each) < least) {
        throw new RuleBroken(
            Rule.P33,
            tooSmall(instance, grant, each, "due where nobody says to oversubscribe it", usual));
      }
    }
  }

  /** Returns what is granted at least, if it is so much without molding. */
  private static long molded(
      ReferenceInstance instance, Dimension dimension, long least, boolean placed) {
    if (!placed || !dimension.name().equals(Dimension.CPU.name())) {
      return least;
    }
    long asks = instance.request().demand().amount(dimension);
    return instance
        .request()
        .moldability()
        .map(how -> Math.min(least, (long) Math.ceil(how.leastShare() * asks)))
        .orElse(least);
  }

  private static String tooSmall(
      ReferenceInstance instance, Resources grant, Dimension dimension, String what, long least) {
    return "%s is granted %s %s, but %s is %s"
        .formatted(
            instance.id(),
            dimension.name(),
            dimension.format(grant.amount(dimension)),
            dimension.format(least),
            what);
  }

  private void see(Capability use, String what) {
    seen.add(use);
    if (asked == Rule.P26 && !capabilities.include(use)) {
      throw new RuleBroken(Rule.P26, "%s, but %s is not declared".formatted(what, use));
    }
  }

  /** Rules (A) to (C) of section 3.3.1 and the limit of Eq. 8. */
  private void checkMargins(ReferenceInstance j, ReferenceInstance k, long now) {
    long qj = j.qos(now, expectedOverhead);
    long qk = k.qos(now, expectedOverhead);
    int rankJ = j.serviceClass().importance();
    int rankK = k.serviceClass().importance();
    boolean bothWithin = qk < margin(k) && qj < margin(j);
    boolean allowed =
        qk >= margin(k) ? qj < qk : bothWithin && (rankJ < rankK || (rankJ == rankK && qj < qk));
    if (!allowed) {
      throw new RuleBroken(
          Rule.P08, "%s preempts %s: %s, %s".formatted(j.id(), k.id(), slack(j, qj), slack(k, qk)));
    }
    double limit = k.serviceClass().preemptionOverheadLimit();
    if (k.serviceClass().equals(j.serviceClass()) && k.preemptionOverhead(now) > limit) {
      throw new RuleBroken(
          Rule.P08,
          "%s preempts %s of its own class, whose restarts have cost %s of its time, more than %s"
              .formatted(j.id(), k.id(), k.preemptionOverhead(now), limit));
    }
  }

  private static long margin(ReferenceInstance instance) {
    return instance.serviceClass().safetyMargin().toNanos();
  }

  private static String slack(ReferenceInstance instance, long qos) {
    return "%s (%s, importance %s) has Q %s of margin %s"
        .formatted(
            instance.id(),
            instance.serviceClass().name(),
            instance.serviceClass().importance(),
            Duration.ofNanos(qos),
            instance.serviceClass().safetyMargin());
  }

  private static void checkMinimal(
      ReferenceInstance beneficiary,
      HostSpec host,
      List<ReferenceInstance> victims,
      Resources grant,
      ReferenceCluster before) {
    for (ReferenceInstance victim : victims) {
      List<ReferenceInstance> others = new ArrayList<>(before.residents(host));
      others.removeIf(each -> each != victim && victims.contains(each));
      if (ReferenceCluster.mayShare(beneficiary, victim) && before.fit(grant, host, others)) {
        throw new RuleBroken(
            Rule.P18,
            "%s leaves %s for %s, which would have fit beside it"
                .formatted(victim.id(), host.id(), beneficiary.id()));
      }
    }
  }

  /** Judges a host on which somebody has just been placed, or was granted something else. */
  void placed(HostSpec host, ReferenceCluster after) {
    List<ReferenceInstance> residents = after.residents(host);
    for (Dimension each : after.dimensions()) {
      BigInteger held = sum(residents, each); // which may be more than a long can count
      long capacity = host.capacity().amount(each);
      if (held.compareTo(BigInteger.valueOf(capacity)) > 0) {
        throw new RuleBroken(
            Rule.P03,
            "%s holds %s %s of %s"
                .formatted(host.id(), each.name(), words(held, each), each.format(capacity)));
      }
    }
    for (ReferenceInstance one : residents) {
      if (!ReferenceCluster.constraintsHold(one, host)) {
        throw new RuleBroken(
            Rule.P17,
            "%s is on %s %s, but demands %s"
                .formatted(one.id(), host.id(), host.attributes(), conditions(one)));
      }
      for (ReferenceInstance other : residents) {
        if (one != other && !ReferenceCluster.mayShare(one, other)) {
          throw new RuleBroken(
              Rule.P17,
              "%s and %s of one job share %s, but one refuses to"
                  .formatted(one.id(), other.id(), host.id()));
        }
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

  /** Judges a plan after it was carried out. */
  void end(Plan plan, ReferenceCluster after) {
    if (asked == Rule.P39) {
      after.bags().stream()
          .filter(each -> expired.contains(each.id()))
          .findFirst()
          .ifPresent(
              each -> {
                throw new RuleBroken(
                    Rule.P39, "the time of %s has run out, but it goes on".formatted(each));
              });
    }
    if (asked != Rule.P09 && asked != Rule.P20) {
      return;
    }
    Set<String> left = relieved(plan);
    left.addAll(relieved);
    Set<String> victims = instances(plan.preemptions());
    for (ReferenceInstance waiting : after.instances(InstanceState.PENDING)) {
      boolean excused = asked == Rule.P09 && isDeferred(waiting, plan, after);
      if (!excused && !victims.contains(waiting.id())) {
        // Where nobody left or gave up anything, what is free at the end was free all along.
        after.hosts().stream()
            .filter(host -> !left.contains(host.id()))
            .filter(host -> hasRoom(waiting, host, after))
            .findFirst()
            .ifPresent(host -> protest(waiting, host));
      }
    }
  }

  private static boolean isDeferred(ReferenceInstance waiting, Plan plan, ReferenceCluster after) {
    return plan.deferrals().containsKey(waiting.id())
        || after
            .bagOf(waiting)
            .filter(bag -> plan.bagDeferrals().containsKey(bag.id()))
            .isPresent();
  }

  /** Returns the hosts that a plan took anything from. */
  private static Set<String> relieved(Plan plan) {
    return plan.actions(Action.OnHost.class).stream()
        .filter(each -> !(each instanceof Action.Place || each instanceof Action.Resume))
        .map(each -> each instanceof Action.Migrate move ? move.from() : each.host())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Set<String> instances(List<Action.Preempt> preemptions) {
    return preemptions.stream().map(Action.Preempt::instance).collect(Collectors.toSet());
  }

  private static boolean hasRoom(
      ReferenceInstance waiting, HostSpec host, ReferenceCluster cluster) {
    List<ReferenceInstance> residents = cluster.residents(host);
    return ReferenceCluster.constraintsHold(waiting, host)
        && cluster.ofItsCluster(waiting, host)
        && cluster.fit(waiting, host, residents)
        && residents.stream().allMatch(each -> ReferenceCluster.mayShare(waiting, each));
  }

  private void protest(ReferenceInstance waiting, HostSpec host) {
    throw new RuleBroken(
        asked,
        "%s waits, though %s has room for it%s"
            .formatted(waiting.id(), host.id(), asked == Rule.P09 ? ", and no word why" : ""));
  }
}
