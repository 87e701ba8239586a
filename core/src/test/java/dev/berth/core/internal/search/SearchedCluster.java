package dev.berth.core.internal.search;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.TransitionListener;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Fixture: a cluster whose searches are called one by one, with parts that count their work.
 *
 * <p>Hosts have one core, which a victim holds: {@code v0} on {@code h0}, and so on. The cost of a
 * victim is its number, so the host of the lowest number is the best.
 */
final class SearchedCluster implements TransitionListener {

  static final ServiceClass GOLD = ServiceClass.builder("gold").build();
  static final ServiceClass BRONZE = ServiceClass.builder("bronze").importance(2).build();
  static final Resources CORE = Resources.of(Dimension.CPU, 1);
  private static final long NEVER = Long.MIN_VALUE;

  final ClusterState state = new ClusterState(0, List.of(GOLD, BRONZE));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  final Feasibility feasibility;

  private final Map<String, Long> values = new HashMap<>(); // by request
  private final Map<String, Long> limits = new HashMap<>(); // greatest value allowed, by victim
  private final Map<EquivalenceClass.Key, EquivalenceClass> classes = new HashMap<>();
  private int number; // of requests
  private int hosts;
  private long pass;
  long refusedUntil = Long.MAX_VALUE; // of those above their limit
  int judgements;
  int bounds; // of scores

  SearchedCluster(boolean preempts) {
    this(preempts, each -> each);
  }

  /** Makes an empty cluster with other parts. */
  SearchedCluster(boolean preempts, UnaryOperator<PipelineParts> refined) {
    PipelineParts parts =
        new PipelineParts(
            state,
            preempts ? new ByValue() : null,
            preempts ? new UpToLimit() : null,
            new CountedScore(),
            new ByNumber(),
            false,
            true,
            List.of(),
            null,
            TieBreak.SEEDED,
            Set.of());
    this.feasibility = new Feasibility(refined.apply(parts));
    state.follow(this);
    begin();
  }

  // ---- Set-up

  /** Adds hosts; the first of them may be preempted for any request, the others for none. */
  SearchedCluster hosts(int count, int feasible) {
    IntStream.range(0, count).forEach(i -> host(i < feasible ? Long.MAX_VALUE : NEVER));
    return this;
  }

  /** Adds a host that may be preempted for requests up to a value. */
  HostRecord host(long limit) {
    return host(limit, Map.of());
  }

  HostRecord host(long limit, Map<String, String> attributes) {
    return host(limit, attributes, victim -> victim);
  }

  HostRecord host(
      long limit, Map<String, String> attributes, UnaryOperator<Request.Builder> refined) {
    String victim = "v" + hosts;
    limits.put(victim, limit);
    HostRecord host = empty(attributes);
    occupy(host, refined.apply(Request.builder(victim, "bronze").demand(CORE)).build());
    events.started(victim, state.now());
    return host;
  }

  /** Adds a host without a victim. */
  HostRecord empty(Map<String, String> attributes) {
    HostSpec spec = new HostSpec("h" + hosts++, CORE, attributes);
    return (HostRecord) events.addHost(spec, Math.max(0, state.now()));
  }

  void occupy(HostRecord host, Request request) {
    InstanceRecord instance = (InstanceRecord) events.submit(request, state.now());
    transitions.place(instance, host, instance.wholeDemand);
  }

  HostRecord hostAt(int index) {
    return (HostRecord) state.host("h" + index).orElseThrow();
  }

  /** Changes hosts in no way that matters. */
  void touch(int count) {
    IntStream.range(0, count).forEach(i -> events.loadReported("h" + i, 1, state.now()));
  }

  /** Sets the time, and begins a run. */
  void at(long time) {
    events.advanceTo(time);
    begin();
  }

  void removed(String host) {
    events.removeHost(host, state.now());
  }

  // ---- Requests

  /** Submits a request of one core. */
  InstanceRecord pending(long value) {
    return pending(value, request -> request);
  }

  InstanceRecord pending(long value, UnaryOperator<Request.Builder> refined) {
    String id = "r" + number++;
    values.put(id, value);
    Request request = refined.apply(Request.builder(id, "gold").demand(CORE)).build();
    return (InstanceRecord) events.submit(request, Math.max(0, state.now()));
  }

  /** Submits requests that differ in nothing. */
  List<InstanceRecord> alike(int count) {
    return IntStream.range(0, count).mapToObj(i -> pending(0)).toList();
  }

  void cancel(Instance instance) {
    events.done(instance.id(), state.now(), true, OptionalLong.empty());
  }

  static EquivalenceClass classOf(InstanceRecord instance) {
    return (EquivalenceClass) instance.queueEntry();
  }

  // ---- Searches

  /** Begins a run. */
  void begin() {
    feasibility.begin(++pass, 0, false, 0);
  }

  /** Returns the host that a search finds, or null, and counts its work. */
  @Nullable String search(InstanceRecord instance) {
    judgements = 0;
    bounds = 0;
    return feasibility.choose(instance, null) ? feasibility.chosenHost().id() : null;
  }

  /** Searches for a request that is cancelled then, so that the next one is the first. */
  @Nullable String searchOnce(InstanceRecord instance) {
    String host = search(instance);
    cancel(instance);
    return host;
  }

  /** Carries out the latest search. */
  void place(InstanceRecord instance) {
    for (int i = 0; i < feasibility.chosenVictimCount(); i++) {
      transitions.preempt(feasibility.chosenVictims()[i]);
    }
    transitions.place(instance, feasibility.chosenHost(), feasibility.chosenGrant());
  }

  // ---- Following the cluster

  @Override
  public void joined(HostRecord host) {
    feasibility.joined(host);
  }

  @Override
  public void left(HostRecord host) {
    feasibility.left(host);
  }

  @Override
  public void changed(HostRecord host) {
    feasibility.changed(host);
  }

  @Override
  public boolean mayMoveTo(InstanceRecord instance, HostRecord host) {
    return true;
  }

  @Override
  public void rekey(InstanceRecord instance) {
    instance.nextVictimKey(values.getOrDefault(instance.id(), 0L));
  }

  @Override
  public void isPending(InstanceRecord instance) {
    EquivalenceClass its =
        classes.computeIfAbsent(
            EquivalenceClass.Key.of(instance),
            key -> new EquivalenceClass(0, Comparator.comparingLong(each -> each.sequence)));
    its.add(instance);
    instance.queuedAt(its);
  }

  @Override
  public void leavesQueue(InstanceRecord instance) {
    classOf(instance).remove(instance);
  }

  @Override
  public void isOnHost(InstanceRecord instance, HostRecord host) {
    feasibility.isOnHost(instance, host);
  }

  @Override
  public void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
    feasibility.leavesHost(instance, host, formerState);
  }

  // ---- Parts

  private final class ByValue implements VictimOrder {

    @Override
    public long key(Instance instance) {
      return values.getOrDefault(instance.id(), 0L);
    }

    @Override
    public long drift(ServiceClass serviceClass, InstanceState instanceState, long now) {
      return 0;
    }
  }

  private final class UpToLimit implements MonotonePreemptionRule {

    @Override
    public Verdict judge(PreemptionPair pair) {
      judgements++;
      return pair.beneficiaryValue() <= allowedUpTo(pair)
          ? PreemptionRule.Verdict.allow("below", "below the limit")
          : PreemptionRule.Verdict.refuse("above", "above the limit");
    }

    @Override
    public long allowedUpTo(PreemptionPair pair) {
      return limits.getOrDefault(pair.victim().id(), NEVER);
    }

    @Override
    public long refusedUntil(PreemptionPair pair) {
      return refusedUntil;
    }
  }

  private static final class ByNumber implements VictimCost {

    @Override
    public int width(int classCount) {
      return 1;
    }

    @Override
    public void add(PreemptionPair pair, double[] tuple) {
      tuple[0] += Integer.parseInt(pair.victim().id().substring(1));
    }
  }

  private final class CountedScore implements ResourceScore {

    private final AllocationScore score = AllocationScores.leastRequested();

    @Override
    public double score(Fit fit) {
      return score.score(fit);
    }

    @Override
    public double upperBound(Fit least, Fit most) {
      bounds++;
      return Double.POSITIVE_INFINITY;
    }
  }
}
