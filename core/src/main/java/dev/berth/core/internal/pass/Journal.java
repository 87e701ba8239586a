package dev.berth.core.internal.pass;

import dev.berth.api.Action;
import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.core.decision.Decision;
import dev.berth.core.internal.state.BagRecord;
import dev.berth.core.internal.state.Before;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.OpenAction;
import dev.berth.core.internal.state.OpenActions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The actions of a pass in order, from which the pass writes its plan or undoes them.
 *
 * <p>One journal serves all passes of a cluster, one at a time. Its entries for actions on
 * instances go to the ledger of open actions with the plan, and come back for reuse. So a placement
 * allocates only its action in the plan.
 */
public final class Journal {

  private final OpenActions ledger;
  private final List<Entry> entries = new ArrayList<>();
  private @Nullable OnInstance next; // in use once it is added

  /** Creates the journal of a cluster with a ledger. */
  public Journal(OpenActions ledger) {
    this.ledger = ledger;
  }

  public int size() {
    return entries.size();
  }

  public Entry get(int index) {
    return entries.get(index);
  }

  public void add(Entry entry) {
    entries.add(entry);
  }

  /**
   * Returns an entry with the present state of an instance. {@linkplain #commit Add} it before the
   * action, so that an error in between leaves no action without an entry. If the action fails,
   * undoing the entry changes nothing.
   */
  public OnInstance about(InstanceRecord instance, ClusterState state) {
    OnInstance entry = next;
    if (entry == null) {
      entry = ledger.takeSpare() instanceof OnInstance spare ? spare : new OnInstance();
      next = entry;
    }
    entry.clear();
    entry.noteBefore(instance, state);
    return entry;
  }

  /** Adds the entry that the last call of {@link #about} returned. */
  public void commit(OnInstance entry) {
    entries.add(entry);
    next = null;
  }

  /** Removes and returns the last entry, which is valid until the next one is added. */
  public Entry removeLast() {
    Entry last = entries.remove(entries.size() - 1);
    if (last instanceof OnInstance entry) {
      if (next != null) {
        ledger.giveBack(next);
      }
      next = entry;
    }
    return last;
  }

  /** Forgets all entries, apart from those that are in the ledger. */
  public void clear() {
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (entries.get(i) instanceof OnInstance entry && !entry.isOpen()) {
        ledger.giveBack(entry);
      }
    }
    entries.clear();
  }

  /** An action or note of a pass. */
  public sealed interface Entry {}

  /** An action on an instance. Placements and preemptions are kept as their parts. */
  public static final class OnInstance extends OpenAction implements Entry {

    private @Nullable HostRecord host;
    private @Nullable Resources grant;
    private @Nullable Decision decision;
    private @Nullable Reason why;

    private void clear() {
      host = null;
      beneficiary = null;
      grant = null;
      decision = null;
      action = null;
      why = null;
    }

    @Override
    protected void forget() {
      super.forget();
      clear();
    }

    /** Forgets what only the plan needs. */
    void inLedger() {
      host = null;
      grant = null;
      decision = null;
      why = null;
    }

    OnInstance placed(HostRecord on, @Nullable Resources granted, @Nullable Decision how) {
      host = on;
      grant = granted;
      decision = how;
      return this;
    }

    OnInstance preempted(HostRecord from, InstanceRecord by) {
      host = from;
      beneficiary = by;
      return this;
    }

    OnInstance adjusted(Action done, Reason because) {
      action = done;
      why = because;
      return this;
    }

    boolean isPreemption() {
      return beneficiary != null;
    }

    boolean isPlacement() {
      return host != null && beneficiary == null;
    }

    /** Returns the host of a placement or preemption, or null. */
    @Nullable HostRecord host() {
      return host;
    }

    /** Returns the grant of a placement, or null if it is the demand. */
    @Nullable Resources grant() {
      return grant;
    }

    /** Returns the record of a placement, or null. */
    @Nullable Decision decision() {
      return decision;
    }

    /** Returns the reason for an action that is neither placement nor preemption, or null. */
    @Nullable Reason why() {
      return why;
    }

    /**
     * Returns the action.
     *
     * @param victims ids of the preempted instances, if the action is a placement
     */
    Action action(List<String> victims) {
      if (action != null) {
        return action;
      }
      if (host == null) {
        throw new IllegalStateException("this entry of the journal has no host");
      }
      return beneficiary != null
          ? new Action.Preempt(subject().id(), host.id(), beneficiary.id())
          : new Action.Place(
              subject().id(),
              host.id(),
              victims,
              Optional.ofNullable(grant),
              subject().attempt); // an instance is the subject of one action in a pass
    }
  }

  /** An action on hosts or bags, and how to undo it. */
  public record Arranged(Action action, Reason why, Runnable undo) implements Entry {}

  public record Cancelled(
      BagRecord bag, List<Before> before, Action.Cancel action, BagReport report)
      implements Entry {}

  public record Waking(long before) implements Entry {}

  public record BagDeferred(Bag bag, Reason why) implements Entry {}

  public record Deferred(InstanceRecord instance, Reason why) implements Entry {}

  /** The instance that others wait for. */
  public record HeadBlocked(InstanceRecord head) implements Entry {}

  public record Promised(InstanceRecord instance, long before) implements Entry {}
}
