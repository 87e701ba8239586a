package dev.berth.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The logs in which a folder has the runs of experiments. */
public final class CellLogs {

  private static final Pattern RECORD = Pattern.compile("(?=berth cell [0-9a-f]{64} )");

  private CellLogs() {}

  /** Returns what is stored of each run, of the last one of each log perhaps a part. */
  public static Set<String> records(Path folder) throws IOException {
    Set<String> records = new TreeSet<>();
    for (Path each : in(folder)) {
      records.addAll(records(text(each)));
    }
    return records;
  }

  /** Returns the number of runs that are stored, the last one of each log perhaps in part. */
  public static int count(Path folder) throws IOException {
    return records(folder).size();
  }

  /** Cuts the only log, so that it has the first runs, and a part of the next. */
  public static void keepFirst(Path folder, int runs) throws IOException {
    Path log = in(folder).get(0);
    String text = text(log);
    int end = String.join("", records(text).subList(0, runs)).length();
    Files.writeString(log, text.substring(0, end + 100), StandardCharsets.ISO_8859_1);
  }

  private static List<Path> in(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(each -> each.toString().endsWith(".cells")).sorted().toList();
    }
  }

  private static List<String> records(String log) {
    return List.of(RECORD.split(log));
  }

  private static String text(Path log) throws IOException {
    return Files.readString(log, StandardCharsets.ISO_8859_1);
  }
}
