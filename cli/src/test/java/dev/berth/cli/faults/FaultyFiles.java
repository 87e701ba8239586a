package dev.berth.cli.faults;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file system of the machine, some of whose operations fail as {@link Faults} says. A JVM that
 * is started with {@code -Djava.nio.file.spi.DefaultFileSystemProvider} and the name of this class
 * uses it for every path, so that the code under test needs no hook.
 */
public final class FaultyFiles extends FileSystemProvider {

  private final FileSystemProvider real;
  private final Wrapper files;

  /** Called by the JVM. */
  public FaultyFiles(FileSystemProvider real) {
    this.real = real;
    this.files = new Wrapper();
  }

  private FaultyPath wrapped(Path path) {
    return path instanceof FaultyPath already ? already : new FaultyPath(files, path);
  }

  private static Path real(Path path) {
    return path instanceof FaultyPath faulty ? faulty.real() : path;
  }

  @Override
  public String getScheme() {
    return real.getScheme();
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
    return real.newFileSystem(uri, env);
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return files;
  }

  @Override
  public Path getPath(URI uri) {
    return wrapped(real.getPath(uri));
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    boolean creates =
        options.contains(StandardOpenOption.CREATE)
            || options.contains(StandardOpenOption.CREATE_NEW);
    Faults.before(creates ? Operation.CREATE : Operation.OPEN, real(path));
    boolean writes =
        options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
    return new FaultyChannel(
        real(path), writes, real.newFileChannel(real(path), options, attributes));
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    Faults.before(Operation.LIST, real(folder));
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> members =
        real.newDirectoryStream(real(folder), each -> filter.accept(wrapped(each)))) {
      members.forEach(each -> all.add(wrapped(each)));
    }
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return all.iterator();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
    Faults.before(Operation.CREATE, real(folder));
    real.createDirectory(real(folder), attributes);
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    real.createSymbolicLink(real(link), real(target), attributes);
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return wrapped(real.readSymbolicLink(real(link)));
  }

  @Override
  public void delete(Path path) throws IOException {
    Faults.before(Operation.DELETE, real(path));
    real.delete(real(path));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    Faults.before(Operation.CREATE, real(target));
    real.copy(real(source), real(target), options);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    Faults.before(Operation.MOVE, real(target));
    real.move(real(source), real(target), options);
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return real.isSameFile(real(one), real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return real.isHidden(real(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return real.getFileStore(real(path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    Faults.before(Operation.LOOK, real(path));
    real.checkAccess(real(path), modes);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return real.getFileAttributeView(real(path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    Faults.before(Operation.LOOK, real(path));
    return real.readAttributes(real(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    Faults.before(Operation.LOOK, real(path));
    return real.readAttributes(real(path), names, options);
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options)
      throws IOException {
    real.setAttribute(real(path), name, value, options);
  }

  /** The file system whose paths are {@linkplain FaultyPath wrapped}. */
  final class Wrapper extends FileSystem {

    private final FileSystem its = real.getFileSystem(URI.create("file:///"));

    FaultyPath wrap(Path path) {
      return wrapped(path);
    }

    @Override
    public FileSystemProvider provider() {
      return FaultyFiles.this;
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public String getSeparator() {
      return its.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      List<Path> roots = new ArrayList<>();
      its.getRootDirectories().forEach(each -> roots.add(wrapped(each)));
      return roots;
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      return its.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return its.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
      return wrapped(its.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
      PathMatcher matcher = its.getPathMatcher(pattern);
      return path -> matcher.matches(real(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      return its.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
      return its.newWatchService();
    }
  }
}
