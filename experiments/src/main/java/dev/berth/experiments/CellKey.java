package dev.berth.experiments;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import dev.berth.api.policy.Policy;
import dev.berth.core.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Digests of everything that a cell depends on: its case, its configured policy, its measurements,
 * and the code of Berth and of the policy.
 */
final class CellKey {

  /** Incremented whenever the stored form of a cell changes. */
  private static final int FORMAT = 3;

  private static final Map<Path, String> CODE = new ConcurrentHashMap<>();

  private CellKey() {}

  /** Returns the digest of a cell, as 64 hexadecimal digits. */
  static String of(Cell cell) {
    PolicyChoice<?> policy = cell.policy().choice();
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("format", FORMAT);
    all.put("simulator", code(CellKey.class));
    all.put("core", code(Scheduler.class));
    all.put("api", code(Policy.class));
    all.put("code", code(policy.factory().getClass()));
    all.put("policy", policy.id());
    all.set("config", policy.configJson());
    // An infinite host is the same for any number of hosts that it stands for.
    ObjectNode setting = cell.setting().identity().deepCopy();
    if (cell.policy().role() == ComparedPolicy.Role.UPPER_BOUND) {
      setting.remove(Case.SCALE);
      setting.put("infinite", true);
    }
    all.set("case", setting);
    all.set("metrics", CellJson.tree(cell.metrics()));
    return Hashing.sha256().hashString(CellJson.line(all), StandardCharsets.UTF_8).toString();
  }

  /** Returns the digest of a file, or of all files in a folder. */
  static String content(Path path) {
    try {
      Hasher hasher = Hashing.sha256().newHasher();
      for (Path file : files(path)) {
        hasher.putString(
            path.relativize(file).toString().replace('\\', '/'), StandardCharsets.UTF_8);
        hasher.putByte((byte) 0);
        hasher.putBytes(
            com.google.common.io.Files.asByteSource(file.toFile())
                .hash(Hashing.sha256())
                .asBytes());
      }
      return hasher.hash().toString();
    } catch (IOException unreadable) {
      throw new UncheckedIOException("%s cannot be read.".formatted(path), unreadable);
    }
  }

  /** Returns the file itself, or all files in a folder. */
  static List<Path> files(Path path) throws IOException {
    if (Files.isRegularFile(path)) {
      return List.of(path);
    }
    try (Stream<Path> all = Files.walk(path)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String code(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      throw new IllegalStateException("%s has no known code location.".formatted(type.getName()));
    }
    try {
      return CODE.computeIfAbsent(Path.of(source.getLocation().toURI()), CellKey::content);
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
