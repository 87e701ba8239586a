package dev.berth.simulator;

import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.simulator.internal.EventQueue;
import dev.berth.simulator.internal.EventQueue.Kind;
import dev.berth.simulator.internal.execution.Execution;
import dev.berth.simulator.internal.execution.ExecutionEngine;
import dev.berth.simulator.internal.execution.FleetLink;
import java.util.ArrayList;
import java.util.List;

/** Carries out plans: hands each action to the execution engine, the provisioner or the account. */
record PlanExecutor(
    EventQueue queue,
    FleetLink link,
    ExecutionEngine engine,
    Provisioner provisioner,
    RunAccount account,
    Listeners listeners) {
  /** Carries a plan out; returns the instances that it places, in order. */
  List<Execution> carryOut(Plan plan, long now) {
    List<Execution> placed = new ArrayList<>();
    for (int i = 0; i < plan.actions().size(); i++) {
      Action action = plan.actions().get(i);
      account.decided(action);
      if (!link.accepts(plan, i, now)) {
        continue;
      }
      listeners.each(listener -> listener.carriedOut(action, now));
      if (action instanceof Action.Provision provision) {
        provisioner.provision(provision, now);
      } else if (action instanceof Action.Release release) {
        release(release, now);
      } else if (action instanceof Action.Cancel cancel) {
        cancel(cancel, plan, now);
      } else if (action instanceof Action.OnInstance onInstance) {
        carryOut(onInstance, placed, now);
      }
    }
    // Only now is it known how many instances start together on a host.
    placed.forEach(each -> engine.prepare(each, now));
    return placed;
  }

  private void carryOut(Action.OnInstance action, List<Execution> placed, long now) {
    Execution execution = account.execution(action.instance());
    if (action instanceof Action.Reject) {
      account.refused(execution, now);
      link.forgotten(execution);
    } else if (action instanceof Action.Place place) {
      engine.place(execution, place, now);
      placed.add(execution);
    } else if (action instanceof Action.Stop stop) {
      engine.drop(execution, now);
      account.stopped(execution, link.ended(execution, stop.report(), now));
      link.forgotten(execution);
    } else {
      engine.carryOut(execution, action, now);
    }
  }

  private void release(Action.Release release, long now) {
    engine.forgetHost(release.host());
    List<Execution> leaving = engine.leaving(release.host());
    long left = now;
    for (Execution each : leaving) {
      left = Math.max(left, engine.readyAt(each));
    }
    if (provisioner.release(release, left, now)) {
      for (Execution each : leaving) { // memory that was not copied yet is lost with the host
        if (engine.readyAt(each) > now) {
          queue.add(now, Kind.HOST_FAILURE, () -> lose(each, now));
        }
      }
    }
  }

  private void lose(Execution execution, long now) {
    engine.drop(execution, now);
    link.failed(execution, now);
  }

  private void cancel(Action.Cancel cancel, Plan plan, long now) {
    BagReport report =
        plan.endedBags().stream()
            .filter(each -> each.bag().equals(cancel.bag()) && !each.cancelled().isEmpty())
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "bag %s is cancelled without a report.".formatted(cancel.bag())));
    for (InstanceReport each : report.cancelled()) {
      Execution execution = account.execution(each.id());
      engine.drop(execution, now);
      account.cancelled(execution, link.ended(execution, each, now));
      link.forgotten(execution);
    }
  }
}
