package dev.berth.policies.qos;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With requests that are to start after others; for three policies. */
class DependenciesReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 3_000;
  private static final int STEPS = 100;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  DependenciesReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.withDependencies(STEPS);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.WAITS_FOR_OTHERS, 0.5);
      COVERAGE.reached(Mark.PLACEMENT_AFTER_OTHERS, 0.02);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.005);
      COVERAGE.reached(Mark.GROUP_STARTED, 0.002);
      COVERAGE.reached(Mark.REJECTION, 0.002);
      COVERAGE.reached(Mark.RETURN, 0.002);
    }
  }
}
