package dev.berth.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.benchmarks.peer.Task.Figures;
import dev.berth.benchmarks.peer.Task.Size;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class PeerTableTest {

  private static final Size SIZE = new Size(1_000, 50, 10, 0, 0);

  private static List<Figures> rates(double... rates) {
    return DoubleStream.of(rates).mapToObj(each -> Figures.of("rate", each)).toList();
  }

  @Test
  void comparesTheBestPeerForkByFork() {
    Group group =
        new Group(
            "one", SIZE, SIZE, List.of(PeerScheduler.STREAM), List.of(PeerScheduler.FENZO_DEFAULT));
    Map<PeerRun, List<Figures>> measured = new LinkedHashMap<>();
    measured.put(new PeerRun(PeerScheduler.STREAM, SIZE, false), rates(1000, 3000, 2000));
    measured.put(new PeerRun(PeerScheduler.FENZO_DEFAULT, SIZE, false), rates(9999, 10, 20));
    measured.put(new PeerRun(PeerScheduler.FENZO_DEFAULT, SIZE, true), rates(100, 200, 50));
    assertThat(new PeerTable(measured).of(List.of(group), false))
        .contains(
            "| one | 1,000 | 50 | stream | 2,000 (1,000 to 3,000) "
                + "| fenzo-default on one core | 100 (50.0 to 200) | 15.0 (10.0 to 40.0) |")
        .doesNotContain("Extrapolated");
  }

  /** Ten times as many hosts take a hundred times as long: the cost is quadratic. */
  @Test
  void extrapolatesLargeSizesFromTwoSmallerOnes() {
    Size smaller = new Size(100, 5, 5, 0, 0);
    Size wanted = new Size(10_000, 10_000, 10_000, 0, 0);
    Map<PeerRun, List<Figures>> measured = new LinkedHashMap<>();
    measured.put(new PeerRun(PeerScheduler.REFERENCE_CONTENDED, SIZE, false), rates(2));
    measured.put(new PeerRun(PeerScheduler.REFERENCE_CONTENDED, smaller, false), rates(200));
    measured.put(new PeerRun(PeerScheduler.BERTH_CONTENDED, wanted, false), passes(100));
    assertThat(new PeerTable(measured).of(List.of(), false))
        .contains("to the power of 2.00; on 10,000 hosts 50.0 seconds, and 139 hours for a pass")
        .contains("That is 5,000 times as long as ours.")
        .contains(
            "| 10,000 | 10,000 | berth-contended | 2.00 (2.00 to 2.00) | 1.00 (1.00 to 1.00) |"
                + " 0.500 (0.500 to 0.500) |");
  }

  private static List<Figures> passes(double rate) {
    return List.of(Figures.of("rate", rate).and("first", 2).and("again", 1).and("idle", 0.5));
  }

  @Test
  void medianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
    assertThat(PeerTable.median(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3.0);
    assertThat(PeerTable.median(List.of(4.0, 1.0, 2.0))).isEqualTo(2.0);
  }

  @Test
  void numbersHaveThreeSignificantDigits() {
    assertThat(DoubleStream.of(12_345.6, 12.34, 1.234, 0.001234).mapToObj(PeerTable::number))
        .containsExactly("12,346", "12.3", "1.23", "0.00123");
  }
}
