package dev.berth.testkit.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.Readers;
import dev.berth.traces.input.Input;
import dev.berth.traces.spi.Format;
import dev.berth.traces.spi.WorkloadFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The contract of formats for workloads. Subclasses supply the format, a small file and its
 * entries.
 */
public abstract class WorkloadFormatContractTest extends FormatContractTest {

  /** For subclasses. */
  protected WorkloadFormatContractTest() {}

  @Override
  protected abstract WorkloadFormat format();

  /** Returns the classes that requests may name; by default gold, silver and bronze. */
  protected List<ServiceClass> serviceClasses() {
    return ServiceClasses.goldSilverBronze(Duration.ofSeconds(30));
  }

  @Override
  final Read read(Format format, Input input, ReadOptions options) {
    FileWorkload workload =
        Readers.workload((WorkloadFormat) format, input, serviceClasses(), options);
    List<String> first = arrivals(workload);
    assertThat(arrivals(workload)).as("after opening a second time").isEqualTo(first);
    assertThat(first)
        .as("arrivals, compared with the size of the workload")
        .hasSize((int) workload.size().getAsLong());
    return new Read(first, workload.report());
  }

  private static List<String> arrivals(FileWorkload workload) {
    List<String> arrivals = new ArrayList<>();
    long latest = 0;
    try (ArrivalSource source = workload.open()) {
      while (source.hasNext()) {
        Arrival next = source.next();
        assertThat(next.at()).as("time of " + next).isGreaterThanOrEqualTo(latest);
        latest = next.at();
        arrivals.add(next.toString());
      }
    }
    return arrivals;
  }

  @Override
  final List<? extends Format> known() {
    return Readers.workloadFormats();
  }
}
