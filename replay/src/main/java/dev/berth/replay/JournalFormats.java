package dev.berth.replay;

import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.spi.Format;
import dev.berth.traces.spi.FormatProvider;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.SkipReport;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Provides the format {@code journal}: the folder of a journal as a workload, an infrastructure and
 * host events. So a simulation shows what another policy would have done with the same requests and
 * hosts.
 *
 * <p>The journal is replayed with its own policy, to find out how long each request was in service.
 * The context class loader of the thread must see that policy. Time begins with the oldest
 * snapshot, or with the first input if the journal still has it. The service classes are those of
 * the scheduler that wrote the journal.
 *
 * <ul>
 *   <li>A request that completed has the service time that it received. One that was cancelled or
 *       had not ended has what it had received, which is less than what it would have taken. One
 *       that never ran is skipped.
 *   <li>The infrastructure has all hosts that ever joined, as they were first. A host is down
 *       before it joined and after it left. Changes of taints and of limits are events as well.
 *       Other changes of a host, drains, cordons and foreign load are skipped.
 * </ul>
 */
public final class JournalFormats implements FormatProvider {

  static final String NAME = "journal";

  private static final Pattern LOG = Pattern.compile("\\d{19}-\\d{10,19}\\.log");

  /** For the service loader. */
  public JournalFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(new Workload());
  }

  @Override
  public List<InfrastructureFormat> infrastructureFormats() {
    return List.of(new Hosts());
  }

  @Override
  public List<HostEventsFormat> hostEventsFormats() {
    return List.of(new Events());
  }

  private abstract static class JournalFormat implements Format {

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public boolean recognises(Input input) {
      return input.isFolder()
          && input.members().stream().anyMatch(each -> LOG.matcher(each.name()).matches());
    }
  }

  private static final class Workload extends JournalFormat implements WorkloadFormat {

    @Override
    public String description() {
      return "the requests in the journal of a scheduler, a folder";
    }

    @Override
    public List<ServiceClass> serviceClasses(Input input) {
      return JournalRecording.serviceClasses(input);
    }

    @Override
    public boolean hasHosts() {
      return true;
    }

    @Override
    public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
      JournalRecording recording = JournalRecording.of(input);
      return skips -> {
        recording.skippedRequests().forEach(skips::count);
        return new ListReader<>(input, recording.arrivals());
      };
    }
  }

  private static final class Hosts extends JournalFormat implements InfrastructureFormat {

    @Override
    public String description() {
      return "the hosts in the journal of a scheduler, a folder";
    }

    @Override
    public EntryReader<HostSpec> open(Input input, SkipReport skips) {
      return new ListReader<>(input, JournalRecording.of(input).hosts());
    }
  }

  private static final class Events extends JournalFormat implements HostEventsFormat {

    @Override
    public String description() {
      return "when the hosts in the journal of a scheduler joined and left, a folder";
    }

    @Override
    public EntryReader<HostEvent> open(Input input, SkipReport skips) {
      JournalRecording recording = JournalRecording.of(input);
      recording.skippedChanges().forEach(skips::count);
      return new ListReader<>(input, recording.events());
    }
  }
}
