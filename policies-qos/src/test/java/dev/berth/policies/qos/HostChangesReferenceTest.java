package dev.berth.policies.qos;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With hosts that change, have foreign load, are cordoned and drained; for three policies. */
class HostChangesReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 3_000;
  private static final int STEPS = 100;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  HostChangesReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.withHostChanges(STEPS);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.06);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.008);
      COVERAGE.reached(Mark.REFUSAL_BY_CORDON, 0.4);
      COVERAGE.reached(Mark.REFUSAL_BY_OVER_CAPACITY, 0.05);
      COVERAGE.reached(Mark.REFUSAL_BY_FOREIGN_LOAD, 0.02);
      COVERAGE.reached(Mark.PLACEMENT_BESIDE_FOREIGN_LOAD, 0.008);
      COVERAGE.reached(Mark.CONSTRAINT_OUTLIVED, 0.002);
      COVERAGE.reached(Mark.DRAINED_BY_MIGRATION, 0.006);
      COVERAGE.reached(Mark.DRAINED_BY_RESTART, 0.003);
      COVERAGE.reached(Mark.DRAINED_AT_DEADLINE, 0.01);
      COVERAGE.reached(Mark.DRAIN_STUCK, 0.02);
      COVERAGE.reached(Mark.DRAIN_OF_SEVERAL, 0.004);
    }
  }
}
