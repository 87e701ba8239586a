package dev.berth.runtime.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other processes write a real journal. -Dberth.kills=200 kills more of them. */
class JournalKillTest {

  private static final FileJournalOptions OPTIONS =
      FileJournalOptions.defaults().withSegmentSize(20_000).withMaxRecordSize(2000);

  private static final List<ForceMode> MODES = List.of(ForceMode.values());

  /** Appends records, whose bytes follow from their numbers, and prints each forced number. */
  static final class Writer {

    private Writer() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] args) throws IOException {
      Random random = new Random(Long.parseLong(args[1]));
      ForceMode mode = ForceMode.valueOf(args[2]);
      try (FileJournal journal =
          FileJournal.open(Path.of(args[0]), OPTIONS.withForceMode(mode).withSnapshotsKept(1))) {
        System.out.println(journal.lastNumber());
        while (true) {
          for (int i = random.nextInt(20); i >= 0; i--) {
            journal.append(record(journal.lastNumber() + 1));
          }
          journal.force();
          System.out.println(journal.lastNumber());
          if (random.nextInt(50) == 0) {
            long covered = journal.lastNumber();
            journal.saveSnapshot(covered, out -> out.write(record(covered)));
            journal.compact();
          }
        }
      } catch (JournalFencedException fenced) {
        System.out.println("fenced");
      }
    }
  }

  private static byte[] record(long number) {
    byte[] record = new byte[8 + (int) (number * 7919 % 600)];
    ByteBuffer.wrap(record).putLong(number);
    return record;
  }

  private static Process start(Path directory, long seed, ForceMode mode) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            Writer.class.getName(),
            directory.toString(),
            Long.toString(seed),
            mode.name())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void nothingAcknowledgedIsLostWhenTheProcessIsKilled(@TempDir Path directory) throws Exception {
    int kills = Integer.getInteger("berth.kills", 3);
    Random random = new Random(1);
    long acknowledged = 0;
    for (int i = 0; i < kills; i++) {
      ForceMode mode = MODES.get(i % MODES.size());
      Process process = start(directory, i, mode);
      try (BufferedReader out =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
        for (int lines = 1 + random.nextInt(400); lines > 0; lines--) {
          acknowledged = Long.parseLong(out.readLine());
        }
        process.toHandle().destroyForcibly(); // leaves open what it had printed
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          acknowledged = Math.max(acknowledged, Long.parseLong(line)); // the last may be cut
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      String as = "kill " + i + " in mode " + mode;
      try (FileJournal journal = FileJournal.open(directory, OPTIONS)) {
        assertThat(journal.lastNumber()).as(as).isGreaterThanOrEqualTo(acknowledged);
        try (JournalCursor cursor = journal.read(journal.firstNumber())) {
          while (cursor.next()) {
            assertThat(cursor.bytes()).as(as).isEqualTo(record(cursor.number()));
          }
        }
        JournalSnapshot snapshot = journal.latestSnapshot().orElse(null);
        assertThat(journal.firstNumber())
            .as(as)
            .isLessThanOrEqualTo(snapshot == null ? 1 : snapshot.number() + 1);
        if (snapshot != null) {
          assertThat(Records.content(snapshot)).as(as).isEqualTo(record(snapshot.number()));
        }
        acknowledged = journal.lastNumber();
      }
    }
  }

  @Test
  void aSecondProcessIsRefusedAndAReplacedOneFindsOut(@TempDir Path directory) throws Exception {
    Process process = start(directory, 1, ForceMode.GROUP);
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      assertThat(out.readLine()).isEqualTo("0");
      assertThatThrownBy(() -> FileJournal.open(directory))
          .isInstanceOf(JournalLockedException.class)
          .hasMessageContaining(directory.toRealPath().toString())
          .hasMessageContaining("process " + process.pid() + ", started at ");
      Files.delete(directory.resolve(JournalFormat.LOCK)); // as a careless operator might
      try (FileJournal second = FileJournal.open(directory, OPTIONS)) {
        long last = 0;
        String line = out.readLine();
        while (line != null && !line.equals("fenced")) {
          last = Long.parseLong(line);
          line = out.readLine();
        }
        assertThat(line).isEqualTo("fenced");
        assertThat(second.lastNumber()).isGreaterThanOrEqualTo(last);
      }
      try (FileJournal third = FileJournal.open(directory, OPTIONS)) {
        assertThat(third.fence()).isEqualTo(3);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
