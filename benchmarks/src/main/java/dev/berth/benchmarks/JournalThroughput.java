package dev.berth.benchmarks;

import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.FileJournalOptions;
import dev.berth.runtime.journal.ForceMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Random;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * Records of 200 bytes that a journal appends per second in each force mode, beside MVStore of H2
 * as a map from numbers to records. Both hand a group of records to the disk at a time. Prints the
 * median of some rounds with the least and the most; the two take turns. Run it with {@code java
 * -cp benchmarks.jar dev.berth.benchmarks.JournalThroughput [DIRECTORY ROUNDS]}; the directory must
 * be on the disk to measure.
 */
public final class JournalThroughput {

  private static final int RECORD = 200;
  private static final int GROUP = 100;

  private final Path directory;
  private final int rounds;
  private final byte[][] records = new byte[1024][RECORD];

  private JournalThroughput(Path directory, int rounds) {
    this.directory = directory;
    this.rounds = rounds;
    Random random = new Random(1);
    for (byte[] each : records) {
      random.nextBytes(each);
    }
  }

  /** Runs the benchmark. */
  public static void main(String[] args) throws IOException {
    Path parent = Path.of(args.length > 0 ? args[0] : ".");
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
    new JournalThroughput(parent, rounds).run();
  }

  private void run() throws IOException {
    System.out.printf(
        "records of %s bytes, groups of %s, median (least to most) of %s rounds%n",
        RECORD, GROUP, rounds);
    for (ForceMode mode : ForceMode.values()) {
      int count = count(mode);
      double[] ours = new double[rounds];
      double[] peer = new double[rounds];
      journal(mode, count); // both warm up
      mvStore(mode, count);
      for (int i = 0; i < rounds; i++) {
        ours[i] = count / journal(mode, count);
        peer[i] = count / mvStore(mode, count);
      }
      print("journal " + mode, count, ours);
      print("MVStore " + mode, count, peer);
    }
    recovery();
  }

  private static int count(ForceMode mode) {
    return switch (mode) {
      case EACH -> 1_000;
      case GROUP -> 50_000;
      case NEVER -> 500_000;
    };
  }

  private static void print(String what, int count, double[] perSecond) {
    Arrays.sort(perSecond);
    System.out.printf(
        Locale.ROOT,
        "%-16s %,12.0f records/s (%,.0f to %,.0f), %,d a round%n",
        what,
        perSecond[perSecond.length / 2],
        perSecond[0],
        perSecond[perSecond.length - 1],
        count);
  }

  private double journal(ForceMode mode, int count) throws IOException {
    Path folder = Files.createTempDirectory(directory, "journal");
    try (FileJournal journal =
        FileJournal.open(folder, FileJournalOptions.defaults().withForceMode(mode))) {
      long begin = System.nanoTime();
      for (int i = 1; i <= count; i++) {
        journal.append(records[i % records.length]);
        if (mode != ForceMode.EACH && i % GROUP == 0) {
          journal.force();
        }
      }
      return (System.nanoTime() - begin) / 1e9;
    } finally {
      delete(folder);
    }
  }

  private double mvStore(ForceMode mode, int count) throws IOException {
    Path folder = Files.createTempDirectory(directory, "mvstore");
    int group = mode == ForceMode.EACH ? 1 : GROUP;
    try (MVStore store =
        new MVStore.Builder()
            .fileName(folder.resolve("store").toString())
            .autoCommitDisabled()
            .open()) {
      MVMap<Long, byte[]> map = store.openMap("journal");
      long begin = System.nanoTime();
      for (int i = 1; i <= count; i++) {
        map.append((long) i, records[i % records.length]);
        if (i % group == 0) {
          store.commit();
          if (mode != ForceMode.NEVER) {
            store.sync();
          }
        }
      }
      return (System.nanoTime() - begin) / 1e9;
    } finally {
      delete(folder);
    }
  }

  /** Opens a journal with a million records, and reads them. */
  private void recovery() throws IOException {
    int count = 1_000_000;
    Path folder = Files.createTempDirectory(directory, "journal");
    FileJournalOptions options = FileJournalOptions.defaults().withForceMode(ForceMode.NEVER);
    try {
      try (FileJournal journal = FileJournal.open(folder, options)) {
        for (int i = 1; i <= count; i++) {
          journal.append(records[i % records.length]);
        }
      }
      double[] opening = new double[rounds];
      double[] reading = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        long begin = System.nanoTime();
        try (FileJournal journal = FileJournal.open(folder, options)) {
          opening[i] = (System.nanoTime() - begin) / 1e6;
          begin = System.nanoTime();
          long bytes = 0;
          try (var cursor = journal.read(1)) {
            while (cursor.next()) {
              bytes += cursor.bytes().length;
            }
          }
          if (bytes != (long) count * RECORD) {
            throw new IllegalStateException("The journal lost records.");
          }
          reading[i] = (System.nanoTime() - begin) / 1e6;
        }
      }
      Arrays.sort(opening);
      Arrays.sort(reading);
      System.out.printf(
          Locale.ROOT,
          "opening with %,d records: %.0f ms, then reading them: %.0f ms (in the page cache)%n",
          count,
          opening[rounds / 2],
          reading[rounds / 2]);
    } finally {
      delete(folder);
    }
  }

  static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
