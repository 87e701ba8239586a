package dev.berth.core;

import dev.berth.api.plan.Rejection;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.DecisionListener;
import dev.berth.core.internal.pass.RecordedDecisions;
import java.util.ArrayList;
import java.util.List;

/** Keeps the decisions of the latest pass until its listener has received them. */
final class DecisionReport {

  private final DecisionListener listener;
  private final RecordedDecisions log;
  private List<Decision> decisions = new ArrayList<>();
  private List<ActionRecord> actions = new ArrayList<>();
  private List<Rejection> rejections = new ArrayList<>();
  private boolean underWay;

  DecisionReport(DecisionListener listener, RecordedDecisions log) {
    this.listener = listener;
    this.log = log;
  }

  void add(Decision decision) {
    log.add(decision);
    decisions.add(decision);
  }

  void add(ActionRecord action) {
    log.add(action);
    actions.add(action);
  }

  void add(Rejection rejection) {
    rejections.add(rejection);
  }

  /** Returns whether the listener is at work. */
  boolean isUnderWay() {
    return underWay;
  }

  /** Passes on what has been added, once. Throws nothing that the listener throws. */
  void deliver() {
    if (decisions.isEmpty() && actions.isEmpty() && rejections.isEmpty()) {
      return;
    }
    List<Decision> decided = decisions;
    List<ActionRecord> adjusted = actions;
    List<Rejection> undone = rejections;
    decisions = new ArrayList<>();
    actions = new ArrayList<>();
    rejections = new ArrayList<>();
    underWay = true;
    try {
      decided.forEach(each -> attempt(() -> listener.decided(each)));
      adjusted.forEach(each -> attempt(() -> listener.adjusted(each)));
      undone.forEach(each -> attempt(() -> listener.undone(each)));
    } finally {
      underWay = false;
    }
  }

  private static void attempt(Runnable call) {
    try {
      call.run();
    } catch (Throwable failure) { // also errors: the plan must reach the embedder
      report(failure);
    }
  }

  private static void report(Throwable failure) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable ignored) { // as the virtual machine ignores it
      return;
    }
  }
}
