package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.pipeline.PreemptionPair;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The beneficiaries that each victim was refused to at one time, to check that a monotone rule is
 * monotone.
 */
final class RefusedPairs {

  private long now;
  private final IdentityHashMap<Instance, Map<Alike, Refused>> byVictim = new IdentityHashMap<>();

  /**
   * A beneficiary that was refused a victim: of its class and tier, the one with the least value.
   */
  record Refused(Instance beneficiary, long value) {}

  /** Beneficiaries that a monotone rule treats by their values. */
  private record Alike(int classRank, int tier) {

    static Alike of(PreemptionPair pair) {
      return new Alike(pair.beneficiaryClassRank(), pair.beneficiaryTier());
    }
  }

  /** Records that a victim was refused. */
  void refused(PreemptionPair pair) {
    at(pair.now());
    Refused refused = new Refused(pair.beneficiary(), pair.beneficiaryValue());
    byVictim
        .computeIfAbsent(pair.victim(), victim -> new HashMap<>())
        .merge(Alike.of(pair), refused, (one, other) -> one.value() <= other.value() ? one : other);
  }

  /** Returns a beneficiary with a lesser value that was refused the victim, or null. */
  @Nullable Refused lesser(PreemptionPair pair) {
    at(pair.now());
    Refused refused = byVictim.getOrDefault(pair.victim(), Map.of()).get(Alike.of(pair));
    return refused != null && refused.value() < pair.beneficiaryValue() ? refused : null;
  }

  private void at(long time) {
    if (time != now) {
      now = time;
      byVictim.clear();
    }
  }
}
