package dev.berth.testkit.asserting;

import dev.berth.api.Dimension;
import dev.berth.api.Instance;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.HostFilter;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Puts a detector around each part. */
final class AssertingPipelineBuilder implements PipelineBuilder {

  private final MisuseDetector detector;
  private final PipelineBuilder raw;
  private final ClosedClasses closed = new ClosedClasses();

  AssertingPipelineBuilder(MisuseDetector detector, PipelineBuilder raw) {
    this.detector = detector;
    this.raw = raw;
  }

  @Override
  public PipelineBuilder queue(QueueOrder order) {
    raw.queue(AssertingQueueOrder.around(detector, order));
    return this;
  }

  @Override
  public PipelineBuilder preemption(VictimOrder order, PreemptionRule rule) {
    raw.preemption(
        AssertingVictimOrder.around(detector, order, closed),
        AssertingRule.around(detector, rule, closed));
    return this;
  }

  @Override
  public PipelineBuilder allocationScore(AllocationScore score) {
    raw.allocationScore(AssertingScore.around(detector, score));
    return this;
  }

  @Override
  public PipelineBuilder preemptionCost(PreemptionCost cost) {
    raw.preemptionCost(AssertingCost.around(detector, cost));
    return this;
  }

  @Override
  public PipelineBuilder preemptStarting(boolean allowed) {
    raw.preemptStarting(allowed);
    return this;
  }

  @Override
  public PipelineBuilder minimizeVictims(boolean spare) {
    raw.minimizeVictims(spare);
    return this;
  }

  @Override
  public PipelineBuilder backfill(Backfill backfill) {
    raw.backfill(backfill);
    return this;
  }

  @Override
  public PipelineBuilder molding(Molding molding) {
    raw.molding(molding);
    return this;
  }

  @Override
  public PipelineBuilder admission(Admission admission) {
    raw.admission(admission);
    return this;
  }

  @Override
  public PipelineBuilder serve(Predicate<Instance> served) {
    raw.serve(served);
    return this;
  }

  @Override
  public PipelineBuilder filter(HostFilter filter) {
    raw.filter(
        (instance, host, now) ->
            detector.ask(
                "HostFilter.refusal",
                () -> instance.id() + " on " + host.id(),
                call -> filter.refusal(call.instance(instance), call.host(host), now)));
    return this;
  }

  @Override
  public PipelineBuilder grants(AllocationRule rule) {
    raw.grants(
        (instance, host) ->
            detector.ask(
                "AllocationRule.grant",
                () -> instance.id() + " on " + host.id(),
                call -> rule.grant(call.instance(instance), call.host(host))));
    return this;
  }

  @Override
  public PipelineBuilder ties(TieBreak ties) {
    raw.ties(ties);
    return this;
  }

  @Override
  public PipelineBuilder oversubscribe(Set<Dimension> dimensions) {
    raw.oversubscribe(dimensions);
    return this;
  }

  @Override
  public PipelineBuilder watchdog(Duration longest) {
    raw.watchdog(longest);
    return this;
  }

  @Override
  public Policy build() {
    return new Unwrapping(raw.build(), closed);
  }

  /** Unwraps the pass: a pipeline runs only on a pass of the engine. */
  private record Unwrapping(Policy pipeline, ClosedClasses closed) implements Policy {

    @Override
    public void schedule(SchedulingPass pass) {
      try {
        pipeline.schedule(ProxyView.unwrap(pass));
      } finally {
        closed.beginSeries(); // the caller may undo this run before the next
      }
    }

    @Override
    public Optional<Duration> watchdog() {
      return pipeline.watchdog();
    }

    @Override
    public Optional<PolicyMemory> memory() {
      return pipeline.memory();
    }

    @Override
    public Set<Dimension> oversubscribes() {
      return pipeline.oversubscribes();
    }
  }
}
