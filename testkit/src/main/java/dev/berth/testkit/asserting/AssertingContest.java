package dev.berth.testkit.asserting;

import dev.berth.api.Contest;
import dev.berth.api.Instance;

/** A contest that is shown during one call. */
final class AssertingContest extends View implements Contest {

  private final Contest raw;

  AssertingContest(Scope scope, Contest raw) {
    super(scope);
    this.raw = raw;
  }

  /** Returns whom a contest is about, for messages. */
  static String describe(Contest raw) {
    return "%s for %s".formatted(raw.victim().id(), raw.beneficiary().id());
  }

  @Override
  String label() {
    return "the contest";
  }

  @Override
  public long now() {
    ask("now()");
    return raw.now();
  }

  @Override
  public Instance beneficiary() {
    ask("beneficiary()");
    return scope().instance(raw.beneficiary());
  }

  @Override
  public int beneficiaryClassRank() {
    ask("beneficiaryClassRank()");
    return raw.beneficiaryClassRank();
  }

  @Override
  public long beneficiaryValue() {
    ask("beneficiaryValue()");
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
