package dev.berth.runtime;

import dev.berth.core.Scheduler;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.runtime.entry.SavedState;
import dev.berth.runtime.entry.Settings;
import dev.berth.runtime.journal.Journal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves snapshots in a journal: when someone wishes for one, and after so many or large records.
 */
final class SnapshotKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);

  private final Journal journal;
  private final Scheduler scheduler;
  private final Settings schedulerSettings;
  private final ActionQueue actions;
  private final LoopSettings settings;
  private final LoopCounts counts;

  private final List<CompletableFuture<Void>> wishes = new ArrayList<>();
  private long dueAfter; // number of the record
  private long notBefore = Long.MIN_VALUE;
  private int failures; // in a row
  private long unsavedBytes; // of records since the latest snapshot

  SnapshotKeeper(Journal journal, Recovery recovered, LoopSettings settings, LoopCounts counts) {
    this.journal = journal;
    this.scheduler = recovered.scheduler();
    this.schedulerSettings = recovered.settings();
    this.actions = recovered.actions();
    this.settings = settings;
    this.counts = counts;
    this.dueAfter = LoopTime.after(recovered.snapshot(), settings.snapshotEvery());
    this.unsavedBytes = recovered.bytes();
  }

  void wish(CompletableFuture<Void> answer) {
    wishes.add(answer);
  }

  void appended(long bytes) {
    unsavedBytes += bytes;
  }

  /**
   * Saves a snapshot if someone wishes for it, or if it is due.
   *
   * @param isClear whether the state is all that there is to know
   */
  void saveIfDue(long now, boolean isClear) throws IOException {
    boolean isDue =
        isClear
            && now >= notBefore
            && (journal.lastNumber() >= dueAfter || unsavedBytes >= settings.snapshotBytes());
    if (wishes.isEmpty() && !isDue) {
      return;
    }
    List<CompletableFuture<Void>> answers = List.copyOf(wishes);
    try {
      save(now);
    } catch (SchedulerFailedException failed) {
      throw failed;
    } catch (IOException | RuntimeException failed) { // the records are still there
      LOG.error("No snapshot was saved, or no older records dropped; tried again later.", failed);
      abandon(failed);
      journal.force(); // throws if it was the journal that failed
      return;
    }
    wishes.clear();
    answers.forEach(each -> each.complete(null));
  }

  /**
   * Saves a snapshot, and drops what it makes needless. If that fails, all records are still there,
   * and it is tried later.
   */
  private void save(long now) throws IOException {
    try {
      SavedState saved =
          new SavedState(
              schedulerSettings,
              actions.all().stream()
                  .map(each -> new SavedState.OpenAction(each.id, each.action))
                  .toList(),
              scheduler.snapshot());
      actions.savedAfter(scheduler.passes()); // even if it fails: it may be there all the same
      journal.saveSnapshot(journal.lastNumber(), saved::writeTo);
      journal.compact();
      failures = 0;
      dueAfter = LoopTime.after(journal.lastNumber(), settings.snapshotEvery());
      unsavedBytes = 0;
    } catch (IOException | RuntimeException failed) {
      counts.failedSnapshots++;
      failures++;
      notBefore = LoopTime.after(now, Math.max(1, settings.retryDelay().delay(failures)));
      throw failed;
    }
  }

  void abandon(Throwable why) {
    wishes.forEach(each -> each.completeExceptionally(why));
    wishes.clear();
  }
}
