package dev.berth.policies.metascheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TicketsTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void areTheRoundedRatioToTheLongestTime() {
    assertThat(Tickets.of(480, 480)).isEqualTo(1);
    assertThat(Tickets.of(480, 60)).isEqualTo(8);
    assertThat(Tickets.of(480, 321)).isEqualTo(1); // 1.495
    assertThat(Tickets.of(480, 320)).isEqualTo(2); // 1.5
    assertThat(Tickets.of(480, 0)).isEqualTo(Tickets.VERY_MANY);
    assertThat(Tickets.of(0, 0)).isEqualTo(Tickets.VERY_MANY);
    assertThat(Tickets.of(1e18, 1)).isEqualTo(Tickets.VERY_MANY);
  }

  /** Draws every ticket and counts the tickets of each site. */
  @Property(tries = 200)
  void everyTicketSelectsItsSite(
      @ForAll @Size(min = 1, max = 6) List<@LongRange(min = 10, max = 400) Long> seconds) {
    double[] times = seconds.stream().mapToDouble(each -> each * SECOND).toArray();
    double most = seconds.stream().mapToDouble(each -> each * SECOND).max().orElseThrow();
    List<Long> expected = new ArrayList<>();
    for (double time : times) {
      expected.add(Math.round(most / time));
    }

    assertThat(drawn(times)).isEqualTo(expected);
  }

  @Test
  void unknownSiteGetsNearlyAllTickets() {
    assertThat(shareOfUnknown(new double[] {60, 0, 480})).isGreaterThan(0.999_999_99);
  }

  private static double shareOfUnknown(double[] times) {
    List<Long> bounds = new ArrayList<>();
    draw(times, 0, bounds);
    return (double) Tickets.VERY_MANY / bounds.get(0);
  }

  private static List<Long> drawn(double[] times) {
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < times.length; i++) {
      counts.add(0L);
    }
    long total = 1;
    for (long ticket = 0; ticket < total; ticket++) {
      List<Long> bounds = new ArrayList<>();
      int site = draw(times, ticket, bounds);
      total = bounds.get(0);
      counts.set(site, counts.get(site) + 1);
    }
    return counts;
  }

  private static int draw(double[] times, long ticket, List<Long> bounds) {
    TestCluster cluster = TestCluster.byHand();
    for (int i = 0; i < times.length; i++) {
      cluster.host("h" + i, TestCluster.cpu(1));
    }
    List<Integer> site = new ArrayList<>();
    cluster.pass(
        pass ->
            site.add(
                new Tickets()
                    .draw(
                        times,
                        new Sites(pass),
                        new RandomGenerator() {
                          @Override
                          public long nextLong() {
                            throw new AssertionError("one draw is enough");
                          }

                          @Override
                          public long nextLong(long bound) {
                            bounds.add(bound);
                            return ticket;
                          }
                        })));
    return site.get(0);
  }
}
