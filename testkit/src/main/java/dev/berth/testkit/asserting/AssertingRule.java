package dev.berth.testkit.asserting;

import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.testkit.asserting.ClosedClasses.Closing;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks a rule twice, and continues to ask after it has closed a class. The engine hears that the
 * victim is refused and continues with the next. If the rule keeps its promise, that one is refused
 * too, so the engine finds the same victims.
 */
class AssertingRule implements PreemptionRule {

  private static final String UP_TO = "MonotonePreemptionRule.allowedUpTo";
  private static final String UNTIL = "MonotonePreemptionRule.refusedUntil";

  private final MisuseDetector detector;
  private final PreemptionRule rule;
  private final @Nullable MonotonePreemptionRule monotone; // the same rule, if it is one
  private final ClosedClasses closed;
  private final RefusedPairs refused = new RefusedPairs();
  private final StandingRefusals standing = new StandingRefusals();

  private AssertingRule(MisuseDetector detector, PreemptionRule rule, ClosedClasses closed) {
    this.detector = detector;
    this.rule = rule;
    this.monotone = rule instanceof MonotonePreemptionRule it ? it : null;
    this.closed = closed;
  }

  /**
   * Wraps a rule. The wrapper is a {@link MonotonePreemptionRule} if the rule is, unless
   * {@linkplain MisuseDetector#asksAll all is asked}: then the engine also judges the pairs that it
   * could skip.
   */
  static PreemptionRule around(MisuseDetector detector, PreemptionRule rule, ClosedClasses closed) {
    return rule instanceof MonotonePreemptionRule && !detector.asksAll()
        ? new Monotone(detector, rule, closed)
        : new AssertingRule(detector, rule, closed);
  }

  private static final class Monotone extends AssertingRule implements MonotonePreemptionRule {
    Monotone(MisuseDetector detector, PreemptionRule rule, ClosedClasses closed) {
      super(detector, rule, closed);
    }
  }

  @Override
  public Verdict judge(PreemptionPair pair) {
    Closing closing = closed.closing(pair);
    Verdict verdict = closing == null ? ask(pair) : detector.quietly(() -> ask(pair));
    if (verdict.allowed()) {
      requireOpen(closing, pair, verdict);
      requireMonotone(pair, verdict);
      requireNoStandingRefusal(pair, verdict);
      if (monotone != null) {
        detector.quietly(() -> requireOwnValue(pair));
      }
      return verdict;
    }
    refused.refused(pair);
    if (monotone != null) {
      standing.refused(pair, detector.quietly(() -> requireNotBeforeNow(pair)));
    }
    if (!verdict.closesClass()) {
      return verdict;
    }
    closed.close(pair, verdict);
    return Verdict.refuse(verdict.code(), verdict.text());
  }

  @Override
  public String explain(PreemptionPair pair, Verdict verdict) {
    return ask("PreemptionRule.explain", pair, each -> rule.explain(each, verdict));
  }

  /** Asks a monotone rule up to which value it allows a pair. */
  public final long allowedUpTo(PreemptionPair pair) {
    return ask(UP_TO, pair, Objects.requireNonNull(monotone)::allowedUpTo);
  }

  /** Asks a monotone rule until when it refuses a pair. */
  public final long refusedUntil(PreemptionPair pair) {
    return ask(UNTIL, pair, Objects.requireNonNull(monotone)::refusedUntil);
  }

  private Verdict ask(PreemptionPair pair) {
    return ask("PreemptionRule.judge", pair, rule::judge);
  }

  private <T> T ask(String part, PreemptionPair pair, Function<PreemptionPair, T> question) {
    return detector.ask(
        part, () -> describe(pair), call -> question.apply(ProxyView.pair(call, pair, false)));
  }

  /** Returns the ids of a pair. */
  static String describe(PreemptionPair pair) {
    return "%s for %s".formatted(pair.victim().id(), pair.beneficiary().id());
  }

  private RuleBroken broken(String format, Object... values) {
    return detector.broken(Rule.P25.broken(format, values));
  }

  private long requireOwnValue(PreemptionPair pair) {
    long upTo = allowedUpTo(pair);
    if (upTo < pair.beneficiaryValue()) {
      throw broken(
          "%s of %s is %s, but it is allowed at %s",
          UP_TO, describe(pair), upTo, pair.beneficiaryValue());
    }
    return upTo;
  }

  private long requireNotBeforeNow(PreemptionPair pair) {
    long until = refusedUntil(pair);
    if (until < pair.now()) {
      throw broken(
          "%s of %s is %s ns, but it is refused at %s ns",
          UNTIL, describe(pair), until, pair.now());
    }
    return until;
  }

  private void requireNoStandingRefusal(PreemptionPair pair, Verdict verdict) {
    StandingRefusals.Refusal refusal = standing.standing(pair);
    if (refusal != null) {
      throw broken(
          "%s of %s, asked at %s ns, was %s ns, but at %s ns it is allowed: \"%s\"",
          UNTIL, describe(pair), refusal.from(), refusal.until(), pair.now(), verdict.code());
    }
  }

  private void requireOpen(@Nullable Closing closing, PreemptionPair pair, Verdict verdict) {
    if (closing != null) {
      throw broken(
          "for %s, the verdict \"%s\" on %s closes class %s, %s, but %s, later there, is"
              + " allowed: \"%s\"",
          pair.beneficiary().id(),
          closing.verdict().code(),
          closing.victim().id(),
          pair.victim().serviceClass().name(),
          pair.victim().state(),
          pair.victim().id(),
          verdict.code());
    }
  }

  private void requireMonotone(PreemptionPair pair, Verdict verdict) {
    RefusedPairs.Refused other = monotone != null ? refused.lesser(pair) : null;
    if (other != null) {
      throw broken(
          "a MonotonePreemptionRule refuses %s, with value %s, the victim %s, but allows it %s,"
              + " with value %s: \"%s\"",
          other.beneficiary().id(),
          other.value(),
          pair.victim().id(),
          pair.beneficiary().id(),
          pair.beneficiaryValue(),
          verdict.code());
    }
  }
}
