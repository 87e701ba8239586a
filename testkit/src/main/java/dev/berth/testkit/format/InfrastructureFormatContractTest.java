package dev.berth.testkit.format;

import dev.berth.api.HostSpec;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.ReadResult;
import dev.berth.traces.Readers;
import dev.berth.traces.input.Input;
import dev.berth.traces.spi.Format;
import dev.berth.traces.spi.InfrastructureFormat;
import java.util.List;

/**
 * The contract of formats for infrastructures. Subclasses supply the format, a small file and its
 * entries.
 */
public abstract class InfrastructureFormatContractTest extends FormatContractTest {

  /** For subclasses. */
  protected InfrastructureFormatContractTest() {}

  @Override
  protected abstract InfrastructureFormat format();

  @Override
  final Read read(Format format, Input input, ReadOptions options) {
    ReadResult<Infrastructure> read =
        Readers.infrastructure((InfrastructureFormat) format, input, options);
    return new Read(read.value().hosts().stream().map(HostSpec::toString).toList(), read.report());
  }

  @Override
  final List<? extends Format> known() {
    return Readers.infrastructureFormats();
  }
}
