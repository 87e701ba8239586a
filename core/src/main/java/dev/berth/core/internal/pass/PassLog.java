package dev.berth.core.internal.pass;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.plan.Action;
import dev.berth.core.decision.Decision;
import dev.berth.core.internal.action.ActionLedger;
import dev.berth.core.internal.action.Before;
import dev.berth.core.internal.action.OpenAction;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.internal.undo.UndoLog;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The undo log of a scheduler, with the actions and notes of its pass, from which the pass writes
 * its plan.
 *
 * <p>Entries for actions on instances go to the ledger of open actions with the plan, and come back
 * for reuse. So a placement allocates only its action in the plan.
 */
public final class PassLog extends UndoLog {

  private final ActionLedger ledger;
  private final Transitions transitions;
  private @Nullable OnInstance next; // in use once it is added
  private int placements;

  /** Creates the log of a cluster with a ledger. */
  public PassLog(ActionLedger ledger, Transitions transitions) {
    this.ledger = ledger;
    this.transitions = transitions;
  }

  /** Returns how many of the steps are placements. */
  int placements() {
    return placements;
  }

  /** Returns an entry with the present state of an instance. Add it before the action. */
  OnInstance about(InstanceRecord instance) {
    OnInstance entry = next;
    if (entry == null) {
      entry = ledger.takeSpare() instanceof OnInstance spare ? spare : new OnInstance();
      next = entry;
    }
    entry.clear();
    entry.noteBefore(instance, transitions);
    return entry;
  }

  @Override
  public void add(Step step) {
    super.add(step);
    if (step == next) {
      next = null;
      placements += isPlacement(step) ? 1 : 0;
    }
  }

  /** The step is valid until the next one is added. */
  @Override
  protected Step removeLast() {
    Step last = super.removeLast();
    if (last instanceof OnInstance entry) {
      if (next != null) {
        ledger.giveBack(next);
      }
      next = entry;
      placements -= isPlacement(last) ? 1 : 0;
    }
    return last;
  }

  /** Also frees the entries that are not in the ledger. */
  @Override
  public void clear() {
    for (int i = size() - 1; i >= 0; i--) {
      if (get(i) instanceof OnInstance entry && !entry.isOpen()) {
        ledger.giveBack(entry);
      }
    }
    super.clear();
    placements = 0;
  }

  private static boolean isPlacement(Step step) {
    return step instanceof OnInstance entry && entry.isPlacement();
  }

  /** An action or note of a pass. */
  sealed interface Entry extends Step {

    @Override
    default void undo() {} // of a note
  }

  /** An action on an instance. Placements and preemptions are kept as their parts. */
  static final class OnInstance extends OpenAction implements Entry {

    private @Nullable HostRecord host;
    private @Nullable Resources grant;
    private @Nullable Decision decision;
    private @Nullable Reason why;

    private void clear() {
      isAbout(null, null);
      inLedger();
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
      isAbout(by, null);
      return this;
    }

    OnInstance adjusted(Action done, Reason because) {
      isAbout(null, done);
      why = because;
      return this;
    }

    boolean isPreemption() {
      return beneficiary() != null;
    }

    boolean isPlacement() {
      return host != null && beneficiary() == null;
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
      Action known = action();
      if (known != null) {
        return known;
      }
      checkState(host != null, "this entry of the log has no host");
      InstanceRecord beneficiary = beneficiary();
      return beneficiary != null
          ? new Action.Preempt(subject().id(), host.id(), beneficiary.id())
          : new Action.Place(
              subject().id(),
              host.id(),
              victims,
              Optional.ofNullable(grant),
              subject().attempt()); // an instance is the subject of one action in a pass
    }
  }

  /** An action on hosts or bags, and the change that it made. */
  record Arranged(Action action, Reason why, Step change) implements Entry {

    @Override
    public void undo() {
      change.undo();
    }
  }

  record Cancelled(BagRecord bag, List<Before> before, Action.Cancel action, BagReport report)
      implements Entry {

    @Override
    public void undo() {
      for (int member = before.size() - 1; member >= 0; member--) {
        before.get(member).undo();
      }
    }
  }

  /** The reservation of an instance has changed. */
  record Promised(InstanceRecord instance, long before, ClusterState state) implements Entry {

    @Override
    public void undo() {
      instance.promise(before);
      state.changed(instance);
    }
  }

  record BagDeferred(Bag bag, Reason why) implements Entry {}

  record Deferred(InstanceRecord instance, Reason why) implements Entry {}

  /** The instance that others wait for. */
  record HeadBlocked(InstanceRecord head) implements Entry {}
}
