package dev.berth.policies.qos;

import static dev.berth.policies.qos.PreemptionCostReading.AS_PRINTED;
import static dev.berth.policies.qos.PreemptionCostReading.ONE_SUM;
import static dev.berth.policies.qos.PreemptionCostReading.SLACK_SUMS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tuple of section 4.1.3: an entry for each class below its margin, and one for all above. */
class QosPreemptionCostTest {

  private static final int GOLD = 0;
  private static final int SILVER = 1;
  private static final int BRONZE = 2;

  /** Returns a class with a margin of 10. */
  private static final List<ServiceClass> CLASSES =
      List.of(serviceClass("gold", 1), serviceClass("silver", 2), serviceClass("bronze", 3));

  private static ServiceClass serviceClass(String name, int importance) {
    return ServiceClass.builder(name)
        .importance(importance)
        .safetyMargin(Duration.ofNanos(10))
        .build();
  }

  @Test
  void noVictimCostsNothing() {
    assertThat(cost(SLACK_SUMS)).containsExactly(0, 0, 0, 0);
    assertThat(cost(AS_PRINTED)).containsExactly(0, 0, 0, 0);
  }

  @Test
  void sumsShortfallBelowTheMarginPerClass() {
    assertThat(cost(SLACK_SUMS, victim(SILVER, 7), victim(BRONZE, 9), victim(SILVER, -20)))
        .containsExactly(0, 3 + 30, 1, 0);
  }

  @Test
  void slackAboveTheMarginReducesTheCost() {
    assertThat(cost(SLACK_SUMS, victim(GOLD, 12), victim(BRONZE, 15), victim(GOLD, 9)))
        .containsExactly(1, 0, 0, -(2 + 5));
  }

  @Test
  void printedFormulaInvertsTheSums() {
    assertThat(cost(AS_PRINTED, victim(SILVER, 7), victim(SILVER, 9), victim(BRONZE, 12)))
        .containsExactly(0, 1 / -4.0, 0, 1 / 2.0);
  }

  /** Eq. 2 of SBRC 2019: ζ = Σ(τ − σ), where σ is the margin; the largest score wins. */
  @Test
  void firstPublicationAddsUpAllClasses() {
    assertThat(cost(ONE_SUM, victim(SILVER, 7), victim(BRONZE, 15), victim(GOLD, 12)))
        .containsExactly(0, 0, 0, -(-3 + 5 + 2));
  }

  @Test
  void aVictimAtItsMarginIsNotBelowIt() {
    assertThat(cost(SLACK_SUMS, victim(SILVER, 10))).containsExactly(0, 0, 0, 0);
    assertThat(cost(AS_PRINTED, victim(SILVER, 10)))
        .containsExactly(0, 0, 0, Double.POSITIVE_INFINITY);
  }

  private static double[] cost(PreemptionCostReading reading, PreemptionPair... victims) {
    QosPreemptionCost cost = new QosPreemptionCost(reading, CLASSES, QosUnit.NANOSECOND);
    double[] tuple = new double[cost.width(CLASSES.size())];
    for (PreemptionPair each : victims) {
      cost.add(each, tuple);
    }
    cost.finish(tuple);
    for (int i = 0; i < tuple.length; i++) {
      tuple[i] += 0.0; // the engine treats -0 as 0
    }
    return tuple;
  }

  private static PreemptionPair victim(int rank, long value) {
    return new Victim(rank, value);
  }

  record Victim(int victimClassRank, long victimValue) implements PreemptionPair {

    @Override
    public long now() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Instance beneficiary() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int beneficiaryClassRank() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long beneficiaryValue() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Instance victim() {
      throw new UnsupportedOperationException();
    }
  }
}
