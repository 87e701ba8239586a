package dev.berth.cli.output;

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
 * What a run took of the machine.
 *
 * @param wallNanos elapsed time
 * @param cpuNanos CPU time of the process, collecting garbage and compiling included
 * @param peakHeapBytes the most that was on the heap, garbage included
 * @param peakKeptBytes the most that was left of it after a collection; 0 if there was none
 * @param peakResidentBytes the most memory that the process has had since it began, earlier runs
 *     included; empty where the system does not tell
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

  /** Returns how many of something there were in a second of elapsed time. */
  double perSecond(long count) {
    return count / Math.max(1 / NANOS, wallNanos / NANOS);
  }

  /** Takes the costs of a run that begins now. */
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

    /** Begins. */
    public Meter() {
      heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    /** Looks how much is kept; to be called now and then. */
    public void look() {
      long kept = 0;
      for (MemoryPoolMXBean pool : heap) {
        MemoryUsage afterCollection = pool.getCollectionUsage();
        kept += afterCollection == null ? 0 : afterCollection.getUsed();
      }
      peakKept = Math.max(peakKept, kept);
    }

    /** Returns what it took so far. */
    public RunCost cost() {
      look();
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
