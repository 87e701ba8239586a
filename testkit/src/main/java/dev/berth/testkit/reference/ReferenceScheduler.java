package dev.berth.testkit.reference;

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
import dev.berth.api.ServiceClass;
import dev.berth.api.Trigger;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.ReferencePolicy.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Algorithm 1 (section 3.4), line by line.
 *
 * <p>Where the paper leaves a choice to chance, the {@link SeededTieBreaker} makes it. Where the
 * paper leaves it open, a comment states the choice. Expects valid events, as {@link
 * ReferenceCluster} does.
 */
public final class ReferenceScheduler implements EventTarget {

  private final ReferencePolicy policy;
  private final long seed;
  private final Optional<Duration> watchdog;
  private final ReferenceCluster cluster;
  private final CaseCoverage coverage = new CaseCoverage();
  private final Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);
  private OptionalLong lastPassAt = OptionalLong.empty();
  private long passes;

  /**
   * A scheduler of an empty cluster.
   *
   * @param watchdog longest time between two passes; it does not affect what a pass decides
   */
  public ReferenceScheduler(
      ReferencePolicy policy,
      Collection<? extends ServiceClass> serviceClasses,
      long seed,
      Optional<Duration> watchdog) {
    this.policy = policy;
    this.seed = seed;
    this.watchdog = watchdog;
    this.cluster = new ReferenceCluster(serviceClasses);
  }

  /** Returns the cluster; read-only. */
  public ReferenceCluster cluster() {
    return cluster;
  }

  /** Returns the cases that it has met so far. */
  public CaseCoverage coverage() {
    return coverage;
  }

  // ---- Events (Algorithm 1, lines 1 to 17); the paper knows no pools and no bags

  @Override
  public Set<Feature> supportedFeatures() {
    return EnumSet.allOf(Feature.class);
  }

  @Override
  public void offerPool(PoolSpec pool, long now) {
    cluster.offer(pool);
    triggers.add(Trigger.POOL_OFFERED);
  }

  @Override
  public void submit(BagSpec bag, long now) {
    cluster.submit(bag, now);
    triggers.add(Trigger.REQUEST_ADMITTED);
  }

  @Override
  public BagReport cancelBag(String bagId, Reason why, long now) {
    triggers.add(Trigger.INSTANCE_COMPLETED);
    return cluster.cancelBag(bagId, why, now);
  }

  @Override
  public void submit(Request request, long now) {
    cluster.submit(request, now);
    triggers.add(Trigger.REQUEST_ADMITTED);
  }

  @Override
  public void started(String instanceId, long now) {
    cluster.started(instanceId, now);
  }

  @Override
  public void usageReported(String instanceId, Resources used, Resources shortfall, long now) {
    cluster.usageReported(instanceId, used, shortfall, now);
  }

  @Override
  public Optional<Resources> free(String hostId) {
    return Optional.of(cluster.free(hostId));
  }

  @Override
  public InstanceReport completed(String instanceId, long now) {
    triggers.add(Trigger.INSTANCE_COMPLETED);
    return cluster.completed(instanceId, now);
  }

  @Override
  public InstanceReport cancel(String instanceId, long now) {
    triggers.add(Trigger.INSTANCE_COMPLETED);
    return cluster.done(instanceId, now);
  }

  @Override
  public void failed(String instanceId, long now) {
    cluster.failed(instanceId, now);
    triggers.add(Trigger.INSTANCE_FAILED);
  }

  @Override
  public void removeHost(String hostId, long now) {
    cluster.removeHost(hostId, now);
    triggers.add(Trigger.HOST_REMOVED);
  }

  @Override
  public void addHost(HostSpec spec, long now) {
    cluster.addHost(spec);
    triggers.add(Trigger.HOST_ADDED);
  }

  @Override
  public Optional<List<InstanceSnapshot>> snapshots(long now) {
    return Optional.of(cluster.snapshots(now));
  }

  private Set<Trigger> takeTriggers(long now) {
    if (watchdog.isPresent()
        && lastPassAt.isPresent()
        && now - lastPassAt.getAsLong() >= watchdog.get().toNanos()) {
      triggers.add(Trigger.WATCHDOG);
    }
    if (!cluster.expiredBags(now).isEmpty()) {
      triggers.add(Trigger.EXPIRY);
    }
    if (triggers.isEmpty()) {
      triggers.add(Trigger.EMBEDDER);
    }
    Set<Trigger> taken = EnumSet.copyOf(triggers);
    triggers.clear();
    return taken;
  }

  // ---- The pass (Algorithm 1, lines 18 to 30)

  @Override
  public Plan schedule(long now) {
    long pass = ++passes;
    Set<Trigger> why = takeTriggers(now);
    lastPassAt = OptionalLong.of(now);
    List<Action> actions = new ArrayList<>();
    cancelExpired(now, actions);

    // Victims of this pass are not in the queue, so they wait for the next one.
    List<ReferenceInstance> queue =
        cluster.instances(InstanceState.PENDING).stream().sorted(policy.queueOrder(now)).toList();
    for (ReferenceInstance j : queue) {
      List<Option> feasible =
          cluster.hosts().stream()
              .flatMap(host -> checkFeasibility(j, host, pass, now).stream())
              .toList();
      rank(feasible, j, pass, now).ifPresent(best -> carryOut(best, j, pass, now, actions));
    }

    tallyPass(queue, actions, now);
    return new Plan(
        pass, now, why, actions, Map.of(), List.of(), Map.of(), cluster.takeEndedBags());
  }

  /** Cancels bags whose time to live is over, without the policy. */
  private void cancelExpired(long now, List<Action> actions) {
    for (ReferenceBag each : cluster.expiredBags(now)) {
      Reason why = new Reason.Expired(each.id(), now - each.expiresAt().orElseThrow());
      List<String> left = each.members().stream().map(ReferenceInstance::id).toList();
      cluster.cancelBag(each.id(), why, now);
      actions.add(new Action.Cancel(each.id(), left, why));
    }
  }

  private void carryOut(
      Option choice, ReferenceInstance j, long pass, long now, List<Action> actions) {
    String host = choice.host.id();
    tallyChoice(choice, j, now);
    for (ReferenceInstance k : choice.victims) {
      cluster.preempt(k.id(), now);
      actions.add(new Action.Preempt(k.id(), host, j.id()));
    }
    cluster.place(j.id(), host, pass, now);
    actions.add(
        new Action.Place(
            j.id(), host, choice.victims.stream().map(ReferenceInstance::id).toList()));
  }

  // ---- Feasibility checking (section 3.3.1)

  /**
   * A host on which an instance can be placed.
   *
   * @param victims the victims, in the order in which they were taken; possibly empty
   */
  private record Option(HostSpec host, List<ReferenceInstance> victims) {}

  private Optional<Option> checkFeasibility(
      ReferenceInstance j, HostSpec host, long pass, long now) {
    if (!ReferenceCluster.constraintsHold(j, host)) {
      coverage.count(Mark.REFUSAL_BY_CONSTRAINT);
      return Optional.empty();
    }
    List<ReferenceInstance> residents = cluster.residents(host);
    // Preemption does not help here.
    if (!residents.stream().allMatch(each -> ReferenceCluster.mayShare(j, each))) {
      coverage.count(Mark.REFUSAL_BY_ANTI_AFFINITY);
      return Optional.empty();
    }
    List<ReferenceInstance> victims = new ArrayList<>();
    for (ReferenceInstance k : candidates(residents, pass, now)) {
      if (cluster.fit(j, host, without(residents, victims))) {
        break;
      }
      Verdict verdict = policy.judge(j, k, now);
      if (verdict.allowed()) {
        victims.add(k);
      } else if (verdict == Verdict.OVER_LIMIT) {
        coverage.count(Mark.REFUSAL_BY_OVERHEAD_LIMIT);
      } else if (verdict == Verdict.AT_PREEMPTION_LIMIT) {
        coverage.count(Mark.REFUSAL_BY_PREEMPTION_LIMIT);
      } else if (verdict == Verdict.OVER_RESTART_SHARE) {
        coverage.count(Mark.REFUSAL_BY_RESTART_SHARE);
      } else if (verdict == Verdict.WITHIN_QUANTUM) {
        coverage.count(Mark.REFUSAL_BY_QUANTUM);
      }
    }
    if (!cluster.fit(j, host, without(residents, victims))) {
      return Optional.empty();
    }
    if (policy.minimizeVictims()) {
      spare(j, host, residents, victims);
    }
    return Optional.of(new Option(host, victims));
  }

  /** Returns the victim candidates on a host, in the order in which they are considered. */
  private List<ReferenceInstance> candidates(
      List<ReferenceInstance> residents, long pass, long now) {
    return residents.stream()
        .filter(k -> k.currentStay().orElseThrow().pass() < pass)
        .filter(
            k ->
                k.state() == InstanceState.RUNNING
                    || (k.state() == InstanceState.STARTING && policy.preemptStarting()))
        .sorted(
            policy
                .victimOrder(now)
                .thenComparing(
                    Comparator.<ReferenceInstance>comparingLong(
                            k -> SeededTieBreaker.hash(seed, k.id()))
                        .reversed())
                .thenComparing(ReferenceInstance::id))
        .toList();
  }

  /** Spares unnecessary victims, from the last taken to the first. Not in the paper. */
  private void spare(
      ReferenceInstance j,
      HostSpec host,
      List<ReferenceInstance> residents,
      List<ReferenceInstance> victims) {
    for (int last = victims.size() - 1; last >= 0; last--) {
      List<ReferenceInstance> fewer = without(victims, List.of(victims.get(last)));
      if (cluster.fit(j, host, without(residents, fewer))) {
        victims.remove(last);
        coverage.count(Mark.VICTIM_SPARED);
      }
    }
  }

  private static List<ReferenceInstance> without(
      List<ReferenceInstance> all, List<ReferenceInstance> some) {
    return all.stream().filter(each -> !some.contains(each)).toList();
  }

  // ---- Ranking (section 3.3.2)

  private Optional<Option> rank(List<Option> feasible, ReferenceInstance j, long pass, long now) {
    List<Option> free = feasible.stream().filter(each -> each.victims.isEmpty()).toList();
    Comparator<Option> byScore = (a, b) -> compare(score(b, j), score(a, j)); // greatest first
    Comparator<Option> byCost = (a, b) -> compare(cost(a, now), cost(b, now)); // smallest first
    Comparator<Option> byMerit = free.isEmpty() ? byCost.thenComparing(byScore) : byScore;
    Comparator<Option> byChance =
        Comparator.<Option>comparingLong(
                each ->
                    SeededTieBreaker.toss(
                        seed, pass, j.id(), each.host.id(), cluster.hosts().size()))
            .reversed();

    // Sorting is stable: if chance fails to decide, the host that joined first wins.
    List<Option> ranked =
        (free.isEmpty() ? feasible : free)
            .stream().sorted(byMerit.thenComparing(byChance)).toList();
    if (ranked.size() > 1) {
      Option first = ranked.get(0);
      Option second = ranked.get(1);
      if (byMerit.compare(first, second) == 0) {
        coverage.count(
            free.isEmpty() ? Mark.TIE_AMONG_HOSTS_WITH_PREEMPTION : Mark.TIE_AMONG_HOSTS);
      } else if (free.isEmpty()) {
        coverage.count(
            byCost.compare(first, second) == 0
                ? Mark.DECISION_BY_SCORE_AFTER_COST
                : Mark.DECISION_BY_COST);
      }
    }
    return ranked.stream().findFirst();
  }

  /** The allocation score of the host as it would be with j there and the victims gone. */
  private double score(Option option, ReferenceInstance j) {
    return policy
        .allocationScore()
        .score(
            option.host,
            without(cluster.residents(option.host), option.victims),
            j.request().demand(),
            cluster.dimensions());
  }

  private List<Double> cost(Option option, long now) {
    return policy.preemptionCost(option.victims, cluster.serviceClasses(), now);
  }

  /** Eq. 9. */
  static int compare(List<Double> a, List<Double> b) {
    for (int x = 0; x < a.size(); x++) {
      int byEntry = compare(a.get(x), b.get(x));
      if (byEntry != 0) {
        return byEntry;
      }
    }
    return 0;
  }

  /** Compares numbers: unlike {@link Double#compare}, 0.0 equals -0.0. */
  private static int compare(double a, double b) {
    return a < b ? -1 : a > b ? 1 : 0;
  }

  // ---- Counting

  private void tallyChoice(Option choice, ReferenceInstance j, long now) {
    coverage.count(Mark.PLACEMENT);
    if (choice.victims.size() > 1) {
      coverage.count(Mark.PREEMPTION_OF_SEVERAL);
    }
    for (ReferenceInstance k : choice.victims) {
      switch (policy.judge(j, k, now)) {
        case RULE_A -> coverage.count(Mark.PREEMPTION_BY_RULE_A);
        case RULE_B -> coverage.count(Mark.PREEMPTION_BY_RULE_B);
        case RULE_C -> coverage.count(Mark.PREEMPTION_BY_RULE_C);
        case LOWER_PRIORITY -> coverage.count(Mark.PREEMPTION_BY_PRIORITY);
        case OVER_LIMIT, AT_PREEMPTION_LIMIT, OVER_RESTART_SHARE, WITHIN_QUANTUM, NO_RULE ->
            throw new IllegalStateException(k + " is no victim of " + j);
      }
      if (k.state() == InstanceState.STARTING) {
        coverage.count(Mark.PREEMPTION_OF_STARTING);
      }
    }
  }

  private void tallyPass(List<ReferenceInstance> queue, List<Action> actions, long now) {
    coverage.count(Mark.PASS);
    if (actions.stream().anyMatch(Action.Place.class::isInstance)) {
      coverage.count(Mark.PASS_PLACING);
    }
    if (actions.stream().anyMatch(Action.Preempt.class::isInstance)) {
      coverage.count(Mark.PASS_PREEMPTING);
    }
    cluster.instances(InstanceState.PENDING).forEach(each -> coverage.count(Mark.LEFT_PENDING));
    if (policy instanceof QosDriven qosDriven) {
      long alpha = qosDriven.expectedOverhead();
      for (int i = 1; i < queue.size(); i++) {
        if (queue.get(i - 1).qos(now, alpha) == queue.get(i).qos(now, alpha)) {
          coverage.count(Mark.TIE_IN_QUEUE);
        }
      }
    }
    for (HostSpec host : cluster.hosts()) {
      List<ReferenceInstance> victims = candidates(cluster.residents(host), passes + 1, now);
      for (int i = 1; i < victims.size(); i++) {
        if (policy.victimOrder(now).compare(victims.get(i - 1), victims.get(i)) == 0) {
          coverage.count(Mark.TIE_AMONG_CANDIDATES);
        }
      }
    }
  }
}
