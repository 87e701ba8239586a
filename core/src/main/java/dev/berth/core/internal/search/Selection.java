package dev.berth.core.internal.search;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterState;
import org.jspecify.annotations.Nullable;

/**
 * The best host found so far for one instance, and the order by which hosts replace it: smaller
 * preemption cost, then greater worth by preferences, then greater allocation score, then the tie
 * break.
 */
final class Selection {

  private final ClusterState state;
  private final AllocationScore score;
  private final TieBreak ties;

  final FitView fit; // what is under evaluation now
  private int groupBits; // of the host hashes that break ties
  private long draw; // of the instance in this pass, to break ties
  private @Nullable String latestPlacement;
  private double[] cost; // of the host under evaluation

  private @Nullable HostRecord best;
  private Grant bestGrant;
  private long bestWorth;
  private double bestScore;
  private long bestTie;
  private double[] bestCost;
  private boolean bestNeedsVictims;

  /**
   * Prepares an empty selection.
   *
   * @param costWidth number of entries of the preemption cost
   */
  Selection(PipelineParts parts, VictimSearch victims, int costWidth) {
    this.state = parts.state();
    this.score = parts.score();
    this.ties = parts.ties();
    this.fit = new FitView(state.table(), victims);
    this.bestGrant = fit.grant;
    this.cost = new double[costWidth];
    this.bestCost = new double[costWidth];
  }

  /** Prepares for the decisions of one run. */
  void begin(int hashBits) {
    groupBits = hashBits;
  }

  /** Empties the selection for the next instance. */
  void start(InstanceRecord instance, long pass) {
    fit.instance = instance;
    fit.grant = instance.wholeDemand;
    draw = SeededTieBreaker.draw(instance.tieHash, pass);
    latestPlacement = state.latestPlacement();
    best = null;
    bestNeedsVictims = false;
  }

  // ---- The best so far

  @Nullable HostRecord best() {
    return best;
  }

  boolean isEmpty() {
    return best == null;
  }

  /** Returns the best host, which must exist. */
  HostRecord chosen() {
    checkState(best != null, "no host was chosen");
    return best;
  }

  Grant grant() {
    return bestGrant;
  }

  /** Returns the worth of the best host by preferences. */
  long worth() {
    return bestWorth;
  }

  /** Returns the score of the best host; NaN if it was not computed yet. */
  double score() {
    return bestScore;
  }

  boolean needsVictims() {
    return bestNeedsVictims;
  }

  void needsVictims(boolean needs) {
    bestNeedsVictims = needs;
  }

  /** Computes the score of the best host if it was not computed yet. */
  void ensureScore() {
    if (Double.isNaN(bestScore)) {
      bestScore = scoreOf(chosen());
    }
  }

  // ---- Evaluating a host

  /** Returns the allocation score of a host with the current grant and victims. */
  double scoreOf(HostRecord host) {
    fit.on(host);
    double value = score.score(fit);
    if (Double.isNaN(value)) {
      throw notANumber(host, fit.instance);
    }
    return value;
  }

  static IllegalStateException notANumber(
      @Nullable HostRecord host, @Nullable InstanceRecord instance) {
    return new IllegalStateException(
        "the allocation score of %s for %s is not a number. Maybe it divides by a capacity of 0."
            .formatted(host, instance));
  }

  /** Returns the preemption cost of the host under evaluation, to be filled in by the caller. */
  double[] cost() {
    return cost;
  }

  /** Compares the cost of the host under evaluation with that of the best; negative is better. */
  int compareCost() {
    if (best == null) {
      return -1;
    }
    for (int i = 0; i < cost.length; i++) {
      int order = Double.compare(cost[i] + 0.0, bestCost[i] + 0.0); // -0 equals 0
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  long tieOf(HostRecord host) {
    return SeededTieBreaker.toss(draw, host.tieHash, groupBits);
  }

  /** Returns whether a host wins a tie against the best; false if there is no best. */
  boolean winsTie(HostRecord host, long tie) {
    return best != null && compareTied(host, tie, best, bestTie) < 0;
  }

  /** Orders hosts of equal score, the winner first. */
  int compareTied(HostRecord a, long tieOfA, HostRecord b, long tieOfB) {
    if (ties == TieBreak.SEEDED) {
      return tieOfA != tieOfB ? Long.compare(tieOfB, tieOfA) : Long.compare(a.joined, b.joined);
    }
    if (ties == TieBreak.IN_TURN && latestPlacement != null) {
      boolean aIsNext = a.id().compareTo(latestPlacement) > 0;
      boolean bIsNext = b.id().compareTo(latestPlacement) > 0;
      if (aIsNext != bIsNext) {
        return aIsNext ? -1 : 1;
      }
    }
    return a.id().compareTo(b.id());
  }

  /** Keeps the host under evaluation as the best. */
  void keep(HostRecord host, long worth, double value, long tie) {
    best = host;
    bestWorth = worth;
    bestGrant = fit.grant;
    bestScore = value;
    bestTie = tie;
    double[] spare = bestCost;
    bestCost = cost;
    cost = spare;
  }

  /** Keeps the result of a search in an index, which breaks ties itself. */
  void keepBestOf(HostIndex index, InstanceRecord instance) {
    best = index.best(instance, draw, groupBits);
    bestGrant = fit.grant;
    bestWorth = index.bestWorth();
    bestScore = index.bestScore();
    bestTie = index.bestTie();
  }

  /** Shows a visitor the cheapest hosts; returns whether one of them can be chosen. */
  boolean visitBestOf(PreemptionCandidates candidates, HostTrie.Visitor visitor) {
    return candidates.visitBest(draw, groupBits, visitor);
  }
}
