package dev.berth.cli.input;

import dev.berth.traces.Format;
import dev.berth.traces.Readers;
import java.util.Iterator;
import java.util.List;

/** The names of the supported file formats, for help texts and completion. */
public final class FormatNames {

  private FormatNames() {}

  public static final class Workloads implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names(Readers.workloadFormats());
    }
  }

  public static final class Infrastructures implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names(Readers.infrastructureFormats());
    }
  }

  public static final class HostEvents implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names(Readers.hostEventsFormats());
    }
  }

  private static Iterator<String> names(List<? extends Format> formats) {
    return formats.stream().map(Format::name).iterator();
  }
}
