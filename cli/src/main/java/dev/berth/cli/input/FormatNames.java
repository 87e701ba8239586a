package dev.berth.cli.input;

import dev.berth.traces.Readers;
import dev.berth.traces.spi.Format;
import java.util.Iterator;
import java.util.List;

/** The names of the supported file formats, for help texts and completion. */
public abstract class FormatNames implements Iterable<String> {

  private final List<? extends Format> formats;

  private FormatNames(List<? extends Format> formats) {
    this.formats = formats;
  }

  @Override
  public Iterator<String> iterator() {
    return formats.stream().map(Format::name).iterator();
  }

  public static final class Workloads extends FormatNames {
    Workloads() {
      super(Readers.workloadFormats());
    }
  }

  public static final class Infrastructures extends FormatNames {
    Infrastructures() {
      super(Readers.infrastructureFormats());
    }
  }

  public static final class HostEvents extends FormatNames {
    HostEvents() {
      super(Readers.hostEventsFormats());
    }
  }
}
