package dev.berth.experiments.study;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hashing;
import dev.berth.api.policy.Policy;
import dev.berth.core.Scheduler;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.store.ContentDigest;
import dev.berth.report.Document;
import dev.berth.simulator.Simulation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A folder with the results of studies, each under the digest of everything it depends on: the
 * study, its input, seed and hosts, and the code of Berth and of the policies. A result is stored
 * completely or not at all, and a damaged one is treated as missing.
 *
 * <p>The folder also stores the runs of studies that consist of an experiment. Only one process at
 * a time can use it.
 */
public final class StudyStore implements AutoCloseable {

  /** Incremented whenever the stored form of a result changes. */
  private static final int FORMAT = 1;

  private static final String STORED = ".study";
  private static final String DRAFT = ".draft"; // the store of cells deletes stale ones

  private final Path folder;
  private final CellStore cells;

  private StudyStore(Path folder, CellStore cells) {
    this.folder = folder;
    this.cells = cells;
  }

  /**
   * Opens a folder and creates it if missing.
   *
   * @throws IOException if the folder cannot be created or read, or another process uses it
   */
  public static StudyStore open(Path folder) throws IOException {
    return new StudyStore(folder, CellStore.open(folder));
  }

  /** Returns the store for the runs of studies that consist of an experiment. */
  public CellStore cells() {
    return cells;
  }

  /**
   * Returns the result of a study; empty if it is missing or damaged.
   *
   * @throws IOException if the folder cannot be read
   */
  public Optional<StudyResult> find(Study study, Study.Setting setting) throws IOException {
    String key = key(study, setting);
    Path file = folder.resolve(key + STORED);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    String stored = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    int end = stored.indexOf('\n');
    String result = stored.substring(end + 1);
    return end >= 0 && stored.substring(0, end).equals(seal(key, result))
        ? Optional.of(StudyJson.parse(result))
        : Optional.empty();
  }

  /**
   * Stores the result of a study.
   *
   * @throws IOException if it cannot be written
   */
  public void keep(Study study, Study.Setting setting, StudyResult result) throws IOException {
    String key = key(study, setting);
    String text = StudyJson.text(result);
    Path draft = folder.resolve(key + STORED + DRAFT);
    Files.writeString(draft, seal(key, text) + "\n" + text);
    Files.move(draft, folder.resolve(key + STORED), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String seal(String key, String result) {
    return "berth study %s %s"
        .formatted(key, Hashing.sha256().hashString(result, StandardCharsets.UTF_8));
  }

  private static String key(Study study, Study.Setting setting) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("format", FORMAT).put("study", study.name()).put("seed", setting.seed());
    for (Class<?> each :
        new Class<?>[] {
          study.getClass(),
          StudyStore.class,
          Simulation.class,
          Scheduler.class,
          Policy.class,
          Document.class
        }) {
      all.withArray("code").add(ContentDigest.ofCode(each));
    }
    for (String id : setting.registry().ids()) {
      all.withArray("policies")
          .add(id)
          .add(ContentDigest.ofCode(setting.registry().get(id).getClass()));
    }
    if (!setting.input().isEmpty()) {
      all.put("input", ContentDigest.of(Path.of(setting.input())));
    }
    for (String file : setting.hosts().files()) {
      all.withArray("hosts").add(file).add(ContentDigest.of(plain(file)));
    }
    setting.hosts().scales().forEach(all.withArray("scales")::add);
    return Hashing.sha256().hashString(all.toString(), StandardCharsets.UTF_8).toString();
  }

  /** Returns the path in {@code [format:]file}. */
  private static Path plain(String location) {
    Path whole = Path.of(location);
    return Files.exists(whole) ? whole : Path.of(location.substring(location.indexOf(':') + 1));
  }

  @Override
  public void close() throws IOException {
    cells.close();
  }
}
