package dev.berth.fuzzing.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.berth.runtime.SchedulerLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Wishes and the status beside a drain: each is answered, and the loop ends. */
@JCStressTest
@Outcome(
    id = "stopped, (accepted|stopped), (RUNNING|DRAINING|STOPPED)",
    expect = ACCEPTABLE,
    desc = "answered; the fleet never says what there is")
@Outcome(expect = FORBIDDEN, desc = "open, or another answer")
@State
public class DrainAndWish {

  private final SchedulerLoop loop = Loops.start(10);
  private CompletableFuture<?> comparison;
  private CompletableFuture<?> snapshot;

  @Actor
  public void wish(LLL_Result result) {
    comparison = loop.reconcile();
    snapshot = loop.saveSnapshot();
    result.r3 = loop.status().phase();
  }

  @Actor
  public void drain() {
    try {
      loop.shutDown(Duration.ofMillis(1));
    } catch (InterruptedException stray) {
      throw new AssertionError(stray);
    }
  }

  @Arbiter
  public void look(LLL_Result result) {
    result.r1 = Loops.found(comparison);
    result.r2 = Loops.found(snapshot);
  }
}
