package dev.berth.testkit.asserting;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.pipeline.PreemptionPair;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The times until which a rule declared that it refuses pairs. It must do so as long as neither
 * instance leaves its state. Holds a limited number of pairs.
 */
final class StandingRefusals {

  private static final int MOST = 10_000;

  private final Map<Pair, Refusal> refusals = new HashMap<>();
  private long now;

  private record Pair(Instance beneficiary, Instance victim) {

    static Pair of(PreemptionPair pair) {
      return new Pair(pair.beneficiary(), pair.victim());
    }
  }

  /** The state and place of an instance, and since when; a fork may undo both. */
  private record Residency(InstanceState state, long since, @Nullable Host host) {

    static Residency of(Instance instance) {
      return new Residency(instance.state(), instance.stateSince(), instance.host().orElse(null));
    }
  }

  /** When a pair was refused, and until when. */
  record Refusal(long from, long until, Residency beneficiary, Residency victim) {

    private boolean isOf(Pair pair) {
      return beneficiary.equals(Residency.of(pair.beneficiary))
          && victim.equals(Residency.of(pair.victim));
    }
  }

  /** Records that a pair was refused, and until when. */
  void refused(PreemptionPair pair, long until) {
    at(pair.now());
    if (refusals.size() < MOST && until > pair.now()) {
      Pair key = Pair.of(pair);
      refusals.put(
          key,
          new Refusal(pair.now(), until, Residency.of(key.beneficiary), Residency.of(key.victim)));
    }
  }

  /** Returns the refusal of a pair that still holds, or null. */
  @Nullable Refusal standing(PreemptionPair pair) {
    at(pair.now());
    Pair key = Pair.of(pair);
    Refusal refusal = refusals.get(key);
    return refusal != null
            && refusal.from <= pair.now()
            && pair.now() < refusal.until
            && refusal.isOf(key)
        ? refusal
        : null;
  }

  private void at(long time) {
    if (time != now) {
      now = time;
      refusals
          .entrySet()
          .removeIf(each -> each.getValue().until <= time || !each.getValue().isOf(each.getKey()));
    }
  }
}
