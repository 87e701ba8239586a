package dev.berth.core.internal.rule;

import dev.berth.api.Instance;
import dev.berth.api.LimitUse;
import dev.berth.api.PlacementRule;
import dev.berth.api.Request;
import dev.berth.core.internal.digest.TrackedRecord;
import org.jspecify.annotations.Nullable;

/** An instance as placement rules see it: its request, and what the rules of others count. */
public abstract class RuledInstance extends TrackedRecord implements Instance {

  public final Request request;
  public final ConstraintIndex.@Nullable Entry constraints; // null: none
  public final @Nullable JobRecord job;
  public final boolean antiAffinity;
  @Nullable InstanceRules rules; // null: it has neither rules nor preferences
  LabelRecord @Nullable [] labels; // null: none
  int[] labelPlaces = {}; // in the lists of these
  LimitRecord @Nullable [] limits; // that its request uses, in order; null: none

  protected RuledInstance(
      Request request, ConstraintIndex.@Nullable Entry constraints, @Nullable JobRecord job) {
    this.request = request;
    this.constraints = constraints;
    this.job = job;
    this.antiAffinity = request.antiAffinity() || isAntiAffine(request, job);
  }

  private static boolean isAntiAffine(Request request, @Nullable JobRecord job) {
    for (PlacementRule each : request.placement().rules()) {
      if (job != null && job.isKeptApartBy(each)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public final Request request() {
    return request;
  }

  /** Returns its rules and preferences, or null if it has neither. */
  public final @Nullable InstanceRules rules() {
    return rules;
  }

  /** Returns the limits that its request uses, in order, or null if there are none. */
  public final LimitRecord @Nullable [] limits() {
    return limits;
  }

  /** Returns the host that it is on, or null. */
  public abstract @Nullable RuledHost place();

  /** Notes that its place in the list of a label has changed. */
  final void movedInLabel(LabelRecord label, int place) {
    LabelRecord[] records = labels;
    if (records != null) {
      for (int i = 0; i < records.length; i++) {
        labelPlaces[i] = records[i] == label ? place : labelPlaces[i];
      }
    }
  }

  /** Returns what it uses of a limit, or null if nothing. */
  final @Nullable LimitUse useOf(LimitRecord limit) {
    LimitRecord[] used = limits;
    if (used != null) {
      for (int i = 0; i < used.length; i++) {
        if (used[i] == limit) {
          return request.placement().limits().get(i);
        }
      }
    }
    return null;
  }
}
