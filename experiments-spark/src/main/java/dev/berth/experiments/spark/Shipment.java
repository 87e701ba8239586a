package dev.berth.experiments.spark;

import dev.berth.experiments.cluster.CellWorker;
import dev.berth.experiments.cluster.ClusterWork;
import dev.berth.experiments.run.ExperimentFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What executors fetch: a jar with the class of the task, and a bundle with the files and jars of
 * the worker. Names of files may repeat, and code may be in folders, so each has a folder of its
 * own in the bundle.
 *
 * @param folder temporary, with the other two
 * @param jar for the class loader of Spark
 * @param bundle for the task
 * @param task runs the cells
 */
record Shipment(Path folder, Path jar, Path bundle, CellTask task) implements AutoCloseable {

  /** Parts of paths beside which the format {@code google-2011} reads further tables. */
  private static final List<String> TABLES = List.of("task_events", "machine_events");

  /** Writes the files; without inputs if they are not copied. */
  static Shipment of(ClusterWork work, boolean copiesInputs) throws IOException {
    if (copiesInputs) {
      work.inputs().forEach(Shipment::requireComplete);
    }
    Path folder = Files.createTempDirectory("berth-spark-");
    String id = String.valueOf(folder.getFileName()); // several runs may share a context
    List<Path> contents = new ArrayList<>(work.code());
    contents.addAll(work.plugins());
    contents.addAll(copiesInputs ? work.inputs() : List.of());
    Map<String, String> members = new HashMap<>();
    Path bundle = folder.resolve(id + ".zip");
    try (OutputStream file = Files.newOutputStream(bundle);
        ZipOutputStream out = new ZipOutputStream(file)) {
      out.setLevel(Deflater.NO_COMPRESSION); // most files are compressed already
      for (Path each : contents) {
        String member = members.size() + "/" + each.getFileName();
        if (members.putIfAbsent(each.toString(), member) == null) {
          add(each, member, out);
        }
      }
    }
    CellTask task =
        new CellTask(
            CellWorker.class.getName(),
            id + ".zip",
            members,
            work.code().stream().map(Path::toString).toList(),
            work.plugins().stream().map(Path::toString).toList(),
            work.name(),
            work.text(),
            work.folder().toString(),
            work.recordsJobs());
    return new Shipment(folder, taskJar(folder.resolve(id + ".jar")), bundle, task);
  }

  private static void requireComplete(Path input) {
    if (TABLES.stream().anyMatch(input.toString()::contains)) {
      throw new ExperimentFailedException(
          ("\"%s\" cannot be copied to executors, as tables beside it belong to it. Maybe name a "
                  + "folder with all tables, or --conf %s=shared if it is on all machines.")
              .formatted(input, SparkCluster.INPUTS));
    }
  }

  private static void add(Path path, String member, ZipOutputStream out) throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted().toList()) {
        String inside = path.relativize(each).toString().replace('\\', '/');
        String name = inside.isEmpty() ? member : member + "/" + inside;
        if (Files.isDirectory(each)) {
          out.putNextEntry(new ZipEntry(name + "/"));
        } else {
          out.putNextEntry(new ZipEntry(name));
          Files.copy(each, out);
        }
        out.closeEntry();
      }
    }
  }

  private static Path taskJar(Path jar) throws IOException {
    String name = CellTask.class.getName().replace('.', '/') + ".class";
    try (InputStream type =
            Objects.requireNonNull(Shipment.class.getClassLoader()).getResourceAsStream(name);
        OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream out = new ZipOutputStream(file)) {
      out.putNextEntry(new ZipEntry(name));
      Objects.requireNonNull(type, name).transferTo(out);
      out.closeEntry();
    }
    return jar;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(jar);
    Files.deleteIfExists(bundle);
    Files.deleteIfExists(folder);
  }
}
