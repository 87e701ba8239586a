package dev.berth.core.internal.explain;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.batch.Bag;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.DecisionLog;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.explain.Explainer;
import dev.berth.core.explain.GroupRoom;
import dev.berth.core.explain.PreemptionHistory;
import dev.berth.core.explain.WhyHere;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.explain.WhyPending.Obstacle;
import dev.berth.core.explain.WhyPending.VictimRefusal;
import dev.berth.core.explain.WhyPreempted;
import dev.berth.core.internal.budget.Budgets;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.pipeline.HostDiagnosis;
import dev.berth.core.internal.pipeline.HostDiagnosis.HostFinding;
import dev.berth.core.internal.state.ClusterState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Explains from the state of the engine, the latest plan, and the decision log. */
public final class EngineExplainer implements Explainer {

  private static final String NO_CANDIDATES = "no-candidates";

  private final ClusterState state;
  private final HostDiagnosis diagnosis;
  private final Supplier<Plan> lastPlan;
  private final Set<String> departed; // since that plan; other instances may have their ids
  private final DecisionLog log;
  private final Calls calls;

  /** Runs an explanation as a call of the scheduler, since it uses the search of the pipeline. */
  public interface Calls {
    /** Runs an explanation; refuses it during another call. */
    <T> T whileIdle(Supplier<T> explanation);
  }

  /** Made by {@link dev.berth.core.Scheduler#explain}. */
  public EngineExplainer(
      ClusterState state,
      Supplier<Plan> lastPlan,
      Set<String> departed,
      DecisionLog log,
      Calls calls) {
    this.state = state;
    this.diagnosis = new HostDiagnosis(state);
    this.lastPlan = lastPlan;
    this.departed = departed;
    this.log = log;
    this.calls = calls;
  }

  @Override
  public WhyPending whyPending(String instanceId, long now) {
    Objects.requireNonNull(instanceId, "instanceId");
    return calls.whileIdle(() -> pending(instanceId, now));
  }

  private WhyPending pending(String instanceId, long now) {
    Instance instance = require(instanceId);
    if (now < state.now()) {
      throw Code.PAST_TIME.refusal(
          "cannot explain instance %s at %s ns: time has reached %s ns.",
          instanceId, now, state.now());
    }
    if (now > state.latest()) {
      throw Code.INVALID_TIME.refusal(
          "cannot explain instance %s at %s ns: times end at %s ns.",
          instanceId, now, state.latest());
    }
    List<HostFinding> findings =
        instance.state() == InstanceState.PENDING ? diagnosis.examine(instance, now) : List.of();
    int roomy = 0;
    int contested = 0;
    List<Reason> reasons = new ArrayList<>();
    Map<String, Tally> refusals = new LinkedHashMap<>();
    for (HostFinding finding : findings) {
      if (finding.obstacle().isEmpty()) {
        roomy++;
        continue;
      }
      Reason obstacle = finding.obstacle().get();
      reasons.add(obstacle);
      if (finding.feasible()) {
        contested++;
      } else if (diagnosis.preempts() && obstacle.kind() == Reason.Kind.CURABLE_BY_PREEMPTION) {
        Verdict deciding = decidingRefusal(finding.candidates());
        refusals.computeIfAbsent(deciding.code(), code -> new Tally(deciding.text())).add(deciding);
      }
    }
    List<VictimRefusal> victims =
        refusals.entrySet().stream()
            .map(
                entry ->
                    new VictimRefusal(
                        entry.getKey(), entry.getValue().inWords(), entry.getValue().hosts))
            .sorted(
                Comparator.comparingInt(VictimRefusal::hosts)
                    .reversed()
                    .thenComparing(VictimRefusal::code))
            .toList();
    boolean hasRoom = roomy > 0;
    return new WhyPending(
        instanceId,
        now,
        instance.state(),
        instance.host().map(Host::id),
        state.hostCount(),
        roomy,
        contested,
        obstacles(reasons),
        victims,
        heldBack(instance)
            .or(() -> deferral(instance, hasRoom).filter(why -> !isNewcomer(instanceId))),
        lastPlan.get().policyErrors().stream()
            .filter(error -> error.subject().equals(instanceId) && !isNewcomer(instanceId))
            .map(Plan.PolicyError::why)
            .toList(),
        PreemptionHistory.of(instance, now),
        groupRoom(instance, now));
  }

  private Optional<GroupRoom> groupRoom(Instance instance, long now) {
    return Optional.ofNullable(state.record(instance))
        .filter(each -> each.state() == InstanceState.PENDING)
        .map(GroupRecord::of)
        .filter(group -> group.onHosts() == 0 && group.required() > 1)
        .map(group -> new GroupPacking(state, diagnosis).roomFor(group, now));
  }

  /** Counts the hosts for each of some obstacles; first those that preemption can cure. */
  static List<Obstacle> obstacles(List<Reason> reasons) {
    Map<String, List<Reason>> byCode = new LinkedHashMap<>();
    for (Reason each : reasons) {
      byCode.computeIfAbsent(groupOf(each), group -> new ArrayList<>()).add(each);
    }
    return byCode.values().stream()
        .map(Obstacle::of)
        .sorted(Comparator.comparing(Obstacle::kind).thenComparing(Obstacle::text))
        .toList();
  }

  private Optional<Reason> heldBack(Instance instance) {
    return Optional.ofNullable(state.record(instance))
        .flatMap(known -> Optional.ofNullable(state.whyHeldBack(known)));
  }

  private Optional<Reason> deferral(Instance instance, boolean hasRoom) {
    Plan latest = lastPlan.get();
    return Optional.ofNullable(latest.deferrals().get(instance.id()))
        .or(() -> instance.bag().map(latest.bagDeferrals()::get))
        .or(
            () ->
                latest
                    .blockedHead()
                    .flatMap(
                        head ->
                            Optional.ofNullable(diagnosis.waitsFor(instance, hasRoom))
                                .filter(why -> why.head().equals(head))));
  }

  @Override
  public Optional<WhyPreempted> whyPreempted(String instanceId) {
    Objects.requireNonNull(instanceId, "instanceId");
    long admitted = state.instance(instanceId).map(Instance::admittedAt).orElse(Long.MIN_VALUE);
    return log.latest(
            decision ->
                decision.now() >= admitted
                    && decision.victims().stream()
                        .anyMatch(victim -> victim.instance().equals(instanceId)))
        .map(
            decision ->
                new WhyPreempted(
                    decision,
                    decision.victims().stream()
                        .filter(victim -> victim.instance().equals(instanceId))
                        .findFirst()
                        .orElseThrow(),
                    state
                        .instance(instanceId)
                        .flatMap(live -> PreemptionHistory.of(live, state.now()))));
  }

  @Override
  public Optional<WhyHere> whyHere(String instanceId) {
    Objects.requireNonNull(instanceId, "instanceId");
    return state
        .instance(instanceId)
        .flatMap(Instance::host)
        .flatMap(
            host ->
                log.latest(decision -> decision.instance().equals(instanceId))
                    .filter(decision -> decision.host().equals(host.id()))
                    .filter(decision -> !wasMigratedSince(instanceId, decision.pass())))
        .map(decision -> new WhyHere(decision, state.hostCount()));
  }

  private boolean wasMigratedSince(String instanceId, long pass) {
    return log.latestAdjustment(
            each ->
                each.pass() > pass
                    && each.action() instanceof Action.Migrate move
                    && move.instance().equals(instanceId))
        .isPresent();
  }

  @Override
  public Optional<ActionRecord> whyAdjusted(String instanceId) {
    Objects.requireNonNull(instanceId, "instanceId");
    long admitted = state.instance(instanceId).map(Instance::admittedAt).orElse(Long.MIN_VALUE);
    return log.latestAdjustment(
        each ->
            each.now() >= admitted
                && each.action() instanceof Action.OnInstance action
                && action.instance().equals(instanceId));
  }

  @Override
  public Optional<ActionRecord> whyMigrated(String instanceId) {
    Objects.requireNonNull(instanceId, "instanceId");
    Optional<String> host = state.instance(instanceId).flatMap(Instance::host).map(Host::id);
    long admitted = state.instance(instanceId).map(Instance::admittedAt).orElse(Long.MIN_VALUE);
    if (host.isEmpty() || whyHere(instanceId).isPresent()) {
      return Optional.empty();
    }
    return log.latestAdjustment(
            each ->
                each.now() >= admitted
                    && each.action() instanceof Action.Migrate moved
                    && moved.instance().equals(instanceId))
        .filter(
            each ->
                each.action() instanceof Action.Migrate moved
                    && host.equals(Optional.of(moved.host())));
  }

  @Override
  public Optional<ActionRecord> whyHost(String hostId) {
    Objects.requireNonNull(hostId, "hostId");
    return log.latestAdjustment(
        each ->
            (each.action() instanceof Action.Provision asked && asked.hosts().contains(hostId))
                || (each.action() instanceof Action.Release released
                    && released.host().equals(hostId)));
  }

  @Override
  public Optional<ActionRecord> whyBag(String bagId) {
    Objects.requireNonNull(bagId, "bagId");
    Optional<Bag> present = state.bag(bagId);
    long submitted = present.map(Bag::submittedAt).orElse(Long.MIN_VALUE);
    return log.latestAdjustment(
        each ->
            (each.action() instanceof Action.Assign assigned
                    && assigned.bag().equals(bagId)
                    && each.now() >= submitted)
                || (each.action() instanceof Action.Cancel cancelled
                    && cancelled.bag().equals(bagId)
                    && present.isEmpty()));
  }

  @Override
  public Optional<Reason> whyProtected(String instanceId) {
    Objects.requireNonNull(instanceId, "instanceId");
    return state.instance(instanceId).map(state::record).flatMap(Budgets::protection);
  }

  private boolean isNewcomer(String instanceId) {
    return departed.contains(instanceId);
  }

  private Instance require(String instanceId) {
    return state
        .instance(instanceId)
        .orElseThrow(
            () ->
                Code.UNKNOWN_INSTANCE.refusal(
                    "cannot explain instance %s: there is no such instance, or it is done.",
                    instanceId));
  }

  private static String groupOf(Reason reason) {
    if (reason instanceof Reason.ConstraintNotMet unmet) {
      return reason.code() + unmet.constraint().describe();
    }
    if (reason instanceof Reason.Tainted repelled) {
      return reason.code() + repelled.taint().describe();
    }
    if (reason instanceof Reason.LimitReached reached) {
      return reason.code() + reached.limit();
    }
    if (reason instanceof Reason.ShortOfCapacity full) {
      return reason.code() + full.dimension().name();
    }
    if (reason instanceof Reason.LargerThanHost small) {
      return reason.code() + small.dimension().name();
    }
    if (reason instanceof Reason.ForeignLoad beside) {
      return reason.code() + beside.dimension().name();
    }
    return reason.code();
  }

  /**
   * Returns why preemption does not help: there are no candidates, a disruption budget protects
   * some, a group may not go as a whole, all eligible ones free too little, or a rule protects the
   * first candidate.
   */
  private static Verdict decidingRefusal(List<Verdict> candidates) {
    if (candidates.isEmpty()) {
      return Verdict.refuse(NO_CANDIDATES, "no instance to preempt");
    }
    Optional<Verdict> budget =
        candidates.stream().filter(each -> each.code().equals(WhyPending.PROTECTED)).findFirst();
    if (budget.isPresent()) {
      return budget.get();
    }
    Optional<Verdict> group =
        candidates.stream()
            .filter(each -> !each.allowed() && each.code().equals(WhyPending.GROUP))
            .findFirst();
    if (group.isPresent()) {
      return group.get();
    }
    return candidates.stream().anyMatch(Verdict::allowed)
        ? Verdict.refuse(WhyPending.TOO_LITTLE, "eligible victims free too little")
        : candidates.get(0);
  }

  private static final class Tally {
    private final String text; // of the first host
    private boolean varies;
    private int hosts;

    Tally(String text) {
      this.text = text;
    }

    void add(Verdict verdict) {
      hosts++;
      varies |= !verdict.text().equals(text);
    }

    String inWords() {
      return varies ? text + " on the first of them" : text;
    }
  }

  @Override
  public String toString() {
    return "explainer of " + state.hosts().size() + " hosts, at " + state.now() + " ns";
  }
}
