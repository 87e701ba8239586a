package dev.berth.test;

/**
 * The seed of every test that draws cases. {@code mvn verify} leaves it fixed, so one commit passes
 * or fails everywhere alike. The profiles {@code long} and {@code soak} set a fresh one.
 */
public final class TestSeed {

  private static final String PROPERTY = "berth.test.seed";
  private static final long FIXED = 1;

  private TestSeed() {}

  /** Returns the system property {@code berth.test.seed}, or the fixed seed without it. */
  public static long get() {
    return Long.getLong(PROPERTY, FIXED);
  }

  /**
   * Returns whether the seed is the fixed one. Only then may a test demand that its cases contain
   * something that other cases might lack.
   */
  public static boolean isFixed() {
    return get() == FIXED;
  }

  /** Returns the Maven command that repeats a test with the seed of this run. */
  public static String repeat(String className, String method) {
    return ("mvn test -Dtest='%s#%s' -Dsurefire.failIfNoSpecifiedTests=false"
            + " -Dberth.test.excludedTags= -Dberth.effort=%s -D%s=%s")
        .formatted(className, method, System.getProperty("berth.effort", "1"), PROPERTY, get());
  }
}
