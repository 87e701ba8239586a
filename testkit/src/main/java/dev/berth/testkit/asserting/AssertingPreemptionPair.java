package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.testkit.rule.Rule;

/** A pair that is valid during one call. */
final class AssertingPreemptionPair extends View implements PreemptionPair {

  private final PreemptionPair raw;
  private final boolean victimsOnly;

  AssertingPreemptionPair(Scope scope, PreemptionPair raw) {
    this(scope, raw, false);
  }

  /**
   * Wraps a pair.
   *
   * @param victimsOnly whether the beneficiary must not be read
   */
  AssertingPreemptionPair(Scope scope, PreemptionPair raw, boolean victimsOnly) {
    super(scope);
    this.raw = raw;
    this.victimsOnly = victimsOnly;
  }

  /** Returns the ids of a pair, for messages. */
  static String describe(PreemptionPair raw) {
    return "%s for %s".formatted(raw.victim().id(), raw.beneficiary().id());
  }

  @Override
  String label() {
    return "the pair";
  }

  private void askOfBeneficiary(String call) {
    ask(call);
    if (victimsOnly) {
      throw scope()
          .broken(
              Rule.P25,
              "a VictimCost must not ask for the beneficiary, but it asks %s of %s"
                  .formatted(call, label()));
    }
  }

  @Override
  public long now() {
    ask("now()");
    return raw.now();
  }

  @Override
  public Instance beneficiary() {
    askOfBeneficiary("beneficiary()");
    return scope().instance(raw.beneficiary());
  }

  @Override
  public int beneficiaryClassRank() {
    askOfBeneficiary("beneficiaryClassRank()");
    return raw.beneficiaryClassRank();
  }

  @Override
  public long beneficiaryValue() {
    askOfBeneficiary("beneficiaryValue()");
    return raw.beneficiaryValue();
  }

  @Override
  public Instance victim() {
    ask("victim()");
    return scope().instance(raw.victim());
  }

  @Override
  public int victimClassRank() {
    ask("victimClassRank()");
    return raw.victimClassRank();
  }

  @Override
  public long victimValue() {
    ask("victimValue()");
    return raw.victimValue();
  }

  @Override
  public String toString() {
    return raw.toString();
  }
}
