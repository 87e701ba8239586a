package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Attempt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A scheduler that gets its reports late, with the times at which things happened, accounts as one
 * that gets them at once. A report comes before the next decision about its instance, and the
 * reports of an instance come in order.
 */
class LateReportsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "a test");
  private static final int INSTANCES = 4;

  /** Something that happens to an instance, and when the scheduler learns of it. */
  private record Happening(String what, int instance, int attempt, long at, long told) {}

  /** The times must be told in this order; of one time, in the order of making. */
  private static List<Happening> inOrder(List<Happening> all, boolean late) {
    List<Happening> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingLong(each -> late ? each.told : each.at));
    return sorted;
  }

  @Property(tries = 500)
  void accountsAsIfToldAtOnce(@ForAll Random random) {
    List<Happening> all = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      all.addAll(life(i, random));
    }
    Run truthful = new Run(inOrder(all, false), false);
    Run late = new Run(inOrder(all, true), true);
    long end = 1 + Math.max(truthful.now, late.now);

    assertThat(late.reports).containsExactlyInAnyOrderElementsOf(truthful.reports);
    assertThat(late.accounts(end)).isEqualTo(truthful.accounts(end));
  }

  private static List<Happening> life(int instance, Random random) {
    List<Happening> life = new ArrayList<>();
    long at = 0;
    long told = 0;
    int attempt = 0;
    for (int turn = 0; turn < 3; turn++) {
      at = told + gap(random);
      life.add(new Happening("place", instance, ++attempt, at, at));
      told = at;
      if (random.nextInt(4) > 0) {
        at += gap(random);
        told = Math.max(told, at) + delay(random);
        life.add(new Happening("started", instance, attempt, at, told));
        if (random.nextInt(3) == 0) {
          at = told + gap(random); // a decision comes after the reports
          told = at;
          boolean suspends = random.nextBoolean();
          life.add(new Happening(suspends ? "suspend" : "pause", instance, attempt, at, at));
          if (random.nextBoolean()) {
            at += gap(random);
            life.add(new Happening("resume", instance, ++attempt, at, at));
            at += gap(random);
            told = at + delay(random);
            life.add(new Happening("started", instance, attempt, at, told));
          }
        }
      }
      boolean preempts = random.nextInt(3) == 0;
      at = (preempts ? told : at) + gap(random);
      told = preempts ? at : Math.max(told, at) + delay(random);
      if (!preempts && turn == 2 && random.nextBoolean()) {
        life.add(new Happening("completed", instance, attempt, at, told));
      } else if (preempts && !life.get(life.size() - 1).what.equals("suspend")) {
        life.add(new Happening("preempt", instance, attempt, at, at));
      } else {
        life.add(new Happening("failed", instance, attempt, at, told));
      }
    }
    return life;
  }

  private static long gap(Random random) {
    return 1L + random.nextInt(50);
  }

  private static long delay(Random random) {
    return random.nextBoolean() ? 0 : random.nextInt(200);
  }

  /** A scheduler to which all happens. */
  private static final class Run {

    private final Cluster cluster = Cluster.byHand();
    private final Scheduler scheduler = cluster.scheduler();
    private final List<InstanceReport> reports = new ArrayList<>();
    private final boolean late;
    private long now;

    Run(List<Happening> happenings, boolean late) {
      this.late = late;
      for (int i = 0; i < INSTANCES; i++) {
        scheduler.addHost(new HostSpec("h" + i, cores(1), Map.of()), 0);
        cluster.pending("r" + i, i % 2 == 0 ? "gold" : "silver", 1);
      }
      happenings.forEach(this::tell);
    }

    private void tell(Happening each) {
      now = late ? each.told : each.at;
      cluster.atNanos(now);
      Attempt attempt = new Attempt("r" + each.instance, each.attempt);
      Host host = cluster.host("h" + each.instance);
      Instance instance = cluster.instance("r" + each.instance);
      switch (each.what) {
        case "place" -> cluster.place(instance.id(), host.id());
        case "pause" -> act(() -> cluster.pass(pass -> pass.pause(instance, WHY)));
        case "suspend" -> act(() -> cluster.pass(pass -> pass.suspend(instance, WHY)));
        case "resume" -> act(() -> cluster.pass(pass -> pass.resume(instance, cores(1), WHY)));
        case "preempt" -> {
          cluster.pending("other", 1).place("other", host.id(), instance.id());
          cluster.cancel("other");
        }
        case "started" -> scheduler.started(attempt, each.at, now);
        case "failed" -> scheduler.failed(attempt, each.at, now);
        case "completed" -> reports.add(scheduler.completed(attempt, each.at, now));
        default -> throw new AssertionError(each);
      }
      for (Instance live : scheduler.instances()) {
        assertThat(live.serviceTime(now) + live.waitingTime(now))
            .isEqualTo(now - live.admittedAt());
      }
    }

    private static void act(java.util.function.Supplier<dev.berth.api.plan.Plan> pass) {
      assertThat(pass.get().actions()).hasSize(1);
    }

    List<Object> accounts(long end) {
      List<Object> accounts = new ArrayList<>();
      for (Instance each : scheduler.instances()) {
        accounts.add(
            List.of(
                each.id(),
                each.state(),
                each.stateSince(),
                each.attempt(),
                each.serviceTime(end),
                each.waitingTime(end),
                each.earnedTime(end),
                each.restartOverhead(),
                each.preemptions(),
                each.granted().equals(Resources.none())));
      }
      for (Host each : scheduler.hosts()) {
        accounts.add(List.of(each.id(), each.free(), each.recentCompletions()));
      }
      return accounts;
    }
  }
}
