package dev.berth.fuzzing.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.berth.runtime.SchedulerLoop;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Two threads submit the same host: one is refused, and the scheduler has one. */
@JCStressTest
@Outcome(id = "accepted, refused, 1", expect = ACCEPTABLE, desc = "the first thread was first")
@Outcome(id = "refused, accepted, 1", expect = ACCEPTABLE, desc = "the second thread was first")
@Outcome(expect = FORBIDDEN, desc = "both or neither")
@State
public class SubmitTwice {

  private final SchedulerLoop loop = Loops.start(10);

  @Actor
  public void first(LLL_Result result) {
    result.r1 = Loops.awaited(loop.addHost(Loops.host("h1")));
  }

  @Actor
  public void second(LLL_Result result) {
    result.r2 = Loops.awaited(loop.addHost(Loops.host("h1")));
  }

  @Arbiter
  public void look(LLL_Result result) {
    result.r3 = loop.ask(scheduler -> scheduler.hosts().size()).join();
    loop.close();
  }
}
