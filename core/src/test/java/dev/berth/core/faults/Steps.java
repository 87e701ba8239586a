package dev.berth.core.faults;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of instrumented classes at which an error of the virtual machine may occur. Lets one of
 * them fail, or all from one on. Steps are counted from 0, and only while some work {@link #run
 * runs} here, on its thread.
 */
public final class Steps {

  private static @Nullable Thread runner; // null: no fault is left
  private static Supplier<? extends Throwable> failure = OutOfMemoryError::new;
  private static boolean lasting;
  private static int failing;
  private static int count;
  private static boolean happened;
  private static int limit;

  private Steps() {}

  /** Work of which a step may fail. */
  public interface Work {
    void run() throws Throwable;
  }

  /**
   * The result of some work.
   *
   * @param steps the number of its steps
   * @param happened whether a step failed
   * @param thrown what the work threw, or null
   */
  public record Result(int steps, boolean happened, @Nullable Throwable thrown) {}

  /** Returns the number of steps of some work that succeeds. */
  public static int count(Work work) {
    Result result = run(Integer.MAX_VALUE, OutOfMemoryError::new, false, Integer.MAX_VALUE, work);
    if (result.thrown != null) {
      throw new AssertionError("the work fails without a fault", result.thrown);
    }
    return result.steps;
  }

  /**
   * Runs work, in which a step fails.
   *
   * @param most the number of steps at which the work is taken for endless
   * @param lasts whether all later steps fail as well, until the work ends or {@link #recover
   *     recovers}
   */
  public static Result run(
      int step, Supplier<? extends Throwable> with, boolean lasts, int most, Work work) {
    failure = with;
    lasting = lasts;
    failing = step;
    count = 0;
    limit = most;
    happened = false;
    Throwable thrown = null;
    runner = Thread.currentThread();
    try {
      work.run();
    } catch (Throwable caught) {
      thrown = caught;
    } finally {
      runner = null;
    }
    return new Result(count, happened, thrown);
  }

  /** Ends a lasting fault, if it has happened. */
  public static void recover() {
    lasting &= !happened;
  }

  /** Takes a step. Instrumented classes call this. */
  public static void step() {
    if (runner == null || runner != Thread.currentThread()) {
      return;
    }
    int number = count++;
    if (number > limit) {
      runner = null;
      throw new AssertionError("the work does not end");
    }
    if (number == failing || (lasting && number > failing)) {
      happened = true;
      Steps.<RuntimeException>sneak(failure.get());
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
