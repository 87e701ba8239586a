package dev.berth.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.runtime.journal.JournalFinding.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal has one writer; a writer that was replaced finds out. Processes: JournalKillTest. */
class JournalWriterTest {

  private static final FileJournalOptions SMALL =
      FileJournalOptions.defaults().withSegmentSize(256);

  private final SimulatedDisk disk = new SimulatedDisk(1);

  @Test
  void eachOpeningTakesTheNextFence() throws IOException {
    for (int i = 1; i <= 5; i++) {
      FileJournal journal = disk.openJournal(SMALL);
      assertThat(journal.fence()).isEqualTo(i);
      journal.close();
      assertThat(disk.contents(".log")).as("segments without a record go").hasSize(1);
      assertThat(disk.contents(".fence")).hasSize(1);
      disk.kill();
    }
    disk.contents(".fence").keySet().forEach(disk::remove);
    assertThat(disk.openJournal(SMALL).fence()).as("from the segments").isEqualTo(6);
  }

  @Test
  void aReplacedWriterFindsOutAtItsNextForce() throws IOException {
    FileJournal first = disk.openJournal(SMALL);
    first.append(new byte[] {1});
    first.force();
    first.append(new byte[] {2});
    disk.breakLock();
    FileJournal second = disk.openJournal(SMALL);
    assertThat(second.lastNumber()).isEqualTo(1);
    second.append(new byte[] {3});
    second.force();
    assertThatThrownBy(first::force)
        .isInstanceOf(JournalFencedException.class)
        .hasMessageContaining("/simulated/")
        .hasMessageContaining("fence 1");
    assertThatThrownBy(() -> first.append(new byte[1])).isInstanceOf(JournalFailedException.class);
    first.close();
    second.close();
    FileJournal third = disk.openJournal(SMALL);
    assertThat(Records.all(third)).containsExactly(new byte[] {1}, new byte[] {3});
    assertThat(third.findings()).anyMatch(each -> each.kind() == Kind.CUT_TAIL);
  }

  @Test
  void whatAReplacedWriterAcknowledgedIsThereWheneverItWasReplaced() throws IOException {
    for (ForceMode mode : ForceMode.values()) {
      boolean isReplaced = true;
      for (int k = 1; isReplaced; k++) {
        SimulatedDisk shared = new SimulatedDisk(k);
        FileJournal first = shared.openJournal(SMALL.withForceMode(mode));
        List<FileJournal> second = new ArrayList<>();
        shared.interjectAt(
            k,
            () -> {
              shared.breakLock();
              second.add(open(shared));
            });
        long acknowledged = 0;
        try {
          for (int i = 0; i < 10; i++) {
            long number = first.append(new byte[60]);
            first.force();
            acknowledged = number;
          }
        } catch (JournalFencedException found) {
          assertThat(second).isNotEmpty();
        }
        if (!second.isEmpty()) {
          assertThat(second.get(0).lastNumber())
              .as("%s, replaced at operation %s", mode, k)
              .isGreaterThanOrEqualTo(acknowledged);
        }
        isReplaced = !second.isEmpty();
      }
    }
  }

  @Test
  void whatIsAcknowledgedWhileAnotherWriterOpensIsThere() throws IOException {
    int acknowledgements = 0;
    for (int k = 1; k <= 12; k++) {
      SimulatedDisk shared = new SimulatedDisk(k);
      FileJournal first = shared.openJournal(SMALL);
      first.append(new byte[60]);
      first.force();
      shared.breakLock();
      List<Long> acknowledged = new ArrayList<>();
      shared.interjectAt(
          k,
          () -> {
            try {
              long number = first.append(new byte[60]);
              first.force();
              acknowledged.add(number);
            } catch (IOException fenced) {
              assertThat(fenced).isInstanceOf(JournalFencedException.class);
            }
          });
      FileJournal second = shared.openJournal(SMALL);
      // A record that was not acknowledged may be there too.
      assertThat(second.lastNumber()).as("operation %s", k).isBetween(acknowledged.size() + 1L, 2L);
      long last = second.append(new byte[1]);
      second.close();
      acknowledgements += acknowledged.size();
      assertThat(shared.openJournal(SMALL).lastNumber()).as("operation %s", k).isEqualTo(last);
    }
    assertThat(acknowledgements).as("acknowledged before the fence").isPositive();
  }

  private static FileJournal open(SimulatedDisk disk) {
    try {
      return disk.openJournal(SMALL);
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
  }

  @Test
  void aReplacedWriterFindsOutAtTheEndOfItsSegment() throws IOException {
    FileJournal first = disk.openJournal(SMALL.withForceMode(ForceMode.NEVER));
    disk.breakLock();
    disk.openJournal(SMALL);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                first.append(new byte[40]);
              }
            })
        .isInstanceOf(JournalFencedException.class);
  }

  @Test
  void aReplacedWriterFindsOutWhenThirdOnesHaveOpenedSince() throws IOException {
    FileJournal first = disk.openJournal(SMALL);
    for (int i = 0; i < 3; i++) {
      disk.breakLock();
      disk.openJournal(SMALL);
    }
    first.append(new byte[1]);
    assertThatThrownBy(first::force).isInstanceOf(JournalFencedException.class);
  }

  @Test
  void aSegmentOfAReplacedWriterIsIgnoredAndCompactionDropsIt() throws IOException {
    FileJournal first = disk.openJournal(SMALL);
    first.append(new byte[] {1});
    first.close();
    FileJournal second = disk.openJournal(SMALL);
    second.append(new byte[] {2});
    second.append(new byte[] {3});
    second.close();
    // As if the first had begun a segment just when the second took over.
    SimulatedDisk other = new SimulatedDisk(1);
    FileJournal stale = other.openJournal(SMALL);
    for (int i = 0; i < 5; i++) {
      stale.append(new byte[60]);
    }
    stale.close();
    String name = JournalFormat.logName(3, 1);
    disk.put(name, other.content(name));
    FileJournal third = disk.openJournal(SMALL.withSnapshotsKept(1));
    assertThat(Records.all(third)).containsExactly(new byte[] {1}, new byte[] {2}, new byte[] {3});
    assertThat(third.findings())
        .anyMatch(each -> each.kind() == Kind.STALE_RECORDS && each.file().equals(name));
    third.saveSnapshot(3, out -> {});
    third.compact();
    assertThat(disk.exists(name)).isFalse();
    third.close();
    FileJournal fourth = disk.openJournal(SMALL);
    assertThat(fourth.lastNumber()).isEqualTo(3);
    assertThat(fourth.findings()).isEmpty();
  }

  @Test
  void aSecondWriterInTheSameJvmIsRefused(@TempDir Path directory) throws IOException {
    Path journal = directory.resolve("new/journal");
    try (FileJournal first = FileJournal.open(journal)) {
      first.append(new byte[1]);
      for (int i = 0; i < 2; i++) { // the refusal itself releases nothing
        assertThatThrownBy(() -> FileJournal.open(journal))
            .isInstanceOf(JournalLockedException.class)
            .hasMessageContaining(journal.toRealPath().toString())
            .hasMessageContaining("this process, " + ProcessHandle.current().pid());
        Files.deleteIfExists(journal.resolve(JournalFormat.LOCK));
      }
    }
    try (FileJournal again = FileJournal.open(journal)) {
      assertThat(again.lastNumber()).isEqualTo(1);
      assertThat(again.fence()).isEqualTo(2);
    }
  }

  @Test
  void anOpeningThatFailsReleasesTheLock(@TempDir Path directory) throws IOException {
    FileJournal.open(directory).close();
    Path log = directory.resolve(JournalFormat.logName(1, 1));
    byte[] content = Files.readAllBytes(log);
    Files.write(log, new byte[50]);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> FileJournal.open(directory))
          .isInstanceOf(JournalDamagedException.class)
          .hasMessageContaining(log.toRealPath().toString());
    }
    Files.write(log, content);
    FileJournal.open(directory).close();
  }
}
