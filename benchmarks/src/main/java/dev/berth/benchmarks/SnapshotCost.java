package dev.berth.benchmarks;

import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.json.SnapshotFormat;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Size and CPU time of snapshots and digests of a large cluster: 10,000 hosts and 200,000
 * instances, most of them running, under {@code qos-driven}. Prints the median of some rounds. Run
 * it with {@code java -Xmx4g -cp benchmarks.jar dev.berth.benchmarks.SnapshotCost [HOSTS INSTANCES
 * ROUNDS]}.
 *
 * @param hosts of the cluster
 * @param instances on them
 * @param rounds of each measurement
 */
public record SnapshotCost(int hosts, int instances, int rounds) {

  private static final long SECOND = LargeCluster.SECOND;

  /** Runs the benchmark. */
  public static void main(String[] args) {
    int hosts = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
    int instances = args.length > 1 ? Integer.parseInt(args[1]) : 200_000;
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
    new SnapshotCost(hosts, instances, rounds).run();
  }

  private void run() {
    Scheduler scheduler = LargeCluster.running(hosts, instances);
    System.out.printf(
        "%s hosts, %s instances, %s of them pending%n",
        hosts, scheduler.instanceCount(), scheduler.pendingCount());
    SchedulerSnapshot snapshot = time("snapshot", scheduler::snapshot);
    for (SnapshotFormat format : SnapshotFormat.values()) {
      byte[] bytes = time("write " + format, () -> format.toBytes(snapshot));
      System.out.printf(
          "%-24s %8.1f MB, %s bytes for an instance or host%n",
          "size " + format, bytes.length / 1e6, bytes.length / (instances + hosts));
      time("read " + format, () -> format.fromBytes(bytes));
    }
    time("restore", () -> Scheduler.builder().restore(snapshot).build());
    time("digest of a snapshot", snapshot::digest);
    time("first digest", () -> Scheduler.builder().restore(snapshot).build().digest(), "restore");
    scheduler.digest();
    time("digest, nothing changed", scheduler::digest);
    long[] now = {scheduler.now()};
    time(
        "1000 reports, no digest",
        () -> {
          now[0] += SECOND;
          report(scheduler, now[0]);
          return now[0];
        });
    time(
        "1000 reports, then digest",
        () -> {
          now[0] += SECOND;
          report(scheduler, now[0]);
          return scheduler.digest();
        });
    Plan plan = scheduler.schedule(now[0]);
    System.out.printf("last plan: %s actions%n", plan.actions().size());
  }

  /** Reports the loads of the first hosts, as an example of events. */
  private void report(Scheduler scheduler, long now) {
    int some = Math.min(1000, hosts);
    for (int i = 0; i < some; i++) {
      scheduler.loadReported("host-" + i, i % 7, now);
    }
  }

  private <T> T time(String what, Supplier<T> work) {
    return time(what, work, "");
  }

  private <T> T time(String what, Supplier<T> work, String including) {
    long[] times = new long[rounds];
    T result = work.get(); // warms up
    for (int i = 0; i < rounds; i++) {
      long begin = CpuTime.nanos();
      result = work.get();
      times[i] = CpuTime.nanos() - begin;
    }
    Arrays.sort(times);
    System.out.printf(
        "%-24s %8.1f ms%s%n",
        what, times[rounds / 2] / 1e6, including.isEmpty() ? "" : " with the " + including);
    return result;
  }
}
