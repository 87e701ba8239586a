package dev.berth.experiments;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A workload in a file that is read again and again, and must be the same each time: what is kept
 * of a run is kept under the digest of the file.
 *
 * @param original reads the file
 * @param file or folder
 * @param stamps of the file, or of all in the folder, before it was first read
 */
record UnchangedWorkload(Workload original, Path file, Map<Path, Stamp> stamps)
    implements Workload {

  /** What changes with a file. */
  record Stamp(long size, FileTime modified) {}

  /** Watches a file from before it is first read. */
  static UnchangedWorkload of(Path file, Supplier<? extends Workload> reader) {
    Map<Path, Stamp> before = Files.exists(file) ? stamps(file) : Map.of();
    return new UnchangedWorkload(reader.get(), file, before);
  }

  private static Map<Path, Stamp> stamps(Path file) {
    try {
      Map<Path, Stamp> stamps = new HashMap<>();
      for (Path each : CellKey.files(file)) {
        BasicFileAttributes is = Files.readAttributes(each, BasicFileAttributes.class);
        stamps.put(each, new Stamp(is.size(), is.lastModifiedTime()));
      }
      return stamps;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void check() {
    if (!stamps(file).equals(stamps)) {
      throw new UncheckedIOException(
          new IOException(
              "%s has changed since the experiment began. Maybe run it again.".formatted(file)));
    }
  }

  @Override
  public String name() {
    return original.name();
  }

  @Override
  public List<ServiceClass> serviceClasses() {
    return original.serviceClasses();
  }

  @Override
  public OptionalLong size() {
    return original.size();
  }

  /** {@inheritDoc} Looks again when the source is closed. */
  @Override
  public ArrivalSource open() {
    check();
    ArrivalSource source = original.open();
    return new ArrivalSource() {
      @Override
      public boolean hasNext() {
        return source.hasNext();
      }

      @Override
      public Arrival next() {
        return source.next();
      }

      @Override
      public void close() {
        source.close();
        check();
      }
    };
  }
}
