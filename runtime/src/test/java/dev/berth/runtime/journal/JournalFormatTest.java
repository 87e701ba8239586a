package dev.berth.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The format of the files stays, its size is what is said, and a newer one is refused. */
class JournalFormatTest {

  private static final FileJournalOptions OPTIONS =
      FileJournalOptions.defaults().withSegmentSize(256);

  /** The files of format 1; run with -Dberth.golden=FOLDER to write those of a new format. */
  private static final List<String> GOLDEN =
      List.of(
          "0000000000000000004-0000000001.log",
          "0000000000000000006-0000000001.log",
          "0000000000000000007-0000000001.log",
          "0000000000000000008-0000000002.log",
          "0000000000000000003.snapshot",
          "0000000000000000006.snapshot",
          "0000000002.fence");

  private static byte[] record(int number) {
    byte[] record = new byte[number * 13];
    for (int i = 0; i < record.length; i++) {
      record[i] = (byte) (number * 31 + i);
    }
    return record;
  }

  /** Writes a journal that has all kinds of files. */
  private static SimulatedDisk written() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    FileJournal journal = disk.openJournal(OPTIONS);
    for (int i = 1; i <= 7; i++) {
      journal.append(record(i));
      journal.force();
      if (i % 3 == 0) {
        int number = i;
        journal.saveSnapshot(i, out -> out.write(record(number * 10)));
        journal.compact();
      }
    }
    journal.close();
    journal = disk.openJournal(OPTIONS);
    journal.append(record(8));
    journal.append(record(0));
    journal.close();
    return disk;
  }

  @Test
  void goldenFilesOfFormat1AreReadBackIdentical(@TempDir Path directory) throws IOException {
    for (String each : GOLDEN) {
      Files.write(directory.resolve(each), golden(each));
    }
    JournalInspection found = JournalInspection.of(directory);
    assertThat(found.findings()).isEmpty();
    assertThat(found.lastNumber()).isEqualTo(9);
    try (FileJournal journal = FileJournal.open(directory, OPTIONS)) {
      assertThat(journal.findings()).isEmpty();
      assertThat(journal.fence()).isEqualTo(3);
      assertThat(journal.firstNumber()).isEqualTo(4);
      List<byte[]> records = Records.all(journal);
      assertThat(records)
          .containsExactly(record(4), record(5), record(6), record(7), record(8), record(0));
      JournalSnapshot snapshot = journal.latestSnapshot().orElseThrow();
      assertThat(snapshot.number()).isEqualTo(6);
      assertThat(Records.content(snapshot)).isEqualTo(record(60));
      assertThat(journal.append(record(1))).isEqualTo(10);
    }
  }

  @Test
  void thisVersionWritesTheGoldenFiles() throws IOException {
    Map<String, byte[]> files = new TreeMap<>(written().contents(""));
    String folder = System.getProperty("berth.golden");
    if (folder != null) {
      Files.createDirectories(Path.of(folder));
      for (Map.Entry<String, byte[]> each : files.entrySet()) {
        Files.write(Path.of(folder, each.getKey()), each.getValue());
      }
    }
    assertThat(files.keySet()).containsExactlyInAnyOrderElementsOf(GOLDEN);
    for (String each : GOLDEN) {
      assertThat(files.get(each)).as(each).isEqualTo(golden(each));
    }
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream in = JournalFormatTest.class.getResourceAsStream("format-1/" + name)) {
      assertThat(in).as(name).isNotNull();
      return in.readAllBytes();
    }
  }

  @Test
  void aNewerVersionIsRefusedAndNothingIsModified() throws IOException {
    for (String name :
        List.of("0000000000000000007-0000000001.log", "0000000000000000006.snapshot")) {
      SimulatedDisk disk = written();
      byte[] content = disk.content(name);
      ByteBuffer.wrap(content).putInt(8, 2);
      CRC32C crc = new CRC32C();
      crc.update(content, 0, 12);
      ByteBuffer.wrap(content).putInt(12, (int) crc.getValue());
      disk.put(name, content);
      List<String> before = disk.list();
      assertThatThrownBy(() -> disk.openJournal(OPTIONS))
          .isInstanceOf(JournalVersionException.class)
          .hasMessage(
              "/simulated/%s: the file has format 2, but this version of Berth reads formats up to 1. Use a newer version of Berth."
                  .formatted(name));
      assertThat(disk.list()).isEqualTo(before);
      assertThat(disk.inspect().findings())
          .anyMatch(each -> each.kind() == JournalFinding.Kind.NEWER_VERSION);
    }
  }

  @Test
  void theSizeOfRecordsAndFilesIsAsDocumented(@TempDir Path directory) throws IOException {
    try (FileJournal journal = FileJournal.open(directory)) {
      assertThat(FileJournal.RECORD_OVERHEAD).isEqualTo(32);
      assertThat(journal.size()).isEqualTo(40);
      long contents = 0;
      for (int i = 0; i < 1000; i++) {
        journal.append(new byte[i]);
        contents += i;
      }
      assertThat(journal.size()).isEqualTo(40 + 1000 * 32 + contents);
      journal.force();
      journal.saveSnapshot(1000, out -> out.write(new byte[5000]));
      assertThat(journal.size()).isEqualTo(40 + 1000 * 32 + contents + 40 + 56 + 5000);
      assertThat(bytes(directory)).isEqualTo(journal.size());
      assertThat(JournalInspection.of(directory).size()).isEqualTo(journal.size());
    }
    try (FileJournal journal = FileJournal.open(directory)) {
      assertThat(bytes(directory)).isEqualTo(journal.size());
    }
  }

  /** Returns the bytes of segments and snapshots. */
  private static long bytes(Path directory) throws IOException {
    long bytes = 0;
    try (var files = Files.list(directory)) {
      for (Path each : files.toList()) {
        String name = each.getFileName().toString();
        bytes += name.endsWith(".log") || name.endsWith(".snapshot") ? Files.size(each) : 0;
      }
    }
    return bytes;
  }

  @Test
  void recordsOfAllSizesComeBack(@TempDir Path directory) throws IOException {
    List<byte[]> records = new ArrayList<>();
    FileJournalOptions options = OPTIONS.withSegmentSize(1 << 20).withMaxRecordSize(3 << 20);
    try (FileJournal journal = FileJournal.open(directory, options)) {
      for (int size : new int[] {0, 1, 31, 65_504, 65_536, 262_112, 262_144, 262_145, 3 << 20, 7}) {
        byte[] record = new byte[size];
        new java.util.Random(size).nextBytes(record);
        records.add(record);
        journal.append(record);
      }
      same(Records.all(journal), records);
      JournalCursor cursor = journal.read(9);
      assertThatThrownBy(cursor::bytes).isInstanceOf(IllegalStateException.class);
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.number()).isEqualTo(9);
      assertThat(cursor.fence()).isEqualTo(1);
      cursor.close();
      assertThat(journal.read(11).next()).isFalse();
      assertThatThrownBy(() -> journal.read(12))
          .hasMessage("Journal.read: from was 12, must be from 1 to 11.");
      assertThatThrownBy(() -> journal.append(new byte[(3 << 20) + 1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must have at most 3145728");
      assertThat(journal.append(new byte[0])).isEqualTo(11);
      records.add(new byte[0]);
    }
    try (FileJournal journal = FileJournal.open(directory, OPTIONS.withMaxRecordSize(10))) {
      same(Records.all(journal), records);
    }
  }

  private static void same(List<byte[]> found, List<byte[]> written) {
    assertThat(found).hasSameSizeAs(written);
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i)).isEqualTo(written.get(i));
    }
  }

  @Test
  void settingsOutOfBoundsAreRefused() {
    FileJournalOptions defaults = FileJournalOptions.defaults();
    assertThatThrownBy(() -> defaults.withSegmentSize(255))
        .hasMessage("FileJournalOptions: segmentSize was 255 bytes, must be 256 or more.");
    assertThatThrownBy(() -> defaults.withMaxRecordSize(0))
        .hasMessage("FileJournalOptions: maxRecordSize was 0 bytes, must be from 1 to 1073741824.");
    assertThatThrownBy(() -> defaults.withSnapshotsKept(0))
        .hasMessage("FileJournalOptions: snapshotsKept was 0, must be 1 or more.");
    assertThatThrownBy(() -> defaults.withForceMode(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void aJournalCanBeInspectedBesideItsWriter(@TempDir Path directory) throws IOException {
    try (FileJournal journal = FileJournal.open(directory, OPTIONS)) {
      for (int i = 1; i <= 50; i++) {
        journal.append(record(i % 5));
        journal.force();
        JournalInspection found = JournalInspection.of(directory);
        assertThat(found.lastNumber()).isEqualTo(i);
        assertThat(found.findings()).isEmpty();
        assertThat(Records.from(found.read(1), 1)).hasSize(i);
      }
      assertThat(JournalInspection.of(directory).segments()).hasSizeGreaterThan(5);
    }
  }

  @Test
  void anInspectionReadsUpToTheDamage() throws IOException {
    SimulatedDisk disk = written();
    disk.flip("0000000000000000004-0000000001.log", JournalFormat.FILE_HEADER + 32 + 52 + 40, 1);
    JournalInspection found = disk.inspect();
    assertThat(found.isDamaged()).isTrue();
    assertThat(found.lastNumber()).isEqualTo(4);
    assertThat(Records.from(found.read(4), 4)).containsExactly(record(4));
  }
}
