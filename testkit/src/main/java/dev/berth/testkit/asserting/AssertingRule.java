package dev.berth.testkit.asserting;

import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.testkit.asserting.ClosedClasses.Closing;
import dev.berth.testkit.rule.Rule;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A rule that is asked twice, and on after it has closed a class: the engine is told that the
 * victim is refused, and goes on to the next; if the rule is honest that one is refused too, so the
 * same victims are found. If all is {@linkplain MisuseDetector#asksAll asked}, also about whoever
 * it need not be asked about since it {@linkplain PreemptionRule#isMonotone favours the worse off}:
 * the engine is not told that it does.
 */
final class AssertingRule implements PreemptionRule {

  private static final String UP_TO = "PreemptionRule.allowedUpTo";
  private static final String UNTIL = "PreemptionRule.refusedUntil";

  private final MisuseDetector watch;
  private final PreemptionRule rule;
  private final Declaration favours;
  private final ClosedClasses closed;
  private final RefusedPairs refused = new RefusedPairs();
  private final StandingRefusals standing = new StandingRefusals();

  AssertingRule(MisuseDetector watch, PreemptionRule rule, ClosedClasses closed) {
    this.watch = watch;
    this.rule = rule;
    this.closed = closed;
    this.favours = new Declaration(watch, "PreemptionRule.isMonotone", rule::isMonotone);
  }

  @Override
  public Verdict judge(PreemptionPair contest) {
    Closing closing = closed.closing(contest);
    Verdict verdict = closing == null ? ask(contest) : watch.quietly(() -> ask(contest));
    if (verdict.allowed()) {
      requireOpen(closing, contest, verdict);
      requireNobodyWorseOff(contest, verdict);
      requireNoStandingRefusal(contest, verdict);
      if (favours.isMade()) {
        watch.quietly(() -> requireOwnValue(contest));
      }
      return verdict;
    }
    refused.refused(contest);
    if (favours.isMade()) {
      standing.refused(contest, watch.quietly(() -> requireNotBeforeNow(contest)));
    }
    if (!verdict.closesClass()) {
      return verdict;
    }
    closed.close(contest, verdict);
    return Verdict.refuse(verdict.code(), verdict.text());
  }

  @Override
  public boolean isMonotone() {
    return !watch.asksAll() && favours.isMade();
  }

  @Override
  public long allowedUpTo(PreemptionPair contest) {
    return ask(UP_TO, contest, rule::allowedUpTo);
  }

  @Override
  public long refusedUntil(PreemptionPair contest) {
    return ask(UNTIL, contest, rule::refusedUntil);
  }

  private Verdict ask(PreemptionPair contest) {
    return ask("PreemptionRule.judge", contest, rule::judge);
  }

  private <T> T ask(String part, PreemptionPair contest, Function<PreemptionPair, T> question) {
    Supplier<String> about = () -> AssertingPreemptionPair.describe(contest);
    return watch.ask(
        part, about, call -> question.apply(new AssertingPreemptionPair(call, contest)));
  }

  private long requireOwnValue(PreemptionPair contest) {
    long upTo = allowedUpTo(contest);
    if (upTo < contest.beneficiaryValue()) {
      throw watch.broken(
          Rule.P25,
          "%s of %s is %s, but it is allowed at %s"
              .formatted(
                  UP_TO,
                  AssertingPreemptionPair.describe(contest),
                  upTo,
                  contest.beneficiaryValue()));
    }
    return upTo;
  }

  private long requireNotBeforeNow(PreemptionPair contest) {
    long until = refusedUntil(contest);
    if (until < contest.now()) {
      throw watch.broken(
          Rule.P25,
          "%s of %s is %s ns, but it is refused at %s ns"
              .formatted(UNTIL, AssertingPreemptionPair.describe(contest), until, contest.now()));
    }
    return until;
  }

  private void requireNoStandingRefusal(PreemptionPair contest, Verdict verdict) {
    StandingRefusals.Refusal refusal = standing.standing(contest);
    if (refusal != null) {
      throw watch.broken(
          Rule.P25,
          "%s of %s, asked at %s ns, was %s ns, but at %s ns it is allowed: \"%s\""
              .formatted(
                  UNTIL,
                  AssertingPreemptionPair.describe(contest),
                  refusal.from(),
                  refusal.until(),
                  contest.now(),
                  verdict.code()));
    }
  }

  private void requireOpen(@Nullable Closing closing, PreemptionPair contest, Verdict verdict) {
    if (closing != null) {
      throw watch.broken(
          Rule.P25,
          "for %s, the verdict \"%s\" on %s closes class %s, %s, but %s, later there, is allowed: \"%s\""
              .formatted(
                  contest.beneficiary().id(),
                  closing.verdict().code(),
                  closing.victim().id(),
                  contest.victim().serviceClass().name(),
                  contest.victim().state(),
                  contest.victim().id(),
                  verdict.code()));
    }
  }

  private void requireNobodyWorseOff(PreemptionPair contest, Verdict verdict) {
    RefusedPairs.Refused other = favours.isMade() ? refused.worseOff(contest) : null;
    if (other != null) {
      throw watch.broken(
          Rule.P25,
          "the rule says it favours the worse off, but %s, at %s, may not preempt %s, and %s, at %s, may: \"%s\""
              .formatted(
                  other.beneficiary().id(),
                  other.value(),
                  contest.victim().id(),
                  contest.beneficiary().id(),
                  contest.beneficiaryValue(),
                  verdict.code()));
    }
  }
}
