package dev.berth.traces.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoogleLikeSnapshotTest {

  private final GoogleLikeSnapshot snapshot = GoogleLikeSnapshot.of(500, 0.8, "gold", 3);

  @Test
  void sameSeedGivesSameSnapshot() {
    GoogleLikeSnapshot again = GoogleLikeSnapshot.of(500, 0.8, "gold", 3);
    GoogleLikeSnapshot other = GoogleLikeSnapshot.of(500, 0.8, "gold", 4);

    assertThat(again.hosts()).isEqualTo(snapshot.hosts());
    assertThat(again.requests()).hasToString(snapshot.requests().toString());
    assertThat(other.requests().toString()).isNotEqualTo(snapshot.requests().toString());
  }

  @Test
  void demandIsTheLoad() {
    double cpu = share(Dimension.CPU);
    double memory = share(Dimension.MEMORY);

    assertThat(Math.max(cpu, memory)).isBetween(0.8, 0.87);
  }

  /** Counts what cannot be placed by another argument than the generator does. */
  @Test
  void unplaceableRequestsMatchNoHostOrExceedTheHostsOfTheirJob() {
    Map<String, Integer> sizes = new HashMap<>();
    Map<String, Long> hosts = new HashMap<>();
    for (Request each : snapshot.requests()) {
      String job = each.job().orElseThrow();
      sizes.merge(job, 1, Integer::sum);
      hosts.computeIfAbsent(job, its -> room(each));
    }

    long unplaceable =
        sizes.entrySet().stream()
            .mapToLong(each -> Math.max(0, each.getValue() - hosts.getOrDefault(each.getKey(), 0L)))
            .sum();

    assertThat(snapshot.unplaceable()).isPositive();
    assertThat(unplaceable).isEqualTo(snapshot.unplaceable());
  }

  @Test
  void refusesNumbersOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoogleLikeSnapshot.of(99, 0.8, "gold", 1))
        .withMessageContaining("99")
        .withMessageContaining("at least 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoogleLikeSnapshot.of(100, 1.1, "gold", 1))
        .withMessageContaining("1.1")
        .withMessageContaining("from 0.1 to 1");
  }

  private double share(Dimension dimension) {
    double demanded =
        snapshot.requests().stream().mapToDouble(each -> each.demand().amount(dimension)).sum();
    double capacity =
        snapshot.hosts().hosts().stream()
            .mapToDouble(each -> each.capacity().amount(dimension))
            .sum();
    return demanded / capacity;
  }

  /** Returns the matching hosts of a request with anti-affinity, or unlimited room if any match. */
  private long room(Request request) {
    List<HostSpec> matching =
        snapshot.hosts().hosts().stream()
            .filter(host -> request.demand().fitsIn(host.capacity()))
            .filter(
                host ->
                    request.constraints().stream()
                        .allMatch(each -> each.holdsWith(host.attributes())))
            .toList();
    return request.antiAffinity() || matching.isEmpty() ? matching.size() : Integer.MAX_VALUE;
  }
}
