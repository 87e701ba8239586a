package dev.berth.experiments.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkFiles;
import org.apache.spark.storage.BlockManagerId;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * The task of one cell. An executor has no other class of this project: the worker has a class
 * loader of its own, below that of the JDK, and is called with types of the JDK alone. Its results
 * are the name of the executor, and what the worker returned.
 */
final class CellTask extends AbstractFunction1<Iterator<String>, byte[][]> implements Serializable {

  private static final long serialVersionUID = 1;

  /** The workers of this executor, by the name of their bundle. */
  private static final Map<String, Function<String, List<byte[]>>> WORKERS =
      new ConcurrentHashMap<>();

  private final String worker;
  private final String bundle;
  private final HashMap<String, String> members; // paths of the submitting process
  private final ArrayList<String> code;
  private final ArrayList<String> plugins;
  private final String name;
  private final String text;
  private final String folder;
  private final boolean recordsJobs;

  /**
   * Creates a task.
   *
   * @param worker name of the class of the worker
   * @param bundle name of the file with all that the worker needs
   * @param members where its files are in the bundle, by their paths in the submitting process
   * @param code paths of the jars and folders with the worker's code
   * @param plugins paths of jars with policies
   * @param name of the experiment's file
   * @param text of the experiment
   * @param folder that relative paths in the text start from
   * @param recordsJobs whether the results have jobs
   */
  CellTask(
      String worker,
      String bundle,
      Map<String, String> members,
      List<String> code,
      List<String> plugins,
      String name,
      String text,
      String folder,
      boolean recordsJobs) {
    this.worker = worker;
    this.bundle = bundle;
    this.members = new HashMap<>(members);
    this.code = new ArrayList<>(code);
    this.plugins = new ArrayList<>(plugins);
    this.name = name;
    this.text = text;
    this.folder = folder;
    this.recordsJobs = recordsJobs;
  }

  @Override
  public byte[][] apply(Iterator<String> cells) {
    List<byte[]> result = new ArrayList<>();
    BlockManagerId here = SparkEnv.get().blockManager().blockManagerId();
    String machine = "executor %s on %s".formatted(here.executorId(), here.host());
    result.add(machine.getBytes(UTF_8));
    result.addAll(WORKERS.computeIfAbsent(bundle, each -> start()).apply(cells.next()));
    return result.toArray(byte[][]::new);
  }

  private Function<String, List<byte[]>> start() {
    try {
      Path unpacked =
          Files.createTempDirectory(Path.of(SparkFiles.getRootDirectory()), "berth-")
              .toAbsolutePath();
      unpack(Path.of(SparkFiles.get(bundle)), unpacked);
      Map<String, String> located = new HashMap<>();
      members.forEach((path, member) -> located.put(path, unpacked.resolve(member).toString()));
      List<URL> jars = new ArrayList<>();
      for (String each : code) {
        jars.add(new File(located.getOrDefault(each, each)).toURI().toURL());
      }
      ClassLoader loader =
          new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      Object started =
          loader
              .loadClass(worker)
              .getMethod(
                  "start",
                  String.class,
                  String.class,
                  String.class,
                  boolean.class,
                  List.class,
                  Map.class)
              .invoke(null, name, text, folder, recordsJobs, plugins, located);
      @SuppressWarnings("unchecked") // the signature of start
      Function<String, List<byte[]>> typed = (Function<String, List<byte[]>>) started;
      return typed;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (ReflectiveOperationException failure) {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      throw new IllegalStateException("the experiment cannot be loaded here: " + cause, cause);
    }
  }

  private static void unpack(Path bundle, Path folder) throws IOException {
    try (InputStream file = Files.newInputStream(bundle);
        ZipInputStream entries = new ZipInputStream(file)) {
      for (ZipEntry each = entries.getNextEntry(); each != null; each = entries.getNextEntry()) {
        Path target = folder.resolve(each.getName());
        Path parent = target.getParent();
        if (each.isDirectory() || parent == null) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(parent);
          Files.copy(entries, target);
        }
      }
    }
  }
}
