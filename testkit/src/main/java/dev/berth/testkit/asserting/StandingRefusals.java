package dev.berth.testkit.asserting;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.pipeline.PreemptionPair;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Until when pairs are refused, by the word of a rule, to see whether it keeps that while neither
 * of them leaves its state. Of very many, some.
 */
final class StandingRefusals {

  private static final int MOST = 10_000;

  private final Map<Pair, Refusal> refusals = new HashMap<>();
  private long now;

  private record Pair(Instance beneficiary, Instance victim) {

    static Pair of(PreemptionPair contest) {
      return new Pair(contest.beneficiary(), contest.victim());
    }
  }

  /** Where an instance is since when; in a fork it may come to a host and never have done so. */
  private record Stay(InstanceState state, long since, @Nullable Host host) {

    static Stay of(Instance instance) {
      return new Stay(instance.state(), instance.stateSince(), instance.host().orElse(null));
    }
  }

  /** When a pair was refused, and until when that stands. */
  record Refusal(long from, long until, Stay beneficiary, Stay victim) {

    private boolean isOf(Pair pair) {
      return beneficiary.equals(Stay.of(pair.beneficiary)) && victim.equals(Stay.of(pair.victim));
    }
  }

  /** Notes that a pair was refused, and until when. */
  void refused(PreemptionPair contest, long until) {
    at(contest.now());
    if (refusals.size() < MOST && until > contest.now()) {
      Pair pair = Pair.of(contest);
      refusals.put(
          pair, new Refusal(contest.now(), until, Stay.of(pair.beneficiary), Stay.of(pair.victim)));
    }
  }

  /** Returns the refusal of a pair that stands, or null. */
  @Nullable Refusal standing(PreemptionPair contest) {
    at(contest.now());
    Pair pair = Pair.of(contest);
    Refusal refusal = refusals.get(pair);
    return refusal != null
            && refusal.from <= contest.now()
            && contest.now() < refusal.until
            && refusal.isOf(pair)
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
