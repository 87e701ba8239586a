package dev.berth.benchmarks.queue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import dev.berth.core.Scheduler;
import dev.berth.core.config.Durations;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.Readers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** The virtual machine of one measurement, which {@link QueueLogs} starts. */
final class QueueLogFork {

  /** The start of the line with the figures in JSON. */
  static final String RESULT = "RESULT ";

  private static final long NANOS = 1_000_000_000;
  private static final long NEVER = -1;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private QueueLogFork() {}

  /** Takes the limit of CPU seconds and the cell; prints the figures, without any at the limit. */
  public static void main(String[] args) throws IOException {
    haltAfter(Long.parseLong(args[0]) * NANOS);
    AtomicLong live = watchHeap();
    Map<String, Object> figures =
        run(QueueMeasurement.of(List.of(args).subList(1, 6).toArray(String[]::new)));
    figures.put("cpu", (double) SYSTEM.getProcessCpuTime() / NANOS);
    System.gc(); // a short run may have had no collection
    long atEnd = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    figures.put("heap", Math.max(live.get(), atEnd));
    print(figures);
  }

  private static Map<String, Object> run(QueueMeasurement cell) {
    Scheduler.Builder scheduler =
        Scheduler.builder().policy(cell.policy(), cell.config()).decisionLog(0);
    if (!cell.watchdog().isEmpty()) {
      scheduler.watchdog(Durations.parse(cell.watchdog()));
    }
    List<long[]> stays = new ArrayList<>();
    long begin = System.nanoTime();
    RunResult result;
    try (Simulation simulation =
        Simulation.builder()
            .workload(Readers.workload(cell.log(), ServiceClasses.goldSilverBronze(Duration.ZERO)))
            .infrastructure(cell.infrastructure())
            .scheduler(scheduler)
            .listener(SimulationListener.onRequestEnded(each -> stays.add(stay(each))))
            .build()) {
      result = simulation.run();
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("elapsed", (double) (System.nanoTime() - begin) / NANOS);
    figures.put("requests", result.arrivals());
    figures.put("unfinished", result.unfinished());
    figures.put("passes", result.passes());
    figures.put("placements", result.placements());
    figures.put("preemptions", result.preemptions());
    figures.put("wait", result.waitingMean().orElse(0));
    figures.put("digest", digest(stays));
    return figures;
  }

  private static long[] stay(RequestOutcome outcome) {
    return new long[] {
      outcome.number(),
      outcome.firstPlacedAt().orElse(NEVER),
      outcome.report().endedAt(),
      outcome.report().serviceTime()
    };
  }

  /** Returns a digest of the first placement, end and service of each request. */
  private static String digest(List<long[]> stays) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      stays.sort(Comparator.comparingLong(each -> each[0]));
      for (long[] each : stays) {
        ByteBuffer bytes = ByteBuffer.allocate(each.length * Long.BYTES);
        bytes.asLongBuffer().put(each);
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException(absent);
    }
  }

  /** Ends the virtual machine as soon as it has used some CPU time. */
  private static void haltAfter(long cpuNanos) {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (SYSTEM.getProcessCpuTime() < cpuNanos) {
                  Thread.sleep(100);
                }
                print(Map.of());
              } catch (IOException | InterruptedException failure) {
                System.err.println("The limit of CPU time was not watched: " + failure);
              }
              Runtime.getRuntime().halt(0);
            });
    watch.setDaemon(true);
    watch.start();
  }

  /** Returns the largest heap, in bytes, that a collection has left so far. */
  private static AtomicLong watchHeap() {
    AtomicLong largest = new AtomicLong();
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector)
          .addNotificationListener(
              (notice, none) -> {
                long used =
                    GarbageCollectionNotificationInfo.from((CompositeData) notice.getUserData())
                        .getGcInfo()
                        .getMemoryUsageAfterGc()
                        .entrySet()
                        .stream()
                        .filter(each -> each.getKey().startsWith("G1 "))
                        .map(Map.Entry::getValue)
                        .mapToLong(MemoryUsage::getUsed)
                        .sum();
                largest.accumulateAndGet(used, Math::max);
              },
              notice ->
                  notice
                      .getType()
                      .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION),
              null);
    }
    return largest;
  }

  private static void print(Map<String, Object> figures) throws IOException {
    System.out.println(RESULT + new ObjectMapper().writeValueAsString(figures));
    System.out.flush();
  }
}
