package dev.berth.policies.qos;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** With many groups, which start together, lose members, and are restored or released. */
class GroupsReferenceTest extends EngineReferenceTest {

  private static final int TRIES = 3_000;
  private static final int STEPS = 60;

  private static final Coverage COVERAGE = new Coverage(TRIES);

  GroupsReferenceTest() {
    super(TRIES, COVERAGE);
  }

  @Provide
  @Override
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.withGroups(STEPS);
  }

  @AfterContainer
  static void casesWereNotTrivial() {
    if (COVERAGE.complete()) {
      COVERAGE.reached(Mark.PASS_PLACING, 0.05);
      COVERAGE.reached(Mark.GROUP_STARTED, 0.05);
      COVERAGE.reached(Mark.GROUP_STARTED_IN_PART, 0.005);
      COVERAGE.reached(Mark.GROUP_STARTED_BY_PREEMPTION, 0.002);
      COVERAGE.reached(Mark.GROUP_WITHOUT_HOSTS, 0.02);
      COVERAGE.reached(Mark.GROUP_INCOMPLETE, 0.02);
      COVERAGE.reached(Mark.GROUP_INCOMPLETE_WITH_VICTIMS, 0.002);
      COVERAGE.reached(Mark.GROUP_OVERTAKEN, 0.005);
      COVERAGE.reached(Mark.GROUP_RELEASED, 0.005);
      COVERAGE.reached(Mark.GROUP_RESTORED, 0.003);
      COVERAGE.reached(Mark.GROUP_EXTENDED, 0.001);
      COVERAGE.reached(Mark.GROUP_TAKEN, 0.01);
      COVERAGE.reached(Mark.GROUP_SPARED, 0.01);
    }
  }
}
