package acme;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/** Serves important classes first, and preempts less important instances that lose little work. */
final class LeastLost implements PolicyFactory<LeastLost.Config> {

  /** Instances that have run for longer than {@code most} are not preempted. */
  record Config(Duration most) {}

  @Override
  public String id() {
    return "acme.least-lost";
  }

  @Override
  public String summary() {
    return "preempts the instances that have run for the shortest time";
  }

  @Override
  public Config defaults() {
    return new Config(Duration.ofHours(1));
  }

  @Override
  public Policy create(Config config, PolicyContext context) {
    AllocationScore room = AllocationScores.leastRequested();
    ResourceScore tightest = fit -> 1 - room.score(fit);
    return context
        .pipeline()
        .queue(new ImportantFirst())
        .preemption(new LatestStart(), new LittleWork(config.most().toNanos()))
        .preemptionCost(new WorkLost())
        .allocationScore(tightest)
        .build();
  }

  /** The most important class first; within a class, in order of admission. */
  private static final class ImportantFirst implements QueueOrder {
    @Override
    public int tier(Instance pending, long now) {
      return pending.serviceClass().importance();
    }

    @Override
    public long key(Instance pending) {
      return pending.admittedAt();
    }
  }

  /** The latest start first. The value of a running instance is when it started. */
  private static final class LatestStart implements VictimOrder {
    @Override
    public long key(Instance instance) {
      return instance.stateSince();
    }

    @Override
    public long drift(ServiceClass serviceClass, InstanceState state, long now) {
      return 0; // the value does not change while the instance runs
    }
  }

  /** Less important instances that have not run for long. */
  private record LittleWork(long most) implements MonotonePreemptionRule {
    private static final Verdict ALLOWED = Verdict.allow("little-work", "with little work to lose");
    private static final Verdict AS_IMPORTANT = Verdict.refuseRest("importance", "as important");
    private static final Verdict MUCH_WORK = Verdict.refuseRest("work", "with work to lose");

    @Override
    public Verdict judge(PreemptionPair pair) {
      int importance = pair.beneficiary().serviceClass().importance();
      if (pair.victim().serviceClass().importance() <= importance) {
        return AS_IMPORTANT; // and so is each later victim of that class
      }
      return pair.now() - pair.victimValue() <= most ? ALLOWED : MUCH_WORK; // later ones ran longer
    }

    @Override
    public long allowedUpTo(PreemptionPair pair) {
      return Long.MAX_VALUE; // the value of the beneficiary does not matter
    }

    @Override
    public long refusedUntil(PreemptionPair pair) {
      return Long.MAX_VALUE; // no victim becomes less important, or runs for a shorter time
    }
  }

  /** The time that all victims together have run for. */
  private static final class WorkLost implements VictimCost {
    @Override
    public int width(int classes) {
      return 1;
    }

    @Override
    public void add(PreemptionPair pair, double[] tuple) {
      tuple[0] += pair.now() - pair.victimValue();
    }
  }
}
