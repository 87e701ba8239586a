package dev.berth.experiments.store;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
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

/** Digests of files and of code, as 64 hexadecimal digits. Results are stored under them. */
public final class ContentDigest {

  private static final Map<Path, String> CODE = new ConcurrentHashMap<>();

  private ContentDigest() {}

  /**
   * Returns the digest of a file, or of all files in a folder.
   *
   * @throws UncheckedIOException if one cannot be read
   */
  public static String of(Path path) {
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
  public static List<Path> files(Path path) throws IOException {
    if (Files.isRegularFile(path)) {
      return List.of(path);
    }
    try (Stream<Path> all = Files.walk(path)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /**
   * Returns the digest of the jar or folder that has the code of a class. Reads it once.
   *
   * @throws IllegalStateException if the location of the code is unknown
   * @throws UncheckedIOException if the code cannot be read
   */
  public static String ofCode(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      throw new IllegalStateException("%s has no known code location.".formatted(type.getName()));
    }
    try {
      return CODE.computeIfAbsent(Path.of(source.getLocation().toURI()), ContentDigest::of);
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
