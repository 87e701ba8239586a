package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Throwables;
import dev.berth.core.faults.Instrumenter;
import dev.berth.core.faults.Steps;
import dev.berth.core.faults.Trial;
import dev.berth.core.faults.Trials;
import dev.berth.test.TestRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine fails at each step of a pass, of undoing it, of an event and of an explanation, one
 * step at a time: at each allocation, at the beginning of each method, and before and after each
 * call of a collection. Either nothing has happened, or the scheduler has failed and takes no more
 * calls.
 */
class FaultInjectionTest {

  private static final long SEED = TestRun.seed();

  /** The number of faults in each trial of the ordinary build. */
  private static final int SAMPLE = 40;

  /** The last steps of an event or pass, among them those that record it. */
  private static final int RECORDING = 12;

  private static final Map<String, Trial> TRIALS =
      new Instrumenter().make(Trials.class, "dev.berth.core.FaultTrials").all();

  /** A fault; one that lasts fails all later steps as well. */
  private record Fault(String name, Supplier<? extends Throwable> failure, boolean lasts) {}

  private static final List<Fault> FAULTS =
      List.of(
          new Fault("an allocation", () -> new OutOfMemoryError("injected"), false),
          new Fault("all allocations", () -> new OutOfMemoryError("injected"), true),
          new Fault("an overflow", StackOverflowError::new, false),
          new Fault("all overflows", StackOverflowError::new, true),
          new Fault("a defect", () -> new IllegalStateException("injected"), false));

  private final List<String> problems = new ArrayList<>();
  private int undone;
  private int failed;

  @Test
  void sampleOfFaultsUndoesOrEndsTheScheduler() {
    Random random = new Random(SEED);
    int total = 0;
    for (String each : TRIALS.keySet()) {
      int steps = steps(each);
      total += steps;
      for (int i = 0; i < SAMPLE; i++) {
        tryAt(random.nextInt(steps), steps, FAULTS.get(random.nextInt(FAULTS.size())), each);
      }
    }
    assertLaws(total);
  }

  @Test
  @Tag("long")
  void everyFaultUndoesOrEndsTheScheduler() {
    int total = 0;
    for (String each : TRIALS.keySet()) {
      int steps = steps(each);
      total += steps;
      for (Fault fault : FAULTS) {
        for (int step = 0; step < steps; step++) {
          tryAt(step, steps, fault, each);
        }
      }
    }
    assertLaws(total);
  }

  @Test
  void noFaultInRecordsForJfrHidesThatAnEventOrPassHappened() {
    int hidden = 0;
    try (Recording recording = new Recording()) {
      recording.enable("dev.berth.Event");
      recording.enable("dev.berth.Pass");
      recording.start();
      for (String each : List.of("pass", "event: provisioned host joins")) {
        int steps = steps(each);
        for (Fault fault : FAULTS) {
          for (int step = steps - RECORDING; step < steps; step++) {
            hidden += tryAt(step, steps, fault, each) ? 0 : 1;
          }
        }
      }
    }
    assertThat(problems).isEmpty();
    assertThat(hidden).isGreaterThan(FAULTS.size());
  }

  private void assertLaws(int steps) {
    assertThat(problems).isEmpty();
    assertThat(TRIALS).as("trials").hasSizeGreaterThan(30);
    assertThat(steps).as("steps").isGreaterThan(30_000);
    assertThat(undone).as("faults that were undone").isGreaterThan(SAMPLE);
    assertThat(failed).as("failed schedulers").isGreaterThan(SAMPLE);
  }

  private static Trial trial(String name) {
    return Objects.requireNonNull(TRIALS.get(name));
  }

  private static int steps(String name) {
    Trial trial = trial(name);
    trial.prepare();
    Steps.count(trial::run); // links the classes
    trial.prepare();
    return Steps.count(trial::run);
  }

  /** Returns whether the fault was seen outside: a record that fails is lost without a word. */
  private boolean tryAt(int step, int steps, Fault fault, String name) {
    Trial trial = trial(name);
    trial.prepare();
    Steps.Result result = Steps.run(step, fault.failure, fault.lasts, 10 * steps, trial::run);
    String when = "%s at step %d of %s".formatted(fault.name, step, name);
    assertThat(result.happened()).as(when).isTrue();
    if (result.thrown() == null && FlightRecords.beginEvent() != null) {
      return false;
    }
    try {
      if (trial.check(result.thrown(), when)) {
        undone++;
      } else {
        failed++;
      }
    } catch (AssertionError | RuntimeException broken) {
      problems.add(
          "%s: %s%nafter %s"
              .formatted(
                  when,
                  Throwables.getStackTraceAsString(broken),
                  result.thrown() == null
                      ? "nothing"
                      : Throwables.getStackTraceAsString(result.thrown())));
    }
    return true;
  }
}
