package dev.berth.fuzzing.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.berth.runtime.SchedulerLoop;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Inputs and questions beside the end of a loop: once it has ended, none is left open. */
@JCStressTest
@Outcome(id = "(accepted|stopped), (accepted|stopped)", expect = ACCEPTABLE, desc = "answered")
@Outcome(expect = FORBIDDEN, desc = "open, or another answer")
@State
public class SubmitAndClose {

  private final SchedulerLoop loop = Loops.start(10);
  private CompletableFuture<?> input;
  private CompletableFuture<?> question;

  @Actor
  public void submit() {
    input = loop.addHost(Loops.host("h1"));
    question = loop.ask(scheduler -> scheduler.hosts().size());
  }

  @Actor
  public void close() {
    loop.close();
  }

  @Arbiter
  public void look(LL_Result result) {
    result.r1 = Loops.found(input);
    result.r2 = Loops.found(question);
  }
}
