package dev.berth.policies.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.simulator.FleetSample;
import dev.berth.simulator.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueDepthTest {

  private static final QueueDepthFactory FACTORY = new QueueDepthFactory();
  private static final long SECOND = 1_000_000_000;

  private static Runs.Ran run(QueueDepthConfig config, Runs.Tasks... bags) {
    return Runs.run(
        FACTORY, config, List.of(bags), 100, Provider.reliable(), Duration.ofHours(2), 1);
  }

  private static Runs.Tasks bag(int at, int tasks, int seconds) {
    return new Runs.Tasks(
        Duration.ofSeconds(at),
        IntStream.range(0, tasks).mapToObj(i -> seconds).toList(),
        Optional.empty());
  }

  private static QueueDepthConfig config(
      double target, int least, int most, Duration grow, Duration shrink) {
    return new QueueDepthConfig("", target, least, most, grow, shrink, Duration.ofMinutes(1));
  }

  @Test
  void asksForWhatRunsAndWaitsAtTheTarget() {
    Runs.Ran ran = run(FACTORY.defaults(), bag(0, 8, 60));

    assertThat(ran.result().pools().requested()).isEqualTo(10); // eight at 80 %
    assertThat(ran.result().completed()).isEqualTo(8);
  }

  @Test
  void givesBackWhatIsTooManyAfterTheCoolDown() {
    Runs.Ran ran = run(FACTORY.defaults(), bag(0, 8, 60));

    assertThat(ran.samples())
        .filteredOn(each -> each.stopping() > 0)
        .first()
        .extracting(FleetSample::at)
        .isEqualTo(300 * SECOND);
    assertThat(ran.result().pools().released()).isEqualTo(10);
  }

  @Test
  void staysWithinItsLimits() {
    Duration none = Duration.ZERO;
    Runs.Ran ran = run(config(1, 2, 5, none, none), bag(0, 8, 60));

    assertThat(ran.result().pools().peak()).isEqualTo(5);
    assertThat(ran.samples().get(ran.samples().size() - 1).idle()).isEqualTo(2);
    assertThat(ran.result().completed()).isEqualTo(8);
  }

  @Test
  void growsOnceInACoolDown() {
    Runs.Ran ran =
        run(
            config(1, 0, 100, Duration.ofSeconds(30), Duration.ofMinutes(5)),
            bag(0, 2, 200),
            bag(1, 3, 200));

    assertThat(ran.samples())
        .filteredOn(each -> each.starting() > 0)
        .extracting(FleetSample::at)
        .startsWith(0L, 30 * SECOND)
        .hasSize(2);
  }

  @Test
  void refusesLimitsThatContradictEachOther() {
    assertThatThrownBy(() -> config(1, 3, 2, Duration.ZERO, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("minHosts must be at most maxHosts");
  }
}
