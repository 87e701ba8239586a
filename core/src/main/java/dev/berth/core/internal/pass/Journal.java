package dev.berth.core.internal.pass;

import dev.berth.api.Action;
import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.core.decision.Decision;
import dev.berth.core.internal.state.BagRecord;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.SavedInstance;
import dev.berth.core.internal.state.Transitions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The actions of a pass in order, from which the pass writes its plan or undoes them.
 *
 * <p>One journal serves all passes of a cluster, one at a time. It reuses its entries for actions
 * on instances, so a placement allocates only its action in the plan.
 */
public final class Journal {

  private static final int KEPT = 1 << 14; // entries kept for reuse

  private final List<Entry> entries = new ArrayList<>();
  private final List<OnInstance> spare = new ArrayList<>();
  private int used; // of the spare entries

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
  public OnInstance about(InstanceRecord instance, @Nullable String latestPlacement) {
    if (used == spare.size()) {
      spare.add(new OnInstance());
    }
    return spare.get(used).note(instance, latestPlacement);
  }

  /** Adds the entry that the last call of {@link #about} returned. */
  public void commit(OnInstance entry) {
    entries.add(entry);
    used++;
  }

  /** Removes and returns the last entry, which is valid until the next one is added. */
  public Entry removeLast() {
    Entry last = entries.remove(entries.size() - 1);
    if (last instanceof OnInstance) {
      used--;
    }
    return last;
  }

  /** Forgets all entries. */
  public void clear() {
    entries.clear();
    for (int i = 0; i < used; i++) {
      spare.get(i).forget();
    }
    used = 0;
    while (spare.size() > KEPT) {
      spare.remove(spare.size() - 1);
    }
  }

  /** An action or note of a pass. */
  public sealed interface Entry {}

  /** The state of an instance before an action, for undoing the action. */
  public static class Before {

    @Nullable InstanceRecord instance;
    private final SavedInstance former = new SavedInstance();
    private long actedInPass;
    private @Nullable String latestPlacement;

    final InstanceRecord subject() {
      if (instance == null) {
        throw new IllegalStateException("this entry of the journal has no instance");
      }
      return instance;
    }

    final void noteBefore(InstanceRecord subject, @Nullable String placement) {
      instance = subject;
      former.note(subject);
      actedInPass = subject.actedInPass;
      latestPlacement = placement;
    }

    final void restore(Transitions transitions) {
      InstanceRecord subject = subject();
      transitions.undo(subject, former, latestPlacement);
      subject.actedInPass = actedInPass;
    }
  }

  /** An action on an instance. Placements and preemptions are kept as their parts. */
  public static final class OnInstance extends Before implements Entry {

    private @Nullable HostRecord host;
    private @Nullable InstanceRecord beneficiary;
    private @Nullable Resources grant;
    private @Nullable Decision decision;
    private @Nullable Action action;
    private @Nullable Reason why;

    private OnInstance note(InstanceRecord subject, @Nullable String placement) {
      noteBefore(subject, placement);
      host = null;
      beneficiary = null;
      grant = null;
      decision = null;
      action = null;
      why = null;
      return this;
    }

    private void forget() {
      instance = null;
      host = null;
      beneficiary = null;
      grant = null;
      decision = null;
      action = null;
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
          : new Action.Place(subject().id(), host.id(), victims, Optional.ofNullable(grant));
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

  public record Promised(InstanceRecord instance, @Nullable HostRecord before) implements Entry {}
}
