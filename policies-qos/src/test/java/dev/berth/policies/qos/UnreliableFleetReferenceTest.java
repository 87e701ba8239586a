package dev.berth.policies.qos;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * With a fleet whose reports are late or come again, that rejects actions, and that has something
 * else than is believed, and with requests that come again with their histories; three policies.
 */
class UnreliableFleetReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 1_000;
  private static final int STEPS = 100;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  UnreliableFleetReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.unreliable(STEPS);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.06);
      COVERAGE.reached(Mark.PASS_PREEMPTING, 0.006);
      COVERAGE.reached(Mark.ATTEMPT_REPORT, 0.05);
      COVERAGE.reached(Mark.COMPLETION_BEFORE_STOP, 0.0004);
      COVERAGE.reached(Mark.STALE_REPORT, 0.08);
      COVERAGE.reached(Mark.GIVEN_UP, 0.002);
      COVERAGE.reached(Mark.REJECTION, 0.02);
      COVERAGE.reached(Mark.REJECTION_WITH_DEPENDENTS, 0.0008);
      COVERAGE.reached(Mark.RETURN, 0.01);
      COVERAGE.reached(Mark.INSTANCE_GONE, 0.008);
      COVERAGE.reached(Mark.INSTANCE_CORRECTED, 0.005);
      COVERAGE.reached(Mark.INSTANCE_ADOPTED, 0.005);
      COVERAGE.reached(Mark.INSTANCE_FOREIGN, 0.003);
      COVERAGE.reached(Mark.HOST_CORRECTED, 0.015);
    }
  }
}
