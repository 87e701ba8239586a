package dev.berth.fuzzing.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two threads use one scheduler, or one pass, against the rules: each overlap is refused. */
class ConcurrentCallsTest {

  private static final int CALLS = 300; // of each thread on a scheduler
  private static final ExecutorService THREADS =
      Executors.newFixedThreadPool(
          2,
          work -> {
            Thread thread = new Thread(work, "caller");
            thread.setDaemon(true);
            return thread;
          });

  @AfterAll
  static void endThreads() {
    THREADS.shutdown();
  }

  /** What a thread achieved. */
  private record Calls(int made, int overlaps, int submitted, int ended, int passes) {

    Calls plus(Calls more) {
      return new Calls(
          made + more.made,
          overlaps + more.overlaps,
          submitted + more.submitted,
          ended + more.ended,
          passes + more.passes);
    }
  }

  @Test
  void overlappingCallsDamageNoScheduler() throws Exception {
    hammer(60);
  }

  /** The number of schedulers is set with {@code -Dberth.hostile.schedulers}. */
  @Test
  @Tag("long")
  void overlappingCallsDamageNoSchedulerForLong() throws Exception {
    assertThat(hammer(Integer.getInteger("berth.hostile.schedulers", 1_845)).overlaps)
        .as("overlaps")
        .isPositive();
  }

  private static Calls hammer(int schedulers) throws Exception {
    Calls all = new Calls(0, 0, 0, 0, 0);
    for (int i = 0; i < schedulers; i++) {
      Scheduler scheduler = scheduler(firstFit());
      for (int host = 0; host < 4; host++) {
        scheduler.addHost(new HostSpec("h" + host, cores(4)), 0);
      }
      CyclicBarrier start = new CyclicBarrier(2);
      int seed = i;
      Calls both =
          both(
              () -> calls(scheduler, "a", new Random(2L * seed), start),
              () -> calls(scheduler, "b", new Random(2L * seed + 1), start));
      StateLaws.check(scheduler);
      assertThat(scheduler.instances()).hasSize(both.submitted - both.ended);
      assertThat(scheduler.passes()).isEqualTo(both.passes);
      scheduler.schedule(0);
      StateLaws.check(scheduler);
      all = all.plus(both);
    }
    System.out.println(schedulers + " schedulers: " + all); // of interest if the size was set
    return all;
  }

  private static Calls both(Callable<Calls> one, Callable<Calls> other) throws Exception {
    Future<Calls> first = THREADS.submit(one);
    Future<Calls> second = THREADS.submit(other);
    try {
      return first.get().plus(second.get());
    } catch (ExecutionException failed) {
      throw new AssertionError("a call failed otherwise than documented", failed.getCause());
    }
  }

  private static Calls calls(Scheduler scheduler, String name, Random random, CyclicBarrier start)
      throws Exception {
    int overlaps = 0;
    int submitted = 0;
    int ended = 0;
    int passes = 0;
    start.await();
    for (int i = 0; i < CALLS; i++) {
      try {
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> {
            scheduler.submit(Request.builder(name + i, "gold").demand(cores(1)).build(), 0);
            submitted++;
          }
          case 3 -> {
            scheduler.schedule(0);
            passes++;
          }
          case 4 -> {
            scheduler.cancel(name + random.nextInt(i + 1), 0);
            ended++;
          }
          case 5 -> scheduler.started(name + random.nextInt(i + 1), 0);
          case 6 -> scheduler.explain().whyPending(name + random.nextInt(i + 1), 0);
          default -> {
            scheduler.hosts();
            scheduler.instance(name + i);
            scheduler.nextPassAt();
          }
        }
      } catch (EventRefusedException refused) {
        // unknown, done, or in another state
      } catch (IllegalStateException overlap) {
        overlaps++;
      }
    }
    return new Calls(CALLS, overlaps, submitted, ended, passes);
  }

  @Test
  void threadsOfAPolicyDamageNoPass() throws Exception {
    leak(100);
  }

  /** The number of passes is set with {@code -Dberth.hostile.leaks}. */
  @Test
  @Tag("long")
  void threadsOfAPolicyDamageNoPassForLong() throws Exception {
    leak(Integer.getInteger("berth.hostile.leaks", 2_647));
  }

  /** Runs passes whose policy lets another thread act on the pass at the same time. */
  private static void leak(int passes) throws Exception {
    List<String> accepted = new ArrayList<>(); // of the other threads
    for (int i = 0; i < passes; i++) {
      Policy firstFit = firstFit();
      Scheduler[] own = new Scheduler[1];
      Scheduler scheduler =
          scheduler(
              pass -> {
                AtomicBoolean over = new AtomicBoolean();
                Future<?> leaked = THREADS.submit(() -> use(pass, own[0], over, accepted));
                try {
                  firstFit.schedule(pass);
                } finally {
                  over.set(true);
                  await(leaked);
                }
              });
      own[0] = scheduler;
      for (int each = 0; each < 8; each++) {
        scheduler.addHost(new HostSpec("h" + each, cores(4)), 0);
        scheduler.submit(Request.builder("r" + each, "gold").demand(cores(3)).build(), 0);
      }
      assertThat(scheduler.schedule(0).actions()).as("pass %d", i).hasSize(8);
      assertThat(accepted).isEmpty();
      StateLaws.check(scheduler);
    }
  }

  private static void use(
      SchedulingPass pass, Scheduler scheduler, AtomicBoolean over, List<String> accepted) {
    do {
      HostilePolicy.refuses(accepted, "pending", pass::pending);
      HostilePolicy.refuses(accepted, "fork", pass::fork);
      HostilePolicy.refuses(accepted, "schedule", () -> scheduler.schedule(0));
      HostilePolicy.refuses(accepted, "cancel", () -> scheduler.cancel("r0", 0));
      HostilePolicy.refuses(accepted, "hosts", scheduler::hosts);
    } while (!over.get());
  }

  private static void await(Future<?> work) {
    try {
      work.get();
    } catch (InterruptedException | ExecutionException failed) {
      throw new AssertionError(failed);
    }
  }

  private static Policy firstFit() {
    return pass -> {
      for (Instance each : pass.pending()) {
        for (Host host : pass.hosts()) {
          if (pass.place(each, host).accepted()) {
            break;
          }
        }
      }
    };
  }

  private static Scheduler scheduler(Policy policy) {
    return Scheduler.builder()
        .policy("test", context -> policy)
        .serviceClasses(ServiceClass.builder("gold").build())
        .build();
  }

  private static Resources cores(long cores) {
    return Resources.of(Dimension.CPU, cores * 1_000_000_000);
  }
}
