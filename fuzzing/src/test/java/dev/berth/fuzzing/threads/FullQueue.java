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

/** Two threads and room for one input: what is accepted is there, what is not is not. */
@JCStressTest
@Outcome(id = "accepted, accepted, 2", expect = ACCEPTABLE, desc = "one after the other")
@Outcome(id = "accepted, overloaded, 1", expect = ACCEPTABLE, desc = "the second found it full")
@Outcome(id = "overloaded, accepted, 1", expect = ACCEPTABLE, desc = "the first found it full")
@Outcome(expect = FORBIDDEN, desc = "an answer that is not true")
@State
public class FullQueue {

  private final SchedulerLoop loop = Loops.start(1);

  @Actor
  public void first(LLL_Result result) {
    result.r1 = Loops.awaited(loop.addHost(Loops.host("h1")));
  }

  @Actor
  public void second(LLL_Result result) {
    result.r2 = Loops.awaited(loop.addHost(Loops.host("h2")));
  }

  @Arbiter
  public void look(LLL_Result result) {
    result.r3 = loop.ask(scheduler -> scheduler.hosts().size()).join();
    loop.close();
  }
}
