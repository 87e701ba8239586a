package dev.berth.cli.faults;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/**
 * A path of {@link FaultyFiles}.
 *
 * @param files its file system
 * @param real the path that it stands for
 */
record FaultyPath(FaultyFiles.Wrapper files, Path real) implements Path {

  private static Path real(Path other) {
    return other instanceof FaultyPath faulty ? faulty.real : other;
  }

  private @Nullable Path wrapped(@Nullable Path other) {
    return other == null ? null : files.wrap(other);
  }

  @Override
  public FileSystem getFileSystem() {
    return files;
  }

  @Override
  public boolean isAbsolute() {
    return real.isAbsolute();
  }

  @Override
  public @Nullable Path getRoot() {
    return wrapped(real.getRoot());
  }

  @Override
  public @Nullable Path getFileName() {
    return wrapped(real.getFileName());
  }

  @Override
  public @Nullable Path getParent() {
    return wrapped(real.getParent());
  }

  @Override
  public int getNameCount() {
    return real.getNameCount();
  }

  @Override
  public Path getName(int index) {
    return files.wrap(real.getName(index));
  }

  @Override
  public Path subpath(int from, int to) {
    return files.wrap(real.subpath(from, to));
  }

  @Override
  public boolean startsWith(Path other) {
    return real.startsWith(real(other));
  }

  @Override
  public boolean endsWith(Path other) {
    return real.endsWith(real(other));
  }

  @Override
  public Path normalize() {
    return files.wrap(real.normalize());
  }

  @Override
  public Path resolve(Path other) {
    return files.wrap(real.resolve(real(other)));
  }

  @Override
  public Path relativize(Path other) {
    return files.wrap(real.relativize(real(other)));
  }

  @Override
  public URI toUri() {
    return real.toUri();
  }

  @Override
  public Path toAbsolutePath() {
    return files.wrap(real.toAbsolutePath());
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    Faults.before(Operation.LOOK, real);
    return files.wrap(real.toRealPath(options));
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
      throws IOException {
    return real.register(watcher, events, modifiers);
  }

  @Override
  public int compareTo(Path other) {
    return real.compareTo(real(other));
  }

  @Override
  public String toString() {
    return real.toString();
  }
}
