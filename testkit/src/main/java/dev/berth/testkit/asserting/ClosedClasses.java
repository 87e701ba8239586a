package dev.berth.testkit.asserting;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a rule has closed in one series: what the engine asks for one instance on one
 * host, each victim once, in victim order.
 */
final class ClosedClasses {

  private @Nullable Instance beneficiary;
  private @Nullable Host host;
  private long now;
  private final Set<Instance> judged = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Group, Closing> closings = new HashMap<>();

  private record Group(int classRank, InstanceState state) {

    static Group of(PreemptionPair contest) {
      return new Group(contest.victimClassRank(), contest.victim().state());
    }
  }

  /** The victim at which a class was closed, and how. */
  record Closing(Instance victim, Verdict verdict) {}

  /** Says that whatever is asked next has nothing to do with what was asked before. */
  void beginSeries() {
    beneficiary = null;
    host = null;
    judged.clear();
    closings.clear();
  }

  /** Goes on to the next contest; returns what closed its class, or null if that is open. */
  @Nullable Closing closing(PreemptionPair contest) {
    Instance victim = contest.victim();
    Host on = victim.host().orElse(null);
    // Whoever is asked about again, in a later series or for the log, is not later in the order.
    if (contest.beneficiary() != beneficiary
        || on != host
        || contest.now() != now
        || judged.contains(victim)) {
      beginSeries();
      beneficiary = contest.beneficiary();
      host = on;
      now = contest.now();
    }
    judged.add(victim);
    return closings.get(Group.of(contest));
  }

  /** Says that a verdict closes the class of its victim. */
  void close(PreemptionPair contest, Verdict verdict) {
    closings.putIfAbsent(Group.of(contest), new Closing(contest.victim(), verdict));
  }
}
