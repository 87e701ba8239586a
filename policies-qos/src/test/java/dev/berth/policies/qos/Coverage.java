package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.test.TestRun;
import dev.berth.testkit.reference.CaseCoverage;
import dev.berth.testkit.reference.CaseCoverage.Mark;

/**
 * Counts what the cases of a differential test covered. Each event that is possible in a pass must
 * occur often enough. The required shares are a third to a tenth of the observed ones.
 */
final class Coverage {

  private final int tries;
  private final CaseCoverage coverage = new CaseCoverage();

  Coverage(int tries) {
    this.tries = tries;
  }

  void add(CaseCoverage other) {
    coverage.add(other);
  }

  /** Returns whether all cases of the fixed seed ran, not a single case or a part of it. */
  boolean complete() {
    return TestRun.isFixed() && coverage.of(Mark.PASS) > TestRun.cases(tries);
  }

  void reached(Mark mark, double perPass) {
    assertThat((double) coverage.of(mark) / coverage.of(Mark.PASS))
        .as("%s per pass, of%n%s", mark, coverage)
        .isGreaterThan(perPass);
  }

  /** Events that all policies must cover. */
  void reachedTheUsual(double share) {
    reached(Mark.PREEMPTION_OF_SEVERAL, share);
    reached(Mark.VICTIM_SPARED, share);
    reached(Mark.CHOICE_AMONG_EQUALS, share / 20);
    reached(Mark.TIE_AMONG_CANDIDATES, share);
    reached(Mark.TIE_AMONG_HOSTS, share);
    reached(Mark.TIE_AMONG_HOSTS_WITH_PREEMPTION, share);
    reached(Mark.DECISION_BY_COST, share);
    reached(Mark.DECISION_BY_SCORE_AFTER_COST, share);
    reached(Mark.REFUSAL_BY_CONSTRAINT, share);
    reached(Mark.REFUSAL_BY_ANTI_AFFINITY, share);
    reached(Mark.LEFT_PENDING, share);
  }
}
