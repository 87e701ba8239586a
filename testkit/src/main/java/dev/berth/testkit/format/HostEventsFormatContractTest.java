package dev.berth.testkit.format;

import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.ReadResult;
import dev.berth.traces.Readers;
import dev.berth.traces.input.Input;
import dev.berth.traces.spi.Format;
import dev.berth.traces.spi.HostEventsFormat;
import java.util.List;

/**
 * The contract of formats for host events. Subclasses supply the format, a small file and its
 * entries.
 */
public abstract class HostEventsFormatContractTest extends FormatContractTest {

  /** For subclasses. */
  protected HostEventsFormatContractTest() {}

  @Override
  protected abstract HostEventsFormat format();

  @Override
  final Read read(Format format, Input input, ReadOptions options) {
    ReadResult<List<HostEvent>> read =
        Readers.hostEvents((HostEventsFormat) format, input, options);
    return new Read(read.value().stream().map(HostEvent::toString).toList(), read.report());
  }

  @Override
  final List<? extends Format> known() {
    return Readers.hostEventsFormats();
  }
}
