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
 * The classes that a rule has closed in one series. A series consists of the questions for one
 * beneficiary on one host: each victim once, in victim order. Members of a group that would leave
 * as a whole are asked about in between.
 */
final class ClosedClasses {

  private @Nullable Instance beneficiary;
  private @Nullable Host host;
  private long now;
  private final Set<Instance> judged = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Group, Closing> closings = new HashMap<>();

  private record Group(int classRank, InstanceState state) {

    static Group of(PreemptionPair pair) {
      return new Group(pair.victimClassRank(), pair.victim().state());
    }
  }

  /** The victim at which a class was closed, its value, and the verdict. */
  record Closing(Instance victim, long value, Verdict verdict) {}

  /** Begins a new series. */
  void beginSeries() {
    beneficiary = null;
    host = null;
    judged.clear();
    closings.clear();
  }

  /** Continues with the next pair; returns what closed its class, or null if it is open. */
  @Nullable Closing closing(PreemptionPair pair) {
    Instance victim = pair.victim();
    Host on = victim.host().orElse(null);
    // A victim that is asked about again, in a later series or for the log, is not later in order.
    if (pair.beneficiary() != beneficiary
        || on != host
        || pair.now() != now
        || judged.contains(victim)) {
      beginSeries();
      beneficiary = pair.beneficiary();
      host = on;
      now = pair.now();
    }
    judged.add(victim);
    Closing closing = closings.get(Group.of(pair));
    return closing == null || pair.victimValue() > closing.value ? null : closing;
  }

  /** Records that a verdict closes the class of its victim. */
  void close(PreemptionPair pair, Verdict verdict) {
    closings.putIfAbsent(Group.of(pair), new Closing(pair.victim(), pair.victimValue(), verdict));
  }
}
