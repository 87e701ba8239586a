package dev.berth.runtime.journal;

import dev.berth.runtime.journal.Layout.Segment;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Deletes what verified snapshots make needless. Files that are gone leave the lists.
 *
 * @param closed the segments before the last one, in order
 * @param snapshots the undamaged snapshots, in order
 * @param stale segments that do not count, and their sizes
 * @param damagedSnapshots snapshots that do not count, and their sizes
 */
record Compaction(
    Disk disk,
    List<Segment> closed,
    List<SnapshotFile> snapshots,
    Map<String, Long> stale,
    Map<String, Long> damagedSnapshots) {

  /** A check that may refuse. */
  @FunctionalInterface
  interface Guard {
    void check() throws IOException;
  }

  /**
   * Deletes the files, and returns their bytes.
   *
   * @param keep the number of snapshots to keep; with fewer of them nothing is deleted
   * @param guard called before the first deletion
   */
  long run(int keep, Guard guard) throws IOException {
    if (snapshots.size() < keep) {
      return 0;
    }
    List<SnapshotFile> kept =
        List.copyOf(snapshots.subList(snapshots.size() - keep, snapshots.size()));
    for (SnapshotFile each : kept) {
      SnapshotFile.verify(disk, each.name(), each.number());
    }
    guard.check();
    long freed = 0;
    // First what is stale: without its successors it would count again.
    if (!stale.isEmpty()) {
      freed += deleteAll(stale);
      disk.forceDirectory();
    }
    long oldest = kept.get(0).number();
    while (!closed.isEmpty() && closed.get(0).last() <= oldest) {
      disk.delete(closed.get(0).name());
      freed += closed.remove(0).size();
    }
    while (snapshots.size() > kept.size()) {
      disk.delete(snapshots.get(0).name());
      freed += snapshots.remove(0).size();
    }
    freed += deleteAll(damagedSnapshots);
    disk.forceDirectory();
    return freed;
  }

  private long deleteAll(Map<String, Long> files) throws IOException {
    long freed = 0;
    for (String each : List.copyOf(files.keySet())) {
      disk.delete(each);
      freed += files.getOrDefault(each, 0L);
      files.remove(each);
    }
    return freed;
  }
}
