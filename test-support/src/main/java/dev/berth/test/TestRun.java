package dev.berth.test;

/**
 * What a run of generated tests draws: from which seed, and how many cases. {@code mvn verify}
 * leaves the seed fixed, so one commit passes or fails everywhere alike. The profiles {@code long}
 * and {@code soak} set a fresh one.
 */
public final class TestRun {

  private static final String SEED = "berth.seed";
  private static final String EFFORT = "berth.effort";
  private static final String FIXED_SEED = "1";
  private static final String USUAL_EFFORT = "0.1";

  private TestRun() {}

  /** Returns the system property {@code berth.seed}, or the fixed seed without it. */
  public static long seed() {
    return Long.parseLong(System.getProperty(SEED, FIXED_SEED));
  }

  /**
   * Returns whether this run draws the cases of {@code mvn verify}. Only then may a test demand
   * that its cases contain something that others might lack.
   */
  public static boolean isFixed() {
    return FIXED_SEED.equals(System.getProperty(SEED, FIXED_SEED)) && USUAL_EFFORT.equals(effort());
  }

  /**
   * Returns how many cases to draw: a share of a full number, at least one. The system property
   * {@code berth.effort} is the share, 0.1 in {@code mvn verify} and more in a longer run.
   */
  public static int cases(int full) {
    return (int) Math.max(1, Math.round(full * Double.parseDouble(effort())));
  }

  /** Returns the Maven command that repeats a test with the seed and the effort of this run. */
  public static String repeat(String className, String method) {
    return ("mvn test -Dtest='%s#%s' -Dsurefire.failIfNoSpecifiedTests=false"
            + " -Dberth.test.excludedTags= -D%s=%s -D%s=%s")
        .formatted(className, method, EFFORT, effort(), SEED, seed());
  }

  private static String effort() {
    return System.getProperty(EFFORT, USUAL_EFFORT);
  }
}
