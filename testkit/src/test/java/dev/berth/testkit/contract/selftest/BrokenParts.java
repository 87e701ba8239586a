package dev.berth.testkit.contract.selftest;

import dev.berth.api.Instance;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Pipelines with one part that breaks a rule. */
final class BrokenParts {

  private BrokenParts() {}

  // ---- P23

  @Breaks(
      value = Rule.P23,
      says = "AllocationScore\\.score of r\\d+ on h\\d answered 1.0, and asked again 2.0",
      events = 6)
  static class ScoreChangesWithEachCall extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      AtomicInteger calls = new AtomicInteger();
      return context.pipeline().allocationScore(fit -> calls.incrementAndGet()).build();
    }
  }

  @Breaks(
      value = Rule.P23,
      says = "AllocationScore\\.score of r\\d+ on h\\d is not a number",
      events = 6)
  static class ScoreDividesByZero extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return context
          .pipeline()
          .allocationScore(
              fit -> fit.dimensions() == 0 ? 0 : (double) fit.used(0) / fit.capacity(0))
          .build();
    }
  }

  @Breaks(
      value = Rule.P23,
      says = "dimensions\\(\\) of the fit is used when the call of AllocationScore\\.score is over",
      events = 6)
  static class ScoreKeepsItsFit extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      List<AllocationScore.Fit> kept = new ArrayList<>();
      return context
          .pipeline()
          .allocationScore(
              fit -> {
                kept.add(fit);
                return kept.stream().filter(each -> each.dimensions() > 0).count();
              })
          .build();
    }
  }

  @Breaks(
      value = Rule.P23,
      says = "QueueOrder\\.key of r\\d+ answered \\d+, and asked again \\d+",
      events = 6)
  static class QueueKeyChangesWithEachCall extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      AtomicLong calls = new AtomicLong();
      return context.pipeline().queue(pending -> calls.incrementAndGet()).build();
    }
  }

  @Breaks(
      value = Rule.P23,
      says = "PreemptionCost\\.add of r\\d+ for r\\d+ makes \\[NaN\\], which are not all numbers",
      events = 8)
  static class CostIsNan extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.pipeline(context)
          .preemptionCost(cost((pair, tuple) -> tuple[0] = Math.sqrt(-1)))
          .build();
    }
  }

  @Breaks(
      value = Rule.P23,
      says = "victim\\(\\) of the pair is used when the call of PreemptionCost\\.add is over",
      events = 8)
  static class CostKeepsItsPair extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      List<PreemptionPair> kept = new ArrayList<>();
      return WellBehavedParts.pipeline(context)
          .preemptionCost(
              cost(
                  (pair, tuple) -> {
                    kept.add(pair);
                    tuple[0] += kept.get(0).victim().placements();
                  }))
          .build();
    }
  }

  @Breaks(
      value = Rule.P23,
      says =
          "\\w+\\(\\) of the pair is used on thread \\S+, but the call of PreemptionRule\\.judge"
              + " is on thread \\S+",
      events = 7)
  static class RuleUsesAnotherThread extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(
              context, pair -> WellBehavedParts.elsewhere(() -> WellBehavedParts.weaker(pair)))
          .build();
    }
  }

  // ---- P24

  @Breaks(
      value = Rule.P24,
      says = "QueueOrder\\.key of r\\d+, PENDING since \\S+ ns, was \\S+ and is \\S+ now",
      events = 6)
  static class QueueKeysChange extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      AtomicLong passes = new AtomicLong();
      Policy pipeline = context.pipeline().queue(pending -> passes.get()).build();
      return WellBehavedParts.before(pipeline, passes::incrementAndGet);
    }
  }

  @Breaks(
      value = Rule.P24,
      says = "VictimOrder\\.key of r\\d+, \\w+ since \\S+ ns, was \\S+ and is \\S+ now",
      events = 6)
  static class VictimKeysChange extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      AtomicLong passes = new AtomicLong();
      Policy pipeline =
          context
              .pipeline()
              .preemption(
                  new WellBehavedParts.LatestFirst() {
                    @Override
                    public long key(Instance instance) {
                      return instance.admittedAt() / 2 + passes.get();
                    }
                  },
                  WellBehavedParts.allowing(WellBehavedParts::weaker))
              .build();
      return WellBehavedParts.before(pipeline, passes::incrementAndGet);
    }
  }

  // ---- P25

  @Breaks(
      value = Rule.P25,
      says =
          "for r\\d+, the verdict \"odd\" on r\\d+ closes class \\w+, \\w+, but r\\d+, later there,"
              + " is allowed: \"even\"",
      events = 12)
  static class ClosesTheClassTooEarly extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return context
          .pipeline()
          .preemption(
              new WellBehavedParts.LatestFirst(),
              pair ->
                  pair.victim().id().hashCode() % 2 == 0
                      ? Verdict.allow("even", "of an even name")
                      : Verdict.refuseRest("odd", "of an odd name"))
          .preemptStarting(true)
          .build();
    }
  }

  @Breaks(
      value = Rule.P25,
      says = "a ResourceScore must ask for resources only, but it asks host\\(\\) of the fit",
      events = 3)
  static class ResourceScoreReadsTheHost extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return context
          .pipeline()
          .allocationScore(byResources(fit -> fit.host().id().length(), 99))
          .build();
    }
  }

  @Breaks(
      value = Rule.P25,
      says = "ResourceScore\\.upperBound of \\[.*\\] is 0.5, but a host there scores 1.0",
      events = 3)
  static class ResourceScoreExceedsItsUpperBound extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return context.pipeline().allocationScore(byResources(fit -> 1, 0.5)).build();
    }
  }

  @Breaks(
      value = Rule.P25,
      says =
          "a VictimCost must not ask for the beneficiary, but it asks beneficiaryValue\\(\\) of the pair",
      events = 8)
  static class VictimCostReadsTheBeneficiary extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      PreemptionCost cost =
          new VictimCost() {
            @Override
            public int width(int classes) {
              return 1;
            }

            @Override
            public void add(PreemptionPair pair, double[] tuple) {
              tuple[0] += pair.beneficiaryValue();
            }
          };
      return WellBehavedParts.pipeline(context).preemptionCost(cost).build();
    }
  }

  @Breaks(
      value = Rule.P25,
      says =
          "MonotonePreemptionRule\\.allowedUpTo of r\\d+ for r\\d+ is -?\\d+, but it is allowed at -?\\d+",
      events = 8)
  static class AllowedUpToIsTooLow extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return context
          .pipeline()
          .preemption(
              new WellBehavedParts.LatestFirst(),
              new DatedRule(pair -> true) {
                @Override
                public long allowedUpTo(PreemptionPair pair) {
                  return pair.beneficiaryValue() - 1;
                }
              })
          .preemptStarting(true)
          .build();
    }
  }

  @Breaks(
      value = Rule.P25,
      says =
          "MonotonePreemptionRule\\.refusedUntil of r\\d+ for r\\d+ is -?\\d+ ns, but it is refused at \\d+"
              + " ns",
      events = 8)
  static class RefusedUntilIsInThePast extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return context
          .pipeline()
          .preemption(
              new WellBehavedParts.LatestFirst(),
              new DatedRule(pair -> false) {
                @Override
                public long refusedUntil(PreemptionPair pair) {
                  return pair.now() - 1;
                }
              })
          .preemptStarting(true)
          .build();
    }
  }

  @Breaks(
      value = Rule.P25,
      says =
          "MonotonePreemptionRule\\.refusedUntil of r\\d+ for r\\d+, asked at -?\\d+ ns, was -?\\d+ ns, but at"
              + " -?\\d+ ns it is allowed: \"yes\"",
      events = 12)
  static class AllowsBeforeRefusedUntil extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return context
          .pipeline()
          .preemption(
              new WellBehavedParts.LatestFirst(),
              new DatedRule(pair -> Long.hashCode(pair.now()) % 2 == 0) {
                @Override
                public long refusedUntil(PreemptionPair pair) {
                  return Long.MAX_VALUE;
                }
              })
          .preemptStarting(true)
          .build();
    }
  }

  // ---- Shared parts

  /** A monotone rule that ignores the values and declares when its verdicts change. */
  private abstract static class DatedRule implements MonotonePreemptionRule {

    private final PreemptionRule rule;

    DatedRule(Predicate<PreemptionPair> rule) {
      this.rule = WellBehavedParts.allowing(rule);
    }

    @Override
    public Verdict judge(PreemptionPair pair) {
      return rule.judge(pair);
    }
  }

  private static ResourceScore byResources(AllocationScore score, double bound) {
    return new ResourceScore() {
      @Override
      public double score(Fit fit) {
        return score.score(fit);
      }

      @Override
      public double upperBound(Fit least, Fit most) {
        return bound;
      }
    };
  }

  /** Adds the cost of a victim. */
  private interface Adder {
    void add(PreemptionPair pair, double[] tuple);
  }

  private static PreemptionCost cost(Adder adder) {
    return new PreemptionCost() {
      @Override
      public int width(int classes) {
        return 1;
      }

      @Override
      public void add(PreemptionPair pair, double[] tuple) {
        adder.add(pair, tuple);
      }
    };
  }
}
