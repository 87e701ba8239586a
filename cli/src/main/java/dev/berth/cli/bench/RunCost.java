package dev.berth.cli.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The resources of the machine that a run used.
 *
 * @param wallNanos elapsed time
 * @param cpuNanos CPU time of the process, including garbage collection and compilation
 * @param peakHeapBytes the largest use of the heap, including garbage
 * @param peakKeptBytes the largest use of the heap after a collection; 0 without a collection
 * @param peakResidentBytes the largest memory of the process since its start, including earlier
 *     runs; empty where the system does not report it
 */
public record RunCost(
    long wallNanos,
    long cpuNanos,
    long peakHeapBytes,
    long peakKeptBytes,
    OptionalLong peakResidentBytes) {

  private static final double NANOS = 1e9;
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK_RESIDENT = "VmHWM:";
  private static final long KIBI = 1024;

  /** Returns a count per second of elapsed time. */
  double perSecond(long count) {
    return count / Math.max(1 / NANOS, wallNanos / NANOS);
  }

  /** Starts to measure a run. */
  public static final class Meter {

    private final OperatingSystemMXBean system =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final List<MemoryPoolMXBean> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(each -> each.getType() == MemoryType.HEAP)
            .toList();
    private final long startedAt = System.nanoTime();
    private final long cpuAtStart = system.getProcessCpuTime();
    private long peakKept;

    /** Starts to measure. */
    public Meter() {
      heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    /** Samples the heap after collections; call it repeatedly during the run. */
    public void sample() {
      long kept = 0;
      for (MemoryPoolMXBean pool : heap) {
        MemoryUsage afterCollection = pool.getCollectionUsage();
        kept += afterCollection == null ? 0 : afterCollection.getUsed();
      }
      peakKept = Math.max(peakKept, kept);
    }

    /** Returns the cost so far. */
    public RunCost cost() {
      sample();
      return new RunCost(
          System.nanoTime() - startedAt,
          system.getProcessCpuTime() - cpuAtStart,
          heap.stream().mapToLong(each -> each.getPeakUsage().getUsed()).sum(),
          peakKept,
          peakResident());
    }

    private static OptionalLong peakResident() {
      try {
        return Files.readAllLines(STATUS).stream()
            .filter(line -> line.startsWith(PEAK_RESIDENT))
            .map(line -> line.replaceAll("\\D", ""))
            .mapToLong(kibibytes -> Long.parseLong(kibibytes) * KIBI)
            .findFirst();
      } catch (IOException otherSystem) {
        return OptionalLong.empty();
      }
    }
  }
}
