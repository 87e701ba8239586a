package dev.berth.policies.qos;

import static dev.berth.testkit.TestCluster.cpuAndMemory;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Instance;
import dev.berth.api.plan.Action;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How {@code qos-hysteresis} treats requests that need much of a host. */
class WideRequestsTest {

  private static final int SECOND = 1_000_000_000;
  private static final double PRICE = 20; // seconds: (1 − 0.5) α / ε

  private final TestCluster cluster = cluster("qos-hysteresis");

  private static TestCluster cluster(String policy) {
    String settings =
        policy.equals("qos-hysteresis")
            ? "{\"expectedOverhead\": \"1s\", \"restartShare\": 0.025}"
            : "{}";
    return TestCluster.withPolicy(policy, settings);
  }

  private static Map<String, String> hosts(TestCluster cluster) {
    return cluster.pass().placements().stream()
        .collect(Collectors.toMap(Action.Place::instance, Action.Place::host));
  }

  /** As in sample 5 of the Google trace: the last in line need just over half of a host. */
  @ParameterizedTest
  @CsvSource({"qos-driven, 0", "qos-hysteresis, 2"})
  void importantRequestsLeaveTheLastRooms(String policy, int placed) {
    TestCluster google = cluster(policy);
    for (int i = 0; i < 4; i++) {
      google.host("host-" + i, cpuAndMemory(100, 100));
      google.pending("small-" + i, "gold", cpuAndMemory(50, 10));
    }
    google.pending("wide-0", "bronze", cpuAndMemory(51, 1));
    google.pending("wide-1", "bronze", cpuAndMemory(51, 1));

    Map<String, String> hosts = hosts(google);

    assertThat(hosts).containsKeys("small-0", "small-1", "small-2", "small-3");
    assertThat(hosts.keySet()).filteredOn(each -> each.startsWith("wide")).hasSize(placed);
  }

  /** One host is begun: there, 75 of 100 are free. */
  @ParameterizedTest
  @CsvSource({
    "80, 1, begun", // only the whole host has room
    "75, 1, whole", // both have
    "40, 2, whole", // there is room for three
    "40, 3, begun", // which all need; 45 is left there
    "30, 3, whole", // no wider than the newcomer
    "101, 1, whole" // no host has room
  })
  void onlyScarceRoomOfWiderRequestsIsSpared(int wide, int count, String host) {
    cluster.host("whole", cpuAndMemory(100, 100)).host("begun", cpuAndMemory(100, 100));
    cluster.running("first", "gold", cpuAndMemory(25, 1), "begun");
    cluster.pending("newcomer", "gold", cpuAndMemory(30, 1));
    for (int i = 0; i < count; i++) {
      cluster.pending("wide-" + i, "bronze", cpuAndMemory(wide, 1));
    }

    assertThat(hosts(cluster)).containsEntry("newcomer", host);
  }

  @Test
  void roomInMemoryIsSparedToo() {
    cluster.host("whole", cpuAndMemory(100, 100)).host("begun", cpuAndMemory(100, 100));
    cluster.running("first", "gold", cpuAndMemory(1, 40), "begun");
    cluster.pending("newcomer", "gold", cpuAndMemory(1, 40));
    cluster.pending("wide", "bronze", cpuAndMemory(1, 70));

    assertThat(hosts(cluster)).containsEntry("newcomer", "begun").containsEntry("wide", "whole");
  }

  /** It is a preference of hosts, and refuses none. */
  @Test
  void theLastRoomIsTakenIfThereIsNoOther() {
    cluster.host("only", cpuAndMemory(100, 100));
    cluster.pending("small", "gold", cpuAndMemory(50, 1));
    cluster.pending("wide", "bronze", cpuAndMemory(51, 1));

    assertThat(hosts(cluster)).containsOnlyKeys("small");
  }

  /**
   * A bound of the wait of a request j for a host with room for it beside more important ones, if
   * starts take no time. Equally important instances k keep it from j at most for the time in which
   * their Q comes to exceed Q<sub>j</sub> plus the price of a switch. While j waits, only service
   * changes that difference, by 1/σ for each second. Each k may also stay until the next pass.
   */
  @Property(tries = 300)
  void waitsNoLongerThanTheServiceThatOthersAreBehind(
      @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 70) Integer> others,
      @ForAll @IntRange(min = 0, max = 300) int earlier,
      @ForAll @IntRange(min = 1, max = 70) int demand) {
    TestCluster contended = cluster("qos-hysteresis").host("host", cpuAndMemory(100, 100));
    contended.running("gold", "gold", cpuAndMemory(30, 1), "host");
    for (int i = 0; i < others.size(); i++) {
      contended.pending("other-" + i, "bronze", cpuAndMemory(others.get(i), 1));
    }
    for (int second = 0; second < earlier; second++) {
      second(contended);
    }
    contended.pending("wide", "bronze", cpuAndMemory(demand, 1));
    double bound = 1;
    for (int i = 0; i < others.size(); i++) {
      Instance other = contended.instance("other-" + i);
      double served = (double) other.serviceTime(contended.now()) / SECOND;
      double behind = PRICE - (served / 0.5 - earlier); // Q of the wide one is 0
      bound += Math.max(0, 0.5 * behind) + 1;
    }

    int waited = 0;
    while (contended.instance("wide").host().isEmpty()) {
      second(contended);
      waited++;
      assertThat((double) waited).isLessThanOrEqualTo(bound);
    }
  }

  private static void second(TestCluster contended) {
    hosts(contended).keySet().forEach(contended::ready);
    contended.after(Duration.ofSeconds(1));
  }
}
