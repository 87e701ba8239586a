package acme.farm;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;

import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Renders frames on the hosts of a fleet. Any thread may report; the thread of {@link #run} alone
 * uses the scheduler.
 */
final class RenderFarm {

  private static final System.Logger LOG = System.getLogger(RenderFarm.class.getName());

  private final Fleet fleet;
  private final LongSupplier clock;
  private final BiConsumer<String, String> ended;
  private final Scheduler scheduler;
  private final BlockingQueue<Runnable> reports = new LinkedBlockingQueue<>();
  private boolean stopped;

  /**
   * Creates a farm without hosts.
   *
   * @param clock nanoseconds since any moment, never backwards; {@code System::nanoTime} will do
   * @param ended receives each frame that ends, and its outcome
   */
  RenderFarm(Fleet fleet, LongSupplier clock, BiConsumer<String, String> ended) {
    this.fleet = fleet;
    this.clock = clock;
    this.ended = ended;
    ServiceClass urgent = ServiceClass.builder("urgent").slo(0.9).importance(1).build();
    ServiceClass batch = ServiceClass.builder("batch").slo(0.5).importance(2).build();
    scheduler = Scheduler.builder().policy("qos-attained").serviceClasses(urgent, batch).build();
  }

  // ---- Reports, from any thread

  void hostJoined(String host, int cores, int gigabytes) {
    HostSpec spec = new HostSpec(host, resources(cores, gigabytes));
    reports.add(() -> scheduler.addHost(spec, now()));
  }

  void hostLost(String host) {
    reports.add(() -> scheduler.removeHost(host, now())); // its frames are pending again
  }

  void submit(String frame, String serviceClass, int cores, int gigabytes) {
    Request request =
        Request.builder(frame, serviceClass)
            .demand(resources(cores, gigabytes))
            .losesProgress(true) // a preempted frame is rendered again
            .maxFailures(2) // in a row; the third is one too many
            .build();
    reports.add(() -> scheduler.submit(request, now()));
  }

  void cancel(String frame) {
    reports.add(() -> scheduler.instance(frame).ifPresent(each -> end(each, "cancelled")));
  }

  void started(String frame, int attempt) {
    reports.add(
        () -> {
          Instance instance = scheduler.instance(frame).orElse(null);
          if (isCurrent(instance, attempt) && instance.state() == InstanceState.STARTING) {
            scheduler.started(frame, now());
          }
        });
  }

  void finished(String frame, int attempt) {
    reports.add(
        () -> {
          Instance instance = scheduler.instance(frame).orElse(null);
          if (isCurrent(instance, attempt)) {
            if (instance.state() == InstanceState.STARTING) {
              scheduler.started(frame, now()); // the report that it started is late, or lost
            }
            scheduler.completed(frame, now());
            ended.accept(frame, "done");
          } else if (instance != null) {
            end(instance, "done"); // it finished while it was being stopped
          }
        });
  }

  void failed(String frame, int attempt, String why) {
    reports.add(
        () -> {
          Instance instance = scheduler.instance(frame).orElse(null);
          if (isCurrent(instance, attempt)) {
            Accepted answer = scheduler.apply(new Event.FailedNow(frame), now());
            if (answer == Accepted.GAVE_UP) { // otherwise it is pending again
              ended.accept(frame, "given up: " + why);
            }
          }
        });
  }

  CompletableFuture<String> whyPending(String frame) {
    return CompletableFuture.supplyAsync(
        () -> scheduler.explain().whyPending(frame, now()).describe(), reports::add);
  }

  /** Ends {@link #run} after the reports before. */
  void stop() {
    reports.add(() -> stopped = true);
  }

  // ---- The loop, on one thread

  void run() throws InterruptedException {
    while (!stopped) {
      step(timeToNextPass());
    }
  }

  /** Waits for a report or the next pass, applies all reports, and carries a plan out if due. */
  void step(long maxWait) throws InterruptedException {
    List<Runnable> batch = new ArrayList<>();
    Runnable first = reports.poll(maxWait, TimeUnit.NANOSECONDS);
    if (first != null) {
      batch.add(first);
      reports.drainTo(batch);
    }
    for (Runnable report : batch) {
      try {
        report.run();
      } catch (EventRefusedException refused) {
        LOG.log(Level.WARNING, refused.getMessage()); // nothing has changed
      }
    }
    if (timeToNextPass() == 0) {
      carryOut(scheduler.schedule(now()));
    }
  }

  private long timeToNextPass() {
    OptionalLong next = scheduler.nextPassAt();
    return next.isPresent() ? Math.max(0, next.getAsLong() - now()) : Long.MAX_VALUE;
  }

  private void carryOut(Plan plan) {
    for (Action action : plan.actions()) {
      if (action instanceof Action.Preempt preempt) {
        fleet.stop(preempt.instance(), preempt.host());
      } else if (action instanceof Action.Place place) {
        Instance instance = scheduler.instance(place.instance()).orElseThrow();
        fleet.start(place.instance(), instance.placements(), place.host());
      } else {
        throw new IllegalStateException("this farm cannot carry out " + action);
      }
    }
  }

  /** Returns whether a report is about the latest attempt, which has not ended. */
  private static boolean isCurrent(Instance instance, int attempt) {
    return instance != null && instance.state().isOnHost() && instance.placements() == attempt;
  }

  private void end(Instance instance, String outcome) {
    instance.host().ifPresent(host -> fleet.stop(instance.id(), host.id()));
    scheduler.cancel(instance.id(), now());
    ended.accept(instance.id(), outcome);
  }

  private static Resources resources(int cores, int gigabytes) {
    return Resources.of(CPU, CPU.whole(cores), MEMORY, MEMORY.whole(gigabytes));
  }

  private long now() {
    return clock.getAsLong();
  }
}
