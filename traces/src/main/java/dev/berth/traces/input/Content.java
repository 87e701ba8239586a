package dev.berth.traces.input;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What an input consists of: a file or a folder, on disk or in memory. */
interface Content {

  /** Returns the path, by which messages name the content. */
  String file();

  /** Returns the last name of the path. */
  String name();

  boolean exists();

  boolean isFolder();

  /** Returns whether this is a file that can be read more than once. */
  boolean isRegularFile();

  /** Returns what is in this folder, sorted by name. */
  List<Content> members() throws IOException;

  /** Returns the content at another path in the same place. */
  Content at(String other);

  /** Opens the file. */
  InputStream open() throws IOException;

  /**
   * Content on disk.
   *
   * @param file the path as the user named it
   * @param path the same path
   */
  record OnDisk(String file, Path path) implements Content {

    @Override
    public String name() {
      Path last = path.normalize().getFileName();
      return last == null || last.toString().isEmpty() ? file : last.toString();
    }

    @Override
    public boolean exists() {
      return Files.exists(path);
    }

    @Override
    public boolean isFolder() {
      return Files.isDirectory(path);
    }

    @Override
    public boolean isRegularFile() {
      return Files.isRegularFile(path);
    }

    @Override
    public List<Content> members() throws IOException {
      try (Stream<Path> members = Files.list(path)) {
        return members.sorted().<Content>map(each -> new OnDisk(each.toString(), each)).toList();
      }
    }

    @Override
    public Content at(String other) {
      return new OnDisk(other, Path.of(other));
    }

    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(path);
    }
  }

  /**
   * Content in memory.
   *
   * @param file the path: names joined by {@code /}
   * @param files all files in memory that belong together, by path
   */
  record InMemory(String file, SortedMap<String, byte[]> files) implements Content {

    /** Returns one file. */
    static Content file(String name, byte[] content) {
      return new InMemory(name, new TreeMap<>(Map.of(name, content.clone())));
    }

    /** Returns a folder of at least one file. */
    static Content folder(String name, Map<String, byte[]> members) {
      SortedMap<String, byte[]> files = new TreeMap<>();
      members.forEach((each, content) -> files.put(name + "/" + each, content.clone()));
      return new InMemory(name, files);
    }

    @Override
    public String name() {
      return file.substring(file.lastIndexOf('/') + 1);
    }

    @Override
    public boolean exists() {
      return isRegularFile() || isFolder();
    }

    @Override
    public boolean isFolder() {
      SortedMap<String, byte[]> after = files.tailMap(file + "/");
      return !after.isEmpty() && after.firstKey().startsWith(file + "/");
    }

    @Override
    public boolean isRegularFile() {
      return files.containsKey(file);
    }

    @Override
    public List<Content> members() {
      TreeSet<String> names = new TreeSet<>();
      for (String each : files.tailMap(file + "/").keySet()) {
        if (!each.startsWith(file + "/")) {
          break;
        }
        int end = each.indexOf('/', file.length() + 1);
        names.add(end < 0 ? each : each.substring(0, end));
      }
      return names.stream().map(this::at).toList();
    }

    @Override
    public Content at(String other) {
      return new InMemory(other, files);
    }

    @Override
    public InputStream open() {
      byte[] content = files.get(file);
      return new ByteArrayInputStream(content == null ? new byte[0] : content);
    }
  }
}
