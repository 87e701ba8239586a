package dev.berth.testkit.format;

import dev.berth.api.HostSpec;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.reader.Format;
import dev.berth.simulator.reader.InfrastructureFormat;
import dev.berth.simulator.reader.Input;
import dev.berth.simulator.reader.ReadOptions;
import dev.berth.simulator.reader.ReadResult;
import dev.berth.simulator.reader.Readers;
import java.util.List;

/**
 * What any format of infrastructures is held to. Extend it, and give the format, a small file in
 * it, and what that holds.
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
