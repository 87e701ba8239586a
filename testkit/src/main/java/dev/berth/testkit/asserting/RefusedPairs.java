package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.pipeline.PreemptionPair;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * For whom each victim was refused at one time, to see whether a rule that says it favours the
 * worse off does.
 */
final class RefusedPairs {

  private long now;
  private final IdentityHashMap<Instance, Map<Integer, Refused>> byVictim = new IdentityHashMap<>();

  /** Who was refused a victim: of all of a class, the one that was worst off. */
  record Refused(Instance beneficiary, long value) {}

  /** Notes that a victim was refused. */
  void refused(PreemptionPair contest) {
    at(contest.now());
    Refused refused = new Refused(contest.beneficiary(), contest.beneficiaryValue());
    byVictim
        .computeIfAbsent(contest.victim(), victim -> new HashMap<>())
        .merge(
            contest.beneficiaryClassRank(),
            refused,
            (one, other) -> one.value() <= other.value() ? one : other);
  }

  /** Returns who was refused the victim and is worse off than whom it is allowed to, or null. */
  @Nullable Refused worseOff(PreemptionPair contest) {
    at(contest.now());
    Refused refused =
        byVictim.getOrDefault(contest.victim(), Map.of()).get(contest.beneficiaryClassRank());
    return refused != null && refused.value() < contest.beneficiaryValue() ? refused : null;
  }

  private void at(long time) {
    if (time != now) {
      now = time;
      byVictim.clear();
    }
  }
}
