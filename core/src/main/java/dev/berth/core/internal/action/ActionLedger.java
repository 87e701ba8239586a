package dev.berth.core.internal.action;

import dev.berth.api.plan.Action;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.Assignment;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.Pools;
import dev.berth.core.internal.elastic.ProvidedHost;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of the actions that can still be undone, in the order of their decisions.
 *
 * <p>Each instance knows the latest of its open actions, and each of these the one before, so a
 * report closes what it confirms at O(1). The entries come from the logs of passes, and go back to
 * them for reuse; in a steady state, nothing is allocated.
 */
public final class ActionLedger {

  private static final int KEPT = 1 << 14; // entries kept for reuse
  private static final int LEAST = 64; // length of the arrays

  // In order of pass and index. Closed entries leave gaps, which keep their ids.
  private @Nullable OpenAction[] entries = new @Nullable OpenAction[LEAST];
  private long[] passes = new long[LEAST];
  private int[] indexes = new int[LEAST];
  private int end;
  private int open;

  private boolean frozen; // while events are only supposed

  private final List<OpenAction> untilNextPass = new ArrayList<>();
  private final List<OpenAction> spare = new ArrayList<>();

  // ---- Entries for reuse

  /** Returns an entry that is not in use, or null. */
  public @Nullable OpenAction takeSpare() {
    return spare.isEmpty() ? null : spare.remove(spare.size() - 1);
  }

  /** Takes an entry that is no longer in use. */
  public void giveBack(OpenAction entry) {
    entry.forget();
    if (spare.size() < KEPT) {
      spare.add(entry);
    }
  }

  /** Returns the latest action on an instance that can still be undone, or null. */
  public static @Nullable OpenAction latest(InstanceRecord instance) {
    return (OpenAction) instance.openAction();
  }

  // ---- Opening and closing

  /** Sets whether reports close no action, since they are only supposed. */
  public void freeze(boolean closesNothing) {
    frozen = closesNothing;
  }

  /** Returns the number of open actions. */
  public int size() {
    return open;
  }

  /** Adds an action of the latest plan. */
  public void add(OpenAction entry) {
    if (end == entries.length) {
      makeRoom();
    }
    entries[end] = entry;
    passes[end] = entry.pass;
    indexes[end] = entry.index;
    entry.place = end;
    end++;
    open++;
    if (entry.kind.endsWithTheNextPass()) {
      untilNextPass.add(entry);
    }
    InstanceRecord instance = entry.instance;
    if (instance != null) {
      OpenAction latest = latest(instance);
      entry.below = latest;
      instance.openAction(entry);
      if (latest != null && latest.kind.isUnconfirmed()) {
        OpenAction superseded = latest.below;
        if (superseded != null && superseded.kind.isUnconfirmed()) { // else chains might grow
          latest.below = superseded.below;
          drop(superseded);
        }
      }
    }
  }

  /** Adds an action on hosts, or on a bag that goes on. */
  public void add(long pass, int index, Action action, UndoLog.Step change, Pools pools) {
    OpenAction entry = new OpenAction();
    entry.decided(pass, index, action);
    entry.change = change;
    add(entry);
    if (action instanceof Action.Provision provision) {
      for (String each : provision.hosts()) {
        ProvidedHost host = pools.provided(each);
        if (host != null) {
          host.requestedBy(entry);
        }
      }
    } else if (action instanceof Action.Release release) {
      ProvidedHost host = pools.provided(release.host());
      if (host != null) {
        host.releasedBy(entry);
      }
    } else if (change instanceof Assignment made) {
      entry.bag = made.bag;
      entry.formerCluster = made.clusterBefore;
    }
  }

  /** Adds the cancellation of a bag. */
  public void add(
      long pass, int index, Action action, BagRecord bag, List<? extends Before> members) {
    OpenAction entry = new OpenAction();
    entry.decided(pass, index, action);
    entry.bag = bag;
    entry.members = members;
    add(entry);
  }

  private void makeRoom() {
    if (open > entries.length / 2) {
      int longer = 2 * entries.length;
      entries = Arrays.copyOf(entries, longer);
      passes = Arrays.copyOf(passes, longer);
      indexes = Arrays.copyOf(indexes, longer);
      return;
    }
    int kept = 0;
    for (int i = 0; i < end; i++) {
      OpenAction each = entries[i];
      if (each != null) {
        each.place = kept;
        entries[kept] = each;
        passes[kept] = passes[i];
        indexes[kept] = indexes[i];
        kept++;
      }
    }
    Arrays.fill(entries, kept, end, null);
    end = kept;
  }

  /** Closes the starts of an instance that were carried out, and all actions before them. */
  public void confirm(InstanceRecord instance) {
    OpenAction above = null;
    OpenAction each = latest(instance);
    while (each != null && !each.kind.starts()) {
      above = each;
      each = each.below;
    }
    if (each == null) {
      return;
    }
    if (above == null) {
      instance.openAction(null);
    } else {
      above.below = null;
    }
    dropFrom(each);
  }

  /** Closes all actions on an instance, which has left its host or is done. */
  public void end(InstanceRecord instance) {
    if (frozen) {
      return;
    }
    OpenAction latest = latest(instance);
    instance.openAction(null);
    dropFrom(latest);
  }

  private void dropFrom(@Nullable OpenAction entry) {
    OpenAction each = entry;
    while (each != null) {
      OpenAction next = each.below;
      drop(each);
      each = next;
    }
  }

  /** Closes an action that is on hosts or bags; does nothing if it is closed already, or null. */
  public void close(UndoLog.@Nullable Step entry) {
    if (entry instanceof OpenAction action && action.isOpen() && !frozen) {
      drop(action);
    }
  }

  /** Removes an action that was undone; the latest on its instance. */
  public void remove(OpenAction entry) {
    InstanceRecord instance = entry.instance;
    if (instance != null) {
      instance.openAction(entry.below);
    }
    if (entry.kind.endsWithTheNextPass()) {
      untilNextPass.remove(entry);
    }
    drop(entry);
  }

  private void drop(OpenAction entry) {
    entries[entry.place] = null;
    entry.place = -1;
    open--;
    while (end > 0 && entries[end - 1] == null) {
      end--;
    }
    boolean isShared = entry.instance == null; // hosts may still know it
    if (!isShared) {
      giveBack(entry);
    }
  }

  /** Returns the changes of hosts and bags that the next pass settles; a copy. */
  public List<UndoLog.Step> changesUntilNextPass() {
    List<UndoLog.Step> changes = new ArrayList<>();
    for (OpenAction each : untilNextPass) {
      if (each.change != null) {
        changes.add(each.change);
      }
    }
    return changes;
  }

  /** Returns the actions that the next pass settles. */
  public List<OpenAction> untilNextPass() {
    return untilNextPass;
  }

  // ---- Looking up

  /** Returns an open action, or null. Cost O(log n). */
  public @Nullable OpenAction find(long pass, int index) {
    int low = 0;
    int high = end - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (passes[middle] < pass || (passes[middle] == pass && indexes[middle] < index)) {
        low = middle + 1;
      } else if (passes[middle] == pass && indexes[middle] == index) {
        return entries[middle];
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** Returns the last open action before a place, or null; from the end: {@link #end}. */
  public @Nullable OpenAction before(int place) {
    for (int i = place - 1; i >= 0; i--) {
      OpenAction each = entries[i];
      if (each != null) {
        return each;
      }
    }
    return null;
  }

  /** Returns the first open action after a place, or null. */
  public @Nullable OpenAction after(int place) {
    for (int i = place + 1; i < end; i++) {
      OpenAction each = entries[i];
      if (each != null) {
        return each;
      }
    }
    return null;
  }

  /** Returns one more than the place of the latest. */
  public int end() {
    return end;
  }
}
