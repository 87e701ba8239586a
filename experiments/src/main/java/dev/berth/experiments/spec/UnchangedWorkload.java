package dev.berth.experiments.spec;

import dev.berth.experiments.store.ContentDigest;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ForwardingWorkload;
import dev.berth.simulator.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A workload in a file that must stay the same while an experiment runs: the results of a run are
 * kept under the digest of the file.
 */
final class UnchangedWorkload extends ForwardingWorkload {

  /** Properties that change with a file. */
  private record Stamp(long size, FileTime modified) {}

  private final Path file;
  private final Map<Path, Stamp> stamps;

  private UnchangedWorkload(Workload original, Path file, Map<Path, Stamp> stamps) {
    super(original);
    this.file = file;
    this.stamps = stamps;
  }

  /** Returns the workload of a file or folder; notes its size and time before the first read. */
  static UnchangedWorkload of(Path file, Supplier<? extends Workload> reader) {
    Map<Path, Stamp> before = Files.exists(file) ? stamps(file) : Map.of();
    return new UnchangedWorkload(reader.get(), file, before);
  }

  private static Map<Path, Stamp> stamps(Path file) {
    try {
      Map<Path, Stamp> stamps = new HashMap<>();
      for (Path each : ContentDigest.files(file)) {
        BasicFileAttributes is = Files.readAttributes(each, BasicFileAttributes.class);
        stamps.put(each, new Stamp(is.size(), is.lastModifiedTime()));
      }
      return stamps;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Override
  protected UnaryOperator<Arrival> reading() {
    check();
    return super.reading();
  }

  @Override
  protected void closed() {
    check();
  }

  private void check() {
    if (!stamps(file).equals(stamps)) {
      throw new UncheckedIOException(
          new IOException(
              "%s has changed since the experiment began. Maybe run it again.".formatted(file)));
    }
  }
}
