package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.simulator.result.PenaltyTable.Tier;
import dev.berth.simulator.result.RequestOutcome.End;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Table 2 of the paper, Eqs. 10 and 11. */
class PenaltyTableTest {

  private static final ServiceClass OWN = ServiceClass.builder("own").slo(0.8).build();

  @ParameterizedTest
  @CsvSource({
    "gold, 0.99995, 0", // below the objective of 100 %, but not below the table
    "gold, 0.9999, 0",
    "gold, 0.99989, 0.1",
    "gold, 0.99, 0.1",
    "gold, 0.98999, 0.3",
    "gold, 0.95, 0.3",
    "gold, 0.94999, 1",
    "gold, 0, 1",
    "silver, 0.89999, 0.1",
    "silver, 0.8911, 0.1",
    "silver, 0.89109, 0.3",
    "silver, 0.8556, 0.3",
    "silver, 0.85559, 1",
    "bronze, 0.49999, 0.1",
    "bronze, 0.495, 0.1",
    "bronze, 0.49499, 0.3",
    "bronze, 0.475, 0.3",
    "bronze, 0.47499, 1",
    "own, 0.79999, 0.1", // 95 % and 99 % of the objective: 0.76 and 0.792
    "own, 0.792, 0.1",
    "own, 0.79199, 0.3",
    "own, 0.76, 0.3",
    "own, 0.75999, 1"
  })
  void hasTheBonusOfTheTable(String name, double availability, double bonus) {
    ServiceClass serviceClass =
        List.of(Ended.GOLD, Ended.SILVER, Ended.BRONZE, OWN).stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    double deficit = serviceClass.slo().share() - availability;
    assertThat(PenaltyTable.PUBLISHED.penalty(serviceClass, availability, 3, 4))
        .isCloseTo(deficit * 3 * 4 * (1 + bonus), within(1e-12));
  }

  @Test
  void ownTiersReplaceThoseOfThePaper() {
    PenaltyTable table =
        PenaltyTable.PUBLISHED.with(Map.of("gold", List.of(new Tier(0.5, 7), new Tier(1, 0.5))));
    assertThat(table.penalty(Ended.GOLD, 0.5, 1, 1)).isEqualTo(0.5 * 1.5);
    assertThat(table.penalty(Ended.GOLD, 0.25, 1, 1)).isEqualTo(0.75 * 8);
    assertThat(table.penalty(Ended.SILVER, 0.5, 1, 1))
        .isEqualTo(PenaltyTable.PUBLISHED.penalty(Ended.SILVER, 0.5, 1, 1));
    assertThat(PenaltyTable.PUBLISHED.with(Map.of("gold", List.of())).penalty(Ended.GOLD, 0, 1, 1))
        .as("no tiers: no bonus")
        .isEqualTo(1);
  }

  @Test
  void refusesInvalidTables() {
    assertThatThrownBy(
            () -> new PenaltyTable(Map.of("own", List.of(new Tier(0.9, 1), new Tier(0.9, 2)))))
        .hasMessage("tiers of own: below 0.9 follows below 0.9, must ascend.");
    assertThatThrownBy(() -> new Tier(1.5, 1)).hasMessage("below was 1.5, must be in (0, 1].");
    assertThatThrownBy(() -> new Tier(0.5, -1)).hasMessage("bonus was -1.0, must be 0 or more.");
    assertThatThrownBy(() -> new Tier(Double.NaN, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Two cores each; the first waited a sixth of its life of 12 h: 0.9 - 10/12, below 0.8556. */
  @Test
  void penaltiesAddUp() {
    ClassAccount silver = new ClassAccount(Ended.SILVER, PenaltyTable.PUBLISHED);
    silver.add(Ended.completed(0, Ended.SILVER, Duration.ofHours(10), Duration.ofHours(2)), 0, 0);
    silver.add(Ended.completed(1, Ended.SILVER, Duration.ofHours(9), Duration.ofHours(1)), 0, 0);
    double missed = (0.9 - 10 / 12.0) * 10 * 2 * 2;
    assertThat(silver.result().penalty()).as("0.9 is met").isCloseTo(missed, within(1e-9));
  }

  @Test
  void unfinishedRequestsPayForNoMoreThanTheirLife() {
    ClassAccount bronze = new ClassAccount(Ended.BRONZE, PenaltyTable.PUBLISHED);
    long forEver = Duration.ofDays(365).toNanos();
    bronze.add(
        Ended.outcome(0, Ended.BRONZE, End.UNFINISHED, forEver, Duration.ZERO, Duration.ofHours(1)),
        0,
        0);
    assertThat(bronze.result().penalty()).isCloseTo(0.5 * 1 * 2 * 2, within(1e-9));
    bronze.add(
        Ended.outcome(
            1,
            Ended.BRONZE,
            End.UNFINISHED,
            Duration.ofMinutes(30).toNanos(),
            Duration.ZERO,
            Duration.ofHours(1)),
        0,
        0);
    assertThat(bronze.result().penalty()).isCloseTo(3, within(1e-9));
  }
}
