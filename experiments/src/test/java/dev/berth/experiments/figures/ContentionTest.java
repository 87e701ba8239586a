package dev.berth.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.metrics.IntervalMetrics;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each class is given by its smallest availability, most important first; – without requests. */
class ContentionTest {

  @ParameterizedTest
  @CsvSource({
    "1 1 1, NONE",
    "– – –, NONE",
    "1 1 –, NONE",
    "1 1 0.99, LOW",
    "1 1 0.5, LOW",
    "– – 0.5, LOW",
    "1 1 0.4999, MEDIUM",
    "– 1 0, MEDIUM",
    "1 0.9999 1, HIGH",
    "1 0.95 –, HIGH", // above the objective of silver, 0.9
    "0.9999 1 1, HIGH",
    "0 0 0, HIGH",
    "1 1, NONE",
    "1 0.5, LOW",
    "1 0.1, MEDIUM",
    "0.9 1, HIGH",
    "1, NONE",
    "0.5, LOW",
    "0.4, MEDIUM"
  })
  void dependsOnAvailabilityUnderReference(String smallest, Contention expected) {
    List<ClassInterval> classes = new ArrayList<>();
    for (String each : smallest.split(" ", -1)) {
      if (each.equals("–")) {
        classes.add(ClassInterval.inactive("inactive"));
      } else {
        double min = Double.parseDouble(each);
        classes.add(
            new ClassInterval(
                "some",
                2,
                OptionalDouble.of(min),
                OptionalDouble.of(1),
                OptionalDouble.of((min + 1) / 2),
                OptionalDouble.of(0),
                OptionalDouble.of(min < 0.5 ? 0.5 : 1),
                OptionalDouble.of(min == 1 ? 1 : 0.5),
                OptionalDouble.of(min < 0.5 ? 0.5 : 1)));
      }
    }
    assertThat(Contention.of(new IntervalMetrics(0, 600, classes))).isEqualTo(expected);
  }

  /** Each class has a request that starts, and no other below 100 %. */
  @Test
  void firstStartIsNoContention() {
    OptionalDouble all = OptionalDouble.of(1);
    OptionalDouble none = OptionalDouble.of(0);
    ClassInterval starts = new ClassInterval("some", 1, none, none, none, none, none, all, all);
    assertThat(Contention.of(new IntervalMetrics(0, 600, List.of(starts, starts, starts))))
        .isEqualTo(Contention.NONE);
  }

  @Test
  void noClassesMeanNoContention() {
    assertThat(Contention.of(new IntervalMetrics(0, 600, List.of()))).isEqualTo(Contention.NONE);
  }
}
