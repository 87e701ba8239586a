package dev.berth.policies.baselines;

import dev.berth.api.Instance;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A pipeline that packs, and that serves in another order where a request would wait because of
 * that order.
 *
 * <p>If a pass leaves requests waiting that others of the pass have taken the room of, it is a
 * trial: its actions are undone, and the kinds of requests that waited come earlier in the next
 * one. This repeats until no kind could have more hosts, or until trials do not get better. The
 * best trial counts, first for the most important requests (<i>squeaky wheel optimization</i>,
 * Joslin and Clements, 1999). Instances that are already on hosts never move.
 *
 * <p>A pass costs that of the pipeline if no request waits, and otherwise O(pending) more. A trial
 * costs the same again, and O(kinds that wait · hosts used in the pass).
 */
final class BinPacking implements Policy {

  private final Policy pipeline;
  private Predicate<Instance> turn = each -> true; // which instances the pipeline serves

  /**
   * Creates the policy.
   *
   * @param pipeline serves all that are pending
   */
  BinPacking(PipelineBuilder pipeline) {
    this.pipeline = pipeline.serve(each -> turn.test(each)).build();
  }

  @Override
  public void schedule(SchedulingPass pass) {
    PackingOrder order = new PackingOrder(pass.pending());
    do {
      try (SchedulingPass.Fork trial = pass.fork()) {
        place(trial, order);
        if (!order.learn()) {
          trial.keep();
          return;
        }
      }
    } while (order.isWorthATrial());
    order.useBest();
    place(pass, order);
  }

  private void place(SchedulingPass pass, PackingOrder order) {
    for (Predicate<Instance> each : order.turns()) {
      turn = each;
      pipeline.schedule(pass);
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
}
