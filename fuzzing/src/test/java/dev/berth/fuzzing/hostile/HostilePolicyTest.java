package dev.berth.fuzzing.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.test.TestRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever a policy does and an embedder reports, the state of a scheduler obeys its laws, and
 * refused calls change nothing.
 */
class HostilePolicyTest {

  private static final int CALLS = 150; // of a scheduler
  private static final long SEED = TestRun.seed();

  @Test
  void hostilePoliciesBreakNoLaw() {
    assertCoverage(play(10_000, 4_000));
  }

  /** The number of events and passes is set with {@code -Dberth.hostile.events} and passes. */
  @Test
  @Tag("long")
  void hostilePoliciesBreakNoLawForLong() {
    assertCoverage(
        play(
            Long.getLong("berth.hostile.events", 200_000),
            Long.getLong("berth.hostile.passes", 80_000)));
  }

  /** At a fixed seed, since another may seldom draw what is rare. */
  private static void assertCoverage(HostileRun.Counts counts) {
    if (!TestRun.isFixed()) {
      return;
    }
    assertThat(counts.failedPasses).isBetween(counts.passes / 50, counts.passes / 2);
    assertThat(counts.refusedEvents).isBetween(counts.events / 10, counts.events * 9 / 10);
    assertThat(counts.actions).isGreaterThan(counts.passes / 4);
    assertThat(counts.guardedActions).isGreaterThan(counts.passes / 300);
    assertThat(counts.exceededBudgets).isGreaterThan(counts.passes / 10);
  }

  private static HostileRun.Counts play(long events, long passes) {
    HostileRun.Counts counts = new HostileRun.Counts();
    for (long run = 0; counts.events < events || counts.passes < passes; run++) {
      try {
        new HostileRun(SEED + run, counts).make(CALLS);
      } catch (AssertionError | RuntimeException broken) {
        throw new AssertionError("with -Dberth.seed=" + (SEED + run), broken);
      }
    }
    System.out.println(counts); // of interest if the size was set
    return counts;
  }
}
