package dev.berth.runtime;

import dev.berth.api.Action;
import dev.berth.api.BagReport;
import dev.berth.api.InstanceReport;
import dev.berth.api.Plan;
import dev.berth.api.Rejection;
import dev.berth.runtime.ActionQueue.OpenAction;
import dev.berth.runtime.input.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How plans and inputs change which actions are open: the same in the loop and in a replay. */
final class OpenActions {

  private OpenActions() {}

  /** Adds the actions of a plan. */
  static void add(Plan plan, ActionQueue actions) {
    for (int i = 0; i < plan.actions().size(); i++) {
      actions.add(plan.id(i), plan.actions().get(i));
    }
  }

  /**
   * Removes the actions that an input makes needless, and returns them: those that were undone,
   * those on a host that has left, and those on cancelled instances.
   *
   * @param result the result of the input
   */
  static List<OpenAction> after(Input<?> input, Object result, ActionQueue actions) {
    List<OpenAction> removed = new ArrayList<>();
    if (result instanceof Rejection rejection) {
      for (Rejection.Undone each : rejection.undone()) {
        OpenAction open = actions.remove(each.id());
        if (open != null) {
          removed.add(open);
        }
      }
    } else if (input instanceof Input.RemoveHost gone) {
      removed.addAll(actions.removeOn(gone.host()));
    } else if (input instanceof Input.Cancel cancelled) {
      removed.addAll(actions.removeOf(cancelled.instance()));
    } else if (result instanceof BagReport bag) {
      bag.cancelled().forEach(each -> removed.addAll(actions.removeOf(each.id())));
    } else if (result instanceof List<?> reports) {
      for (Object each : reports) {
        if (each instanceof InstanceReport report) {
          removed.addAll(actions.removeOf(report.id()));
        }
      }
    }
    return removed;
  }

  static String describe(Plan plan) {
    return plan.actions().isEmpty()
        ? "empty"
        : plan.actions().stream().limit(5).map(Action::describe).collect(Collectors.joining(", "))
            + (plan.actions().size() > 5 ? ", …" : "");
  }
}
