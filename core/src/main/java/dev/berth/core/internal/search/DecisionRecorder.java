package dev.berth.core.internal.search;

import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.core.decision.Decision;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Records how a host was chosen, if the pass keeps a log of its decisions. */
final class DecisionRecorder {

  private static final int NOT_COUNTED = -1;

  private final Selection selection;
  private final VictimSearch victims;
  private final EvaluatedHosts evaluated;

  private long passNumber;
  private boolean detailed; // whether decisions are recorded
  private int topScores; // number of best hosts in a record
  private int withRoom; // hosts feasible without preemption
  private int withVictims; // hosts feasible with preemption

  DecisionRecorder(Selection selection, VictimSearch victims) {
    this.selection = selection;
    this.victims = victims;
    this.evaluated = new EvaluatedHosts(selection::compareTied);
  }

  /** Prepares for the decisions of one run. */
  void begin(long pass, boolean recordsDecisions, int bestHosts) {
    passNumber = pass;
    detailed = recordsDecisions;
    topScores = bestHosts;
  }

  /** Prepares for the next instance. */
  void start() {
    withRoom = 0;
    withVictims = NOT_COUNTED;
    evaluated.clear();
  }

  boolean detailed() {
    return detailed;
  }

  /** Returns whether every host must be evaluated, since the record lists the best of them. */
  boolean considersAll() {
    return detailed && topScores > 0;
  }

  /** Notes that not every host is evaluated for room, so their number is unknown. */
  void skipsHosts() {
    withRoom = NOT_COUNTED;
  }

  /** Notes that the search with preemption begins. */
  void beginVictims() {
    withVictims = considersAll() ? 0 : NOT_COUNTED;
  }

  void countRoom() {
    withRoom += withRoom == NOT_COUNTED ? 0 : 1;
  }

  void countVictims() {
    withVictims += withVictims == NOT_COUNTED ? 0 : 1;
  }

  /** Records the evaluation of a host with room. */
  void add(HostRecord host, long worth, double score, long tie) {
    evaluated.add(host, 0, List.of(), worth, score, tie);
  }

  /** Records the evaluation of a host that needs preemption. */
  void add(HostRecord host, double[] cost, long worth, double score, long tie) {
    List<Double> ofPolicy = Arrays.stream(cost).skip(1).boxed().toList();
    evaluated.add(host, cost[0], ofPolicy, worth, score, tie);
  }

  /** Returns the record of the choice, or null if the pass keeps none. */
  @Nullable Decision decision() {
    if (!detailed) {
      return null;
    }
    List<Decision.Victim> preempted = new ArrayList<>(victims.count());
    InstanceRecord[] chosen = victims.victims();
    for (int i = 0; i < victims.count(); i++) {
      InstanceRecord victim = chosen[i];
      Verdict verdict = victims.judge(victim);
      String text = verdict.text() + (victims.goesWithGroup(victim) ? ", as all of its group" : "");
      preempted.add(
          new Decision.Victim(
              victim.id(),
              verdict.code(),
              text,
              victims.pair().victimValue(),
              victims.beneficiaryValue()));
    }
    return new Decision(
        passNumber,
        selection.fit.now,
        selection.fit.instance().id(),
        selection.chosen().id(),
        OptionalDouble.of(selection.score()),
        withRoom,
        withVictims,
        preempted,
        evaluated.best(topScores));
  }
}
