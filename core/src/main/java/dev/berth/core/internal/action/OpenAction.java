package dev.berth.core.internal.action;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An action of a plan that can still be undone, since no report has implied that it was carried
 * out. Before that, it is an entry in the log of its pass.
 */
public class OpenAction extends Before {

  /** The kinds of actions. */
  public enum Kind {
    PLACE,
    PREEMPT,
    EVICT,
    RESIZE,
    PAUSE,
    SUSPEND,
    RESUME,
    MIGRATE,
    REJECT,
    STOP,
    PROVISION,
    RELEASE,
    ASSIGN,
    CANCEL;

    /** Returns the kind of an action. */
    static Kind of(Action action) {
      if (action instanceof Action.Place) { // most are
        return PLACE;
      } else if (action instanceof Action.Preempt) {
        return PREEMPT;
      } else if (action instanceof Action.Evict) {
        return EVICT;
      } else if (action instanceof Action.Resize) {
        return RESIZE;
      } else if (action instanceof Action.Pause) {
        return PAUSE;
      } else if (action instanceof Action.Suspend) {
        return SUSPEND;
      } else if (action instanceof Action.Resume) {
        return RESUME;
      } else if (action instanceof Action.Migrate) {
        return MIGRATE;
      } else if (action instanceof Action.Reject) {
        return REJECT;
      } else if (action instanceof Action.Stop) {
        return STOP;
      } else if (action instanceof Action.Provision) {
        return PROVISION;
      } else if (action instanceof Action.Release) {
        return RELEASE;
      }
      return action instanceof Action.Assign ? ASSIGN : CANCEL;
    }

    /** Returns whether it tells the fleet to start an instance. */
    public boolean starts() {
      return this == PLACE || this == RESUME || this == MIGRATE;
    }

    /** Returns whether no report confirms it: it is open until the next action on its instance. */
    public boolean isUnconfirmed() {
      return this == RESIZE || this == PAUSE || this == SUSPEND;
    }

    /** Returns whether it ends an instance for good. */
    public boolean endsInstance() {
      return this == REJECT || this == STOP;
    }

    /** Returns whether the next pass settles it. */
    boolean endsWithTheNextPass() {
      return endsInstance() || this == ASSIGN || this == CANCEL;
    }
  }

  private @Nullable InstanceRecord beneficiary;
  long pass;
  int index;
  long number; // of a placement, among those of the cluster
  Kind kind = Kind.PLACE;
  private @Nullable Action action;

  /** The place in the ledger; -1 while it is not there. */
  int place = -1;

  /** The open action before it on the same instance. */
  @Nullable OpenAction below;

  // If it is an action on hosts or bags
  UndoLog.@Nullable Step change;
  @Nullable BagRecord bag;
  @Nullable String formerCluster; // of the bag, if it is assigned to another one
  List<? extends Before> members = List.of(); // of a bag that is cancelled

  /** Returns the action. */
  public final Action decided() {
    checkState(action != null, "this entry of the log is no action");
    return action;
  }

  /** Returns the action, or null if it is not known yet. */
  protected final @Nullable Action action() {
    return action;
  }

  /** Returns the instance for which its subject is preempted; null for other actions. */
  public final @Nullable InstanceRecord beneficiary() {
    return beneficiary;
  }

  /** Notes what it is about, before it is part of a plan. */
  protected final void isAbout(@Nullable InstanceRecord preemptor, @Nullable Action what) {
    beneficiary = preemptor;
    action = what;
  }

  /** Returns its id. */
  public final ActionId id() {
    return new ActionId(pass, index);
  }

  /** Returns the number of the pass. */
  public final long pass() {
    return pass;
  }

  /** Returns its number among the placements of the cluster; 0 if it is none. */
  public final long number() {
    return number;
  }

  /** Returns its kind. */
  public final Kind kind() {
    return kind;
  }

  /** Returns its place in the ledger. */
  public final int place() {
    return place;
  }

  /** Returns the open action before it on the same instance, or null. */
  public final @Nullable OpenAction below() {
    return below;
  }

  /** Returns how to undo an action on hosts, or on a bag that goes on; otherwise null. */
  public final UndoLog.@Nullable Step change() {
    return change;
  }

  /** Returns the bag that it assigns or cancels, or null. */
  public final @Nullable BagRecord bag() {
    return bag;
  }

  /** Returns the former cluster of the bag, if it assigns it to another one; otherwise null. */
  public final @Nullable String formerCluster() {
    return formerCluster;
  }

  /** Returns the members of the bag that it cancels, as they were. */
  public final List<? extends Before> members() {
    return members;
  }

  /** Returns whether it is in the ledger. */
  public final boolean isOpen() {
    return place >= 0;
  }

  public final boolean isLaterThan(OpenAction other) {
    return pass > other.pass || (pass == other.pass && index > other.index);
  }

  /** Makes it part of a plan. */
  public final void decided(long inPass, int atIndex, Action what) {
    pass = inPass;
    index = atIndex;
    kind = Kind.of(what);
    action = what;
    number = kind == Kind.PLACE ? subject().placementNumber() : 0;
  }

  /** Forgets all that it mentions, before it is used for another action. */
  protected void forget() {
    instance = null;
    isAbout(null, null);
    below = null;
    change = null;
    bag = null;
    formerCluster = null;
    members = List.of();
  }
}
