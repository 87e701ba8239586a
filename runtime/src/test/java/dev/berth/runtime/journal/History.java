package dev.berth.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random work of a writer on a simulated disk, with what the journal has promised so far. */
final class History {

  private final SimulatedDisk disk;
  private final Random random;
  private final FileJournalOptions options;

  /** All records that were appended, from number 1 on. */
  private final List<byte[]> records = new ArrayList<>();

  /** What was to be saved last for each number. */
  private final Map<Long, List<byte[]>> snapshots = new HashMap<>();

  private long acknowledged;
  private long durable;
  private long savedSnapshot = -1;
  private FileJournal journal;

  History(long seed, SimulatedDisk disk) {
    this.disk = disk;
    random = new Random(seed);
    ForceMode[] modes = ForceMode.values();
    options =
        FileJournalOptions.defaults()
            .withForceMode(modes[random.nextInt(modes.length)])
            .withSegmentSize(256 + random.nextInt(512))
            .withMaxRecordSize(400)
            .withSnapshotsKept(1 + random.nextInt(2));
    disk.writeShort(random.nextInt(3) == 0);
  }

  FileJournal journal() {
    return journal;
  }

  FileJournalOptions options() {
    return options;
  }

  long acknowledged() {
    return acknowledged;
  }

  /** Opens the journal and works; a crash of the disk ends it with an exception. */
  void run(int steps) throws IOException {
    open();
    for (int i = 0; i < steps; i++) {
      step();
    }
  }

  void open() throws IOException {
    journal = null;
    journal = disk.openJournal(options);
    durable = Math.max(durable, journal.lastNumber());
    acknowledged = Math.max(acknowledged, journal.lastNumber());
  }

  private void step() throws IOException {
    int dice = random.nextInt(20);
    if (dice < 11) {
      append(Records.random(random, random.nextInt(8) == 0 ? 400 : 90));
    } else if (dice < 16) {
      force();
    } else if (dice < 18) {
      save();
    } else if (dice < 19) {
      journal.compact();
    } else {
      journal.close();
      acknowledged = records.size();
      durable = records.size();
      open();
    }
  }

  void append(byte[] record) throws IOException {
    records.add(record);
    assertThat(journal.append(record)).isEqualTo(records.size());
    if (options.forceMode() == ForceMode.EACH) {
      acknowledged = records.size();
      durable = records.size();
    } else {
      durable = Math.max(durable, journal.forcedNumber());
    }
  }

  void force() throws IOException {
    journal.force();
    acknowledged = records.size();
    if (options.forceMode() != ForceMode.NEVER) {
      durable = records.size();
    }
  }

  void save() throws IOException {
    long number = records.size();
    if (savedSnapshot >= 0 && random.nextInt(3) == 0) {
      number = savedSnapshot + random.nextInt((int) (number - savedSnapshot) + 1);
    }
    number = Math.max(number, journal.firstNumber() - 1);
    byte[] content = Records.random(random, 300);
    snapshots.computeIfAbsent(number, each -> new ArrayList<>()).add(content);
    journal.saveSnapshot(
        number,
        out -> {
          out.write(content, 0, content.length / 2);
          for (int i = content.length / 2; i < content.length; i++) {
            out.write(content[i]);
          }
        });
    acknowledged = records.size();
    durable = records.size();
    savedSnapshot = number;
    snapshots.get(number).removeIf(each -> each != content);
  }

  /** Opens the journal after a crash and checks all promises. */
  void recover(boolean lostPower) throws IOException {
    journal = null;
    FileJournal found = disk.openJournal(options);
    assertThat(found.lastNumber())
        .as("last record found")
        .isBetween(lostPower ? durable : acknowledged, (long) records.size());
    long first = found.firstNumber();
    List<byte[]> all = Records.all(found);
    assertThat(all).hasSize((int) (found.lastNumber() - first + 1));
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i)).as("record %s", first + i).isEqualTo(records.get((int) first - 1 + i));
    }
    JournalSnapshot snapshot = found.latestSnapshot().orElse(null);
    assertThat(snapshot == null ? -1 : snapshot.number())
        .as("snapshot found")
        .isGreaterThanOrEqualTo(savedSnapshot);
    assertThat(first).isLessThanOrEqualTo(snapshot == null ? 1 : snapshot.number() + 1);
    if (snapshot != null) {
      byte[] content = Records.content(snapshot);
      assertThat(snapshots.get(snapshot.number()))
          .as("contents saved for %s", snapshot.number())
          .anyMatch(each -> Arrays.equals(each, content));
      savedSnapshot = snapshot.number();
    }
    records.subList((int) found.lastNumber(), records.size()).clear();
    acknowledged = records.size();
    durable = records.size(); // an opening makes durable what it found
    journal = found;
  }
}
