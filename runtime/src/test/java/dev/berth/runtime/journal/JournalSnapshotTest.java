package dev.berth.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.berth.runtime.journal.JournalFinding.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot is verified before anything that it replaces goes. Crashes: JournalCrashTest. */
class JournalSnapshotTest {

  private static final FileJournalOptions OPTIONS =
      FileJournalOptions.defaults().withSegmentSize(1000);

  private final SimulatedDisk disk = new SimulatedDisk(1);

  private static void append(FileJournal journal, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      journal.append(new byte[20]);
    }
  }

  private static void save(FileJournal journal, int content) throws IOException {
    journal.saveSnapshot(journal.lastNumber(), out -> out.write(content));
  }

  @Test
  void compactionDropsTheSegmentsBeforeTheOldestSnapshotThatIsKept() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS);
    append(journal, 40);
    save(journal, 1);
    assertThat(journal.compact()).as("two are to be kept").isZero();
    append(journal, 40);
    save(journal, 2);
    long size = journal.size();
    long freed = journal.compact();
    assertThat(freed).isPositive();
    assertThat(journal.size()).isEqualTo(size - freed);
    assertThat(journal.firstNumber()).isEqualTo(41);
    assertThat(journal.lastNumber()).isEqualTo(80);
    append(journal, 1);
    journal.close();
    FileJournal again = disk.openJournal(OPTIONS.withSnapshotsKept(1));
    assertThat(again.firstNumber()).isEqualTo(41);
    assertThat(again.lastNumber()).isEqualTo(81);
    again.compact();
    assertThat(again.firstNumber()).isEqualTo(81);
    assertThat(disk.contents(".snapshot")).hasSize(1);
    assertThat(again.append(new byte[1])).isEqualTo(82);
  }

  @Test
  void aDamagedSnapshotIsReplacedByTheOneBeforeAndSaysSo() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS);
    append(journal, 10);
    save(journal, 1);
    append(journal, 10);
    save(journal, 2);
    journal.compact();
    journal.close();
    String newest = JournalFormat.snapshotName(20);
    assertThat(disk.inspect().latestSnapshot().number()).isEqualTo(20);
    assertThat(disk.inspect().oldestSnapshot().number()).isEqualTo(10);
    for (int at = 0; at < disk.content(newest).length; at++) {
      if (at < 36 || at >= 40) { // besides the zeros of the header
        disk.flip(newest, at, at % 8);
        JournalInspection found = disk.inspect();
        assertThat(found.latestSnapshot().number()).as("byte %s", at).isEqualTo(10);
        assertThat(found.isDamaged()).isFalse();
        disk.flip(newest, at, at % 8);
      }
    }
    disk.flip(newest, 40, 0);
    FileJournal again = disk.openJournal(OPTIONS);
    assertThat(Records.content(again.latestSnapshot().orElseThrow())).containsExactly(1);
    assertThat(Records.all(again)).hasSize(10);
    assertThat(again.findings())
        .singleElement()
        .matches(each -> each.kind() == Kind.DAMAGED_SNAPSHOT && each.file().equals(newest));
    save(again, 3);
    assertThat(Records.content(again.latestSnapshot().orElseThrow())).containsExactly(3);
  }

  @Test
  void aDamagedSnapshotThatNothingReplacesIsRefused() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS.withSnapshotsKept(1));
    append(journal, 10);
    save(journal, 1);
    journal.compact();
    journal.close();
    disk.flip(JournalFormat.snapshotName(10), 41, 0);
    assertThatThrownBy(() -> disk.openJournal(OPTIONS))
        .isInstanceOf(JournalDamagedException.class)
        .hasMessageContaining(
            "records up to 10 are missing, and no undamaged snapshot covers them");
  }

  @Test
  void compactionDropsNothingIfASnapshotIsDamagedMeanwhile() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS.withSnapshotsKept(1));
    append(journal, 10);
    save(journal, 1);
    disk.flip(JournalFormat.snapshotName(10), 41, 0);
    List<String> before = disk.list();
    assertThatThrownBy(journal::compact).isInstanceOf(JournalDamagedException.class);
    assertThat(disk.list()).isEqualTo(before);
  }

  @Test
  void aSnapshotThatReadsBackOtherwiseIsNotSavedAndTheOneBeforeStays() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS);
    append(journal, 10);
    save(journal, 1);
    append(journal, 10);
    journal.force();
    String newest = JournalFormat.snapshotName(20);
    for (int k = 1; k < 20 && !disk.exists(newest); k++) {
      disk.kill();
      FileJournal again = disk.openJournal(OPTIONS);
      disk.interjectAt(k, () -> damageIfThere(newest));
      try {
        save(again, 2);
        disk.remove(newest); // not there yet at that operation
      } catch (JournalDamagedException damaged) {
        assertThat(damaged.file()).endsWith(newest);
        assertThatThrownBy(() -> again.append(new byte[1]))
            .isInstanceOf(JournalFailedException.class);
      }
    }
    assertThat(disk.exists(newest)).isTrue();
    disk.kill();
    JournalSnapshot found = disk.openJournal(OPTIONS).latestSnapshot().orElseThrow();
    assertThat(found.number()).isEqualTo(10);
    assertThat(Records.content(found)).containsExactly(1);
  }

  private void damageIfThere(String name) {
    if (disk.exists(name)) {
      disk.flip(name, 40, 0);
    }
  }

  @Test
  void anInterruptedCompactionIsNoDamage() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS);
    append(journal, 60);
    save(journal, 1);
    journal.close();
    List<String> logs = List.copyOf(disk.contents(".log").keySet());
    assertThat(logs).hasSizeGreaterThanOrEqualTo(4);
    disk.remove(logs.get(1));
    FileJournal again = disk.openJournal(OPTIONS.withSnapshotsKept(1));
    assertThat(again.firstNumber()).isGreaterThan(1);
    assertThat(again.findings())
        .anyMatch(each -> each.kind() == Kind.LEFTOVER_FILE && each.file().equals(logs.get(0)));
    again.compact();
    assertThat(disk.exists(logs.get(0))).isFalse();
  }

  @Test
  void aSnapshotOfARecordThatIsMissingIsRefused() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS);
    append(journal, 5);
    save(journal, 1);
    journal.close();
    disk.put(JournalFormat.snapshotName(9), snapshot(9));
    assertThatThrownBy(() -> disk.openJournal(OPTIONS))
        .isInstanceOf(JournalDamagedException.class)
        .hasMessageContaining("covers records up to 9");
  }

  private static byte[] snapshot(long number) throws IOException {
    SimulatedDisk other = new SimulatedDisk(1);
    SnapshotFile.write(other, "it", number, 1, out -> out.write(1));
    return other.content("it");
  }

  @Test
  void aSnapshotThatCannotBeWrittenLeavesTheJournalUsable() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS);
    append(journal, 5);
    save(journal, 1);
    IllegalStateException bug = new IllegalStateException("a bug");
    assertThatThrownBy(
            () ->
                journal.saveSnapshot(
                    5,
                    out -> {
                      throw bug;
                    }))
        .isSameAs(bug);
    disk.limitTo(disk.used() + 2000);
    assertThatThrownBy(() -> journal.saveSnapshot(5, out -> out.write(new byte[100_000])))
        .hasMessageMatching(
            "No space left on device; the snapshot takes 100056 bytes, of which [0-9]+ were written.");
    assertThat(disk.contents(".tmp")).isEmpty();
    assertThat(Records.content(journal.latestSnapshot().orElseThrow())).containsExactly(1);
    assertThat(journal.append(new byte[3])).isEqualTo(6);
    journal.force();
  }

  @Test
  void aFullDiskCanBeCompacted() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS);
    append(journal, 40);
    save(journal, 1);
    append(journal, 40);
    save(journal, 2);
    append(journal, 1);
    journal.close();
    Disk.File left = disk.create("0000000000000000081.snapshot.tmp");
    left.write(ByteBuffer.allocate(500), 0);
    left.close();
    long used = disk.used();
    disk.limitTo(used);
    assertThatThrownBy(() -> disk.openJournal(OPTIONS)).hasMessageContaining("No space left");

    long freed = FileJournal.compact(disk, OPTIONS);

    assertThat(freed).isGreaterThan(500 + 40 * 52L).isEqualTo(used - disk.used());
    assertThat(disk.contents(".tmp")).isEmpty();
    assertThat(disk.inspect().firstNumber()).isEqualTo(41);
    try (FileJournal again = disk.openJournal(OPTIONS)) {
      assertThat(Records.content(again.latestSnapshot().orElseThrow())).containsExactly(2);
      assertThat(again.append(new byte[20])).isEqualTo(82);
    }
  }

  @Test
  void theLastFileStaysForItSaysWhichRecordIsTheNext() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS.withSnapshotsKept(1));
    append(journal, 40);
    save(journal, 1);
    journal.close();
    assertThat(FileJournal.compact(disk, OPTIONS.withSnapshotsKept(1))).isPositive();
    assertThat(FileJournal.compact(disk, OPTIONS.withSnapshotsKept(1))).isZero();
    try (FileJournal again = disk.openJournal(OPTIONS)) {
      assertThat(again.append(new byte[20])).isEqualTo(41);
    }
  }

  @Test
  void anErrorOfAFileNamesIt(@TempDir Path directory) throws IOException {
    Path device = Path.of("/dev/full");
    assumeThat(device).exists();
    Files.createSymbolicLink(directory.resolve("full"), device);
    try (Disk.File file = RealDisk.existing(directory).open("full")) {
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 0))
          .isInstanceOf(FileSystemException.class)
          .hasMessage(directory.toRealPath().resolve("full") + ": No space left on device");
    }
  }

  @Test
  void aSnapshotCoversRecordsThatAreThere() throws IOException {
    FileJournal journal = disk.openJournal(OPTIONS);
    append(journal, 5);
    assertThatThrownBy(() -> journal.saveSnapshot(6, out -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Journal.saveSnapshot: number was 6, must be from 0 to 5.");
    save(journal, 1);
    assertThatThrownBy(() -> journal.saveSnapshot(4, out -> {}))
        .hasMessage("Journal.saveSnapshot: number was 4, must be from 5 to 5.");
  }
}
