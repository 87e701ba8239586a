package acme.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The check finds each breach. */
class AllocationTest {

  private static final List<DataHost> HOSTS =
      List.of(
          new DataHost("a1", "a", 100), new DataHost("a2", "a", 100), new DataHost("b1", "b", 100));

  private static Allocation of(int gigabytes, Map<String, String> hostOf) {
    return Allocation.of(HOSTS, List.of(new Shard("s", gigabytes)), hostOf);
  }

  @Test
  void findsNothingInAnOrderlyAllocation() {
    Allocation orderly = of(50, Map.of("s.0", "a1", "s.1", "b1"));
    assertThat(orderly.breaches()).isEmpty();
    assertThat(orderly.missing()).containsExactly("s.2");
    assertThat(orderly.fullest()).isEqualTo(0.5);
    assertThat(orderly.leastFull()).isZero();
    assertThat(orderly.copiesByZone()).isEqualTo(Map.of("a", 1, "b", 1));
  }

  @Test
  void findsTwoCopiesInAZone() {
    assertThat(of(50, Map.of("s.0", "a1", "s.1", "a2")).breaches())
        .containsExactly("s has two copies in a");
  }

  @Test
  void findsTwoCopiesOnAHost() {
    assertThat(of(50, Map.of("s.0", "a1", "s.1", "a1")).breaches())
        .contains("s has two copies on a1");
  }

  @Test
  void findsOverfullHosts() {
    assertThat(of(101, Map.of("s.0", "b1")).breaches()).containsExactly("b1 holds 101 GB of 100");
  }

  @Test
  void findsCopiesOnHostsThatAreGone() {
    assertThat(of(50, Map.of("s.0", "c1")).breaches())
        .containsExactly("s.0 is on c1, which is not up");
  }
}
