package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.ServiceClass;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttainedCostTest {

  private static final List<ServiceClass> CLASSES =
      List.of(
          ServiceClass.builder("gold").safetyMargin(Duration.ofNanos(10)).build(),
          ServiceClass.builder("bronze").safetyMargin(Duration.ofNanos(20)).build());

  /** Those beyond their margins, 10 and 20, count half. */
  @Test
  void countsTheVictimsOfEachClassAndThenTheirLackOfSlack() {
    AttainedCost cost = new AttainedCost(CLASSES, QosUnit.NANOSECOND);
    double[] tuple = new double[cost.width(CLASSES.size())];
    for (long value : List.of(-7L, 10L, 11L)) {
      cost.add(new QosPreemptionCostTest.Victim(0, value), tuple);
    }
    for (long value : List.of(11L, 20L, 21L, 22L)) {
      cost.add(new QosPreemptionCostTest.Victim(1, value), tuple);
    }

    assertThat(tuple).containsExactly(2.5, 3, -(14 + 74));
  }
}
