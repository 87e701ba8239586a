package dev.berth.benchmarks;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.core.Scheduler;
import dev.berth.core.WhatIf;
import dev.berth.core.event.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * CPU time of what-ifs and digests with 1,000 and 10,000 hosts, after 1, 10 and 100 events. Each
 * host runs ten instances, and none waits. Prints the median and the spread of some rounds. Run it
 * with {@code java -Xmx3g -XX:+UseSerialGC -cp benchmarks.jar dev.berth.benchmarks.QuestionCost}.
 */
public final class QuestionCost {

  private static final int INSTANCES_PER_HOST = 10;
  private static final int WARM_UP = 3000; // events
  private static final int ROUNDS = 15;
  private static final long ROUND_NANOS = 20_000_000;

  private final int hosts;
  private final int events;
  private final Scheduler scheduler;
  private final HostSpec kind;
  private final List<Request> requests = new ArrayList<>();
  private long reports;

  private QuestionCost(Scheduler scheduler, int hosts, int events) {
    this.hosts = hosts;
    this.events = events;
    this.scheduler = scheduler;
    this.kind = new HostSpec("more", scheduler.hosts().get(0).capacity());
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < events; i++) {
      requests.add(LargeCluster.request(INSTANCES_PER_HOST * hosts + i, 2, random));
    }
  }

  /** Runs the benchmark. */
  public static void main(String[] args) {
    for (int hosts : new int[] {1000, 10_000}) {
      Scheduler scheduler = LargeCluster.running(hosts, INSTANCES_PER_HOST * hosts);
      for (int events : new int[] {1, 10, 100}) {
        new QuestionCost(scheduler, hosts, events).run();
      }
    }
  }

  private void run() {
    time("requests arrive", () -> withArrivals().plan(scheduler.now()));
    List<String> ids = requests.stream().map(Request::id).toList();
    time(
        "hosts needed by them",
        () -> withArrivals().hostsNeeded(kind, ids, events, scheduler.now()));
    time("hosts leave", this::failures);
    time("digest after changes", this::changes);
  }

  private WhatIf withArrivals() {
    WhatIf question = scheduler.whatIf();
    requests.forEach(each -> question.suppose(new Event.Submitted(each)));
    return question;
  }

  private void failures() {
    WhatIf question = scheduler.whatIf();
    for (int i = 0; i < events; i++) {
      question.suppose(new Event.HostRemoved("host-" + 7 * i));
    }
    question.plan(scheduler.now());
  }

  private void changes() {
    reports++;
    for (int i = 0; i < events; i++) {
      scheduler.loadReported("host-" + 7 * i, (double) (reports % 5), scheduler.now());
    }
    scheduler.digest();
  }

  private void time(String what, Runnable work) {
    for (int i = 0; i < WARM_UP / events; i++) {
      work.run();
    }
    double[] micros = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long begin = CpuTime.nanos();
      int times = 0;
      do {
        work.run();
        times++;
      } while (CpuTime.nanos() - begin < ROUND_NANOS);
      micros[i] = (CpuTime.nanos() - begin) / 1e3 / times;
    }
    Arrays.sort(micros);
    System.out.printf(
        "%-24s %3d events, %6d hosts: %8.1f us (%.1f to %.1f)%n",
        what, events, hosts, micros[ROUNDS / 2], micros[0], micros[ROUNDS - 1]);
  }
}
