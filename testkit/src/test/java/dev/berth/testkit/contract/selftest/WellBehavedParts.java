package dev.berth.testkit.contract.selftest;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A pipeline that breaks no rule, and its parts, which broken subjects replace one by one. */
final class WellBehavedParts {

  static final Reason NO_ROOM = new Reason.PolicyChoice("no-room", "no host has room for it");

  private static final double MOST_RESTARTS = 0.025; // a share of a life

  private static final Verdict YES = Verdict.allow("yes", "has the weaker claim");
  private static final Verdict NO = Verdict.refuse("no", "has the better claim");

  private WellBehavedParts() {}

  /** Asks on a new thread; a pool might run the task on the waiting thread. */
  static <T> T elsewhere(Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, task -> new Thread(task).start()).join();
  }

  /** Preempts instances with the weaker claim, starting ones included, and defers the rest. */
  static Policy wellBehaved(PolicyContext context, Duration watchdog) {
    return deferring(pipeline(context).watchdog(watchdog).build());
  }

  static PipelineBuilder pipeline(PolicyContext context) {
    return preempting(context, WellBehavedParts::weaker);
  }

  static PipelineBuilder preempting(PolicyContext context, Predicate<PreemptionPair> rule) {
    return context.pipeline().preemption(new LatestFirst(), allowing(rule)).preemptStarting(true);
  }

  static PreemptionRule allowing(Predicate<PreemptionPair> rule) {
    return pair -> rule.test(pair) ? YES : NO;
  }

  private static Policy deferring(Policy policy) {
    return new Policy() {
      @Override
      public void schedule(SchedulingPass pass) {
        policy.schedule(pass);
        pass.pending().forEach(each -> pass.defer(each, NO_ROOM));
      }

      @Override
      public Optional<PolicyMemory> memory() {
        return policy.memory();
      }

      @Override
      public Optional<Duration> watchdog() {
        return policy.watchdog();
      }
    };
  }

  /** Runs something before each pass. */
  static Policy before(Policy policy, Runnable first) {
    return pass -> {
      first.run();
      policy.schedule(pass);
    };
  }

  /** Considers the latest admitted first. */
  static class LatestFirst implements VictimOrder {
    @Override
    public long key(Instance instance) {
      return instance.admittedAt();
    }

    @Override
    public long drift(ServiceClass serviceClass, InstanceState state, long now) {
      return 0;
    }
  }

  /** Returns whether all rules allow a preemption. */
  static boolean weaker(PreemptionPair pair) {
    Instance victim = pair.victim();
    long since = victim.stateSince();
    boolean spares =
        !victim.request().losesProgress() && pair.now() - since >= victim.serviceTime(since) / 20;
    return switching(pair) && (isMoreImportant(pair) || spares);
  }

  /** Returns whether the rules of QoS-driven scheduling and the limit of P41 allow a preemption. */
  static boolean switching(PreemptionPair pair) {
    return byMargins(pair) && (!ofOneClass(pair) || withinLimit(pair)) && boundsSwitching(pair);
  }

  /** Returns whether the limit of P41 allows a preemption. */
  static boolean boundsSwitching(PreemptionPair pair) {
    return isMoreImportant(pair) || hasRestarted(pair, MOST_RESTARTS);
  }

  private static boolean isMoreImportant(PreemptionPair pair) {
    return pair.beneficiary().serviceClass().importance()
        < pair.victim().serviceClass().importance();
  }

  /** Returns whether restarts, less an average one, took at most a share of the victim's life. */
  static boolean hasRestarted(PreemptionPair pair, double most) {
    Instance victim = pair.victim();
    double others = (victim.preemptions() - 1) / (double) Math.max(1, victim.preemptions());
    double life = (double) (pair.now() - victim.admittedAt());
    return (double) victim.restartOverhead() * others <= most * life;
  }

  // ---- The rules of QoS-driven scheduling, section 3.3.1

  static boolean byMargins(PreemptionPair pair) {
    long j = slack(pair.beneficiary(), pair);
    long k = slack(pair.victim(), pair);
    if (!endangered(pair.victim(), pair)) {
      return j < k;
    }
    int rankJ = pair.beneficiary().serviceClass().importance();
    int rankK = pair.victim().serviceClass().importance();
    return endangered(pair.beneficiary(), pair) && (rankJ < rankK || (rankJ == rankK && j < k));
  }

  private static boolean ofOneClass(PreemptionPair pair) {
    return pair.beneficiaryClassRank() == pair.victimClassRank();
  }

  private static boolean withinLimit(PreemptionPair pair) {
    return pair.victim().preemptionOverhead(pair.now())
        <= pair.victim().serviceClass().preemptionOverheadLimit();
  }

  /** Returns whether an instance is within its margin. */
  static boolean endangered(Instance instance, PreemptionPair pair) {
    return slack(instance, pair) < instance.serviceClass().safetyMargin().toNanos();
  }

  /** Returns Q. */
  private static long slack(Instance instance, PreemptionPair pair) {
    return instance.earnedTime(pair.now()) - (pair.now() - instance.admittedAt());
  }
}
