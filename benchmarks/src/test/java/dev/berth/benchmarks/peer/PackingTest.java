package dev.berth.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PackingTest {

  private static final List<HostSpec> HOSTS =
      Stream.of("a", "b", "c").map(id -> new HostSpec(id, amounts(4, 8))).toList();

  private static final List<Request> FIVE =
      IntStream.range(0, 5)
          .mapToObj(i -> Request.builder("r" + i, "gold").demand(amounts(2, 2)).build())
          .toList();

  private static Resources amounts(long cpu, long memory) {
    return Resources.of(Dimension.CPU, cpu, Dimension.MEMORY, memory);
  }

  @Test
  void averagesTheFullestHostsThatAreNeeded() {
    assertThat(Packing.of(HOSTS, FIVE.subList(0, 3), List.of("a", "b", "a")))
        .isEqualTo(new Packing(0, 2, (0.75 + 0.375) / 2));
    assertThat(Packing.of(HOSTS, FIVE.subList(0, 2), List.of("b", "c")))
        .isEqualTo(new Packing(0, 2, 0.375));
  }

  @Test
  void countsUnplacedRequests() {
    assertThat(Packing.of(HOSTS, FIVE, List.of("a", "", "a", "b", "")))
        .isEqualTo(new Packing(2, 2, (0.75 + 0.375) / 3));
  }

  @Test
  void detectsAnOvercommittedHost() {
    assertThatThrownBy(() -> Packing.of(HOSTS, FIVE, List.of("a", "a", "a", "b", "b")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("host a holds 6 of cpu, which is more than its capacity of 4.");
  }
}
