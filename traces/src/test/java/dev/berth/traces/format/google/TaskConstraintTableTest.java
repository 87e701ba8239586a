package dev.berth.traces.format.google;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.traces.input.Input;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskConstraintTableTest {

  private static final long TASK = 5L << 23;

  @Test
  void aTaskHasAllConstraintsOfItsTime() {
    try (TaskConstraintTable table = table("0,5,0,0,zone,a\n0,5,1,1,zone,b\n0,5,0,2,rank,7\n")) {
      assertThat(table.of(TASK, 0).constraints())
          .containsExactly(new Constraint.Equal("zone", "a"), new Constraint.LessThan("rank", 7));
      assertThat(table.of(TASK, 0).unsupported()).isFalse();
      assertThat(table.of(task(1), 0).constraints()).hasSize(1);
      assertThat(table.of(task(2), 0).constraints()).isEmpty();
    }
  }

  @Test
  void constraintsOfOneTaskAreReadInLinearTime() {
    int count = 300_000;
    String rows = "0,5,0,0,zone,a\n".repeat(count);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begun = threads.getCurrentThreadCpuTime();
    try (TaskConstraintTable table = table(rows)) {
      assertThat(table.of(TASK, 0).constraints()).hasSize(count);
    }
    // A second at most; copying what was read before for each row takes a minute.
    assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - begun))
        .isLessThan(Duration.ofSeconds(15));
  }

  private static long task(int index) {
    return 5L << 23 | index; // of job 5
  }

  private static TaskConstraintTable table(String rows) {
    return new TaskConstraintTable(
        List.of(Input.of("task_constraints.csv", rows.getBytes(StandardCharsets.UTF_8))));
  }
}
