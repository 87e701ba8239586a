package dev.berth.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.runtime.journal.JournalFinding.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A torn tail is cut; damage before it refuses to start, names the offset and loses nothing. */
class JournalDamageTest {

  private static final FileJournalOptions GROUP =
      FileJournalOptions.defaults().withSegmentSize(1000);

  @Test
  void aFlippedBitInForcedDataIsRefusedWithItsOffset() throws IOException {
    for (long seed = 0; seed < 1000; seed++) {
      Random random = new Random(seed);
      SimulatedDisk disk = new SimulatedDisk(seed);
      FileJournal journal = disk.openJournal(GROUP);
      int count = 1 + random.nextInt(20);
      for (int i = 0; i < count; i++) {
        journal.append(Records.random(random, 80));
        if (random.nextInt(4) == 0) {
          journal.force();
        }
      }
      if (seed % 2 == 0) {
        journal.close(); // the note of what was forced is durable
        disk.failPower();
      } else {
        journal.force();
        disk.kill(); // the note is there, although nobody waited for it
      }
      List<String> logs = List.copyOf(disk.contents(".log").keySet());
      String log = logs.get(random.nextInt(logs.size()));
      byte[] content = disk.content(log);
      int at = random.nextInt(36); // in the header, besides the zeros
      if (content.length > JournalFormat.FILE_HEADER) {
        at = JournalFormat.FILE_HEADER + random.nextInt(content.length - JournalFormat.FILE_HEADER);
      }
      disk.flip(log, at, random.nextInt(8));
      refuses(disk, log, startOfRecord(content, at), "seed " + seed);
    }
  }

  /** Returns the offset of the record with a byte; of no record, 0 or 16 in the header. */
  private static long startOfRecord(byte[] content, int at) {
    if (at < JournalFormat.FILE_HEADER) {
      return at < 16 ? 0 : 16;
    }
    int start = JournalFormat.FILE_HEADER;
    while (true) {
      int next = next(content, start);
      if (next > at) {
        return start;
      }
      start = next;
    }
  }

  private static int next(byte[] content, int record) {
    return record
        + JournalFormat.RECORD_HEADER
        + java.nio.ByteBuffer.wrap(content).getInt(record + Integer.BYTES);
  }

  /** Checks that the journal refuses to open and to change anything. */
  private static void refuses(SimulatedDisk disk, String file, long offset, String as)
      throws IOException {
    Map<String, byte[]> before = disk.contents("");
    JournalDamagedException damage =
        (JournalDamagedException) catchThrowable(() -> disk.openJournal(GROUP));
    assertThat(damage).as(as).isNotNull().hasMessageContaining("byte " + offset);
    assertThat(damage.file()).as(as).endsWith(file);
    assertThat(damage.offset()).as(as).isEqualTo(offset);
    assertThat(damage).hasMessageContaining("berth journal describe");
    Map<String, byte[]> after = disk.contents("");
    assertThat(after.keySet()).as(as).isEqualTo(before.keySet());
    after.forEach((name, content) -> assertThat(content).as(as).isEqualTo(before.get(name)));
    JournalInspection inspection = disk.inspect();
    assertThat(inspection.isDamaged()).as(as).isTrue();
    assertThat(inspection.findings())
        .as(as)
        .anyMatch(
            each ->
                each.kind() == Kind.DAMAGE && each.file().equals(file) && each.offset() == offset);
  }

  @Test
  void aFlippedBitInAnUnforcedTailIsCut() throws IOException {
    for (long seed = 0; seed < 1000; seed++) {
      Random random = new Random(seed);
      SimulatedDisk disk = new SimulatedDisk(seed);
      FileJournal journal = disk.openJournal(GROUP.withSegmentSize(100_000));
      List<byte[]> records = new ArrayList<>();
      int forced = random.nextInt(5);
      int count = forced + 1 + random.nextInt(5);
      for (int i = 0; i < count; i++) {
        records.add(Records.random(random, 80));
        journal.append(records.get(i));
        if (i + 1 == forced) {
          journal.force();
        }
      }
      journal.read(1).close(); // hands the rest to the operating system
      disk.kill();
      String log = disk.contents(".log").keySet().iterator().next();
      byte[] content = disk.content(log);
      int tail = JournalFormat.FILE_HEADER;
      for (int i = 0; i < forced; i++) {
        tail = next(content, tail);
      }
      int at = tail + random.nextInt(content.length - tail);
      disk.flip(log, at, random.nextInt(8));
      long start = startOfRecord(content, at);
      FileJournal again = disk.openJournal(GROUP);
      List<byte[]> found = Records.all(again);
      assertThat(found).as("seed %s", seed).hasSizeBetween(forced, count - 1);
      for (int i = 0; i < found.size(); i++) {
        assertThat(found.get(i)).as("seed %s", seed).isEqualTo(records.get(i));
      }
      assertThat(again.findings())
          .anyMatch(each -> each.kind() == Kind.CUT_TAIL && each.offset() == start);
    }
  }

  @Test
  void aRecordSaysThatThoseBeforeItWereForced() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    FileJournal journal = disk.openJournal(GROUP);
    for (int i = 0; i < 3; i++) {
      journal.append(new byte[20]);
      journal.force();
    }
    disk.kill();
    String fence = disk.contents(".fence").keySet().iterator().next();
    disk.put(fence, new byte[0]); // as after a failure of the machine
    String log = disk.contents(".log").keySet().iterator().next();
    disk.flip(log, JournalFormat.FILE_HEADER + 40, 3);
    refuses(disk, log, JournalFormat.FILE_HEADER, "record 1, known from record 2");
  }

  @Test
  void zerosAfterTheLastRecordAreCut() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    FileJournal journal = disk.openJournal(GROUP);
    journal.append(new byte[20]);
    journal.force();
    disk.kill();
    String log = disk.contents(".log").keySet().iterator().next();
    byte[] content = disk.content(log);
    disk.put(log, Arrays.copyOf(content, content.length + 4096));
    FileJournal again = disk.openJournal(GROUP);
    assertThat(again.lastNumber()).isEqualTo(1);
    assertThat(again.findings())
        .singleElement()
        .matches(each -> each.kind() == Kind.CUT_TAIL && each.offset() == content.length);
  }

  @Test
  void theLossOfForcedRecordsAtTheEndIsRefused() throws IOException {
    SimulatedDisk disk = written();
    String log = last(disk);
    byte[] content = disk.content(log);
    disk.put(log, Arrays.copyOf(content, content.length - 52));
    refuses(disk, log, content.length - 52, "the file ends at the end of a record");
    disk.put(log, Arrays.copyOf(content, content.length - 1));
    refuses(disk, log, content.length - 52, "the file ends in a record");
    disk.put(log, Arrays.copyOf(content, 10));
    refuses(disk, log, 0, "the file ends in its header");
  }

  @Test
  void aMissingSegmentIsRefused() throws IOException {
    SimulatedDisk disk = written();
    List<String> logs = List.copyOf(disk.contents(".log").keySet());
    assertThat(logs).hasSizeGreaterThan(3);
    byte[] second = disk.content(logs.get(1));
    byte[] first = disk.content(logs.get(0));
    disk.remove(logs.get(1));
    refuses(disk, logs.get(0), first.length, "a segment in the middle");
    disk.put(logs.get(1), second);
    disk.remove(logs.get(0));
    refuses(disk, logs.get(1), 0, "the first segment");
    disk.put(logs.get(0), first);
    disk.remove(last(disk));
    refuses(disk, last(disk), disk.content(last(disk)).length, "the last segment");
    disk.contents(".log").keySet().forEach(disk::remove);
    refuses(disk, "/", 0, "all segments");
  }

  private static void refuses(SimulatedDisk disk, String file, int offset, String as)
      throws IOException {
    if (!file.equals("/")) {
      refuses(disk, file, (long) offset, as);
      return;
    }
    assertThatThrownBy(() -> disk.openJournal(GROUP))
        .isInstanceOf(JournalDamagedException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void aGapOfNumbersIsRefused() throws IOException {
    SimulatedDisk disk = written();
    String log = last(disk);
    byte[] content = disk.content(log);
    int second = next(content, JournalFormat.FILE_HEADER);
    int third = next(content, second);
    byte[] shorter = Arrays.copyOf(content, content.length - (third - second));
    System.arraycopy(content, third, shorter, second, content.length - third);
    disk.put(log, shorter);
    for (String each : disk.contents(".fence").keySet()) {
      disk.put(each, new byte[0]);
    }
    refuses(disk, log, (long) second, "record 2 of the segment was taken out");
  }

  @Test
  void bytesAfterTheLastRecordOfAnEarlierSegmentAreRefused() throws IOException {
    SimulatedDisk disk = written();
    String log = disk.contents(".log").keySet().iterator().next();
    byte[] content = disk.content(log);
    disk.put(log, Arrays.copyOf(content, content.length + 1));
    refuses(disk, log, (long) content.length, "one more byte");
  }

  /** Returns a disk with several segments of one writer, each record 52 bytes with its header. */
  private static SimulatedDisk written() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    FileJournal journal = disk.openJournal(GROUP);
    for (int i = 0; i < 18 * 3 + 5; i++) {
      journal.append(new byte[20]);
    }
    journal.close();
    return disk;
  }

  private static String last(SimulatedDisk disk) {
    List<String> logs = List.copyOf(disk.contents(".log").keySet());
    return logs.get(logs.size() - 1);
  }
}
