package dev.berth.runtime;

import dev.berth.api.Plan;

/** What a loop has counted since it began. For the thread of the loop. */
final class LoopCounts {

  long inputs;
  long refused;
  long passes;
  long failedPasses;
  int failedPassesInARow;
  long lastPassNanos;
  long decisions;
  long begun;
  long retried;
  long timedOut;
  long rejected;
  long reconciliations;
  long differences;

  void passed(Plan plan, long nanos) {
    passes++;
    lastPassNanos = nanos;
    decisions += plan.actions().size();
  }
}
