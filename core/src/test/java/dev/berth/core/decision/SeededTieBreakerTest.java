package dev.berth.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeededTieBreakerTest {

  /** Changing these numbers changes every plan in which hosts tie. */
  @Test
  void hashesAreStable() {
    assertThat(SeededTieBreaker.hash(42, "r1")).isEqualTo(9070598460298885644L);
    assertThat(SeededTieBreaker.hash(42, 7, "r1", "h1")).isEqualTo(-609894928060984521L);
    assertThat(SeededTieBreaker.hash(0, "ünïcode")).isEqualTo(2508079455705720597L);
  }

  @Property
  void hashOfAPairCombinesBothHashes(
      @ForAll long seed, @ForAll long pass, @ForAll String instance, @ForAll String host) {
    assertThat(SeededTieBreaker.hash(seed, pass, instance, host))
        .isEqualTo(
            SeededTieBreaker.combine(
                SeededTieBreaker.hash(seed, instance), pass, SeededTieBreaker.hash(seed, host)));
  }

  @Test
  void hashDependsOnSeedPassInstanceAndHostInTheirRoles() {
    assertThat(
            new long[] {
              SeededTieBreaker.hash(1, 1, "a", "b"),
              SeededTieBreaker.hash(2, 1, "a", "b"),
              SeededTieBreaker.hash(1, 2, "a", "b"),
              SeededTieBreaker.hash(1, 1, "c", "b"),
              SeededTieBreaker.hash(1, 1, "a", "c"),
              SeededTieBreaker.hash(1, 1, "b", "a"),
              SeededTieBreaker.hash(1, "a"),
              SeededTieBreaker.hash(2, "a")
            })
        .doesNotHaveDuplicates();
  }

  @Test
  void tossInOneGroupIsTheHashOfThePair() {
    for (int hosts : new int[] {0, 1, 2, 31, 63}) {
      assertThat(SeededTieBreaker.groupBits(hosts)).isZero();
      assertThat(SeededTieBreaker.toss(42, 7, "r1", "h1", hosts))
          .isEqualTo(SeededTieBreaker.hash(42, 7, "r1", "h1"));
    }
  }

  @Test
  void groupsHoldSomeDozensOfHosts() {
    assertThat(SeededTieBreaker.groupBits(64)).isEqualTo(1);
    assertThat(SeededTieBreaker.groupBits(127)).isEqualTo(1);
    assertThat(SeededTieBreaker.groupBits(128)).isEqualTo(2);
    assertThat(SeededTieBreaker.groupBits(12_500)).isEqualTo(8);
    assertThat(SeededTieBreaker.groupBits(Integer.MAX_VALUE)).isEqualTo(25);
  }

  @Property
  void hostOfTheDrawnGroupWins(
      @ForAll long draw,
      @ForAll long host,
      @ForAll long other,
      @ForAll @IntRange(min = 1, max = 25) int bits) {
    long wanted = draw ^ Long.MAX_VALUE; // all bits of the toss set but the sign
    long ofGroup = -1L << (Long.SIZE - bits);
    long inside = (wanted & ofGroup) | (host & ~ofGroup);
    Assume.that((other & ofGroup) != (wanted & ofGroup));

    assertThat(SeededTieBreaker.toss(draw, inside, bits))
        .isGreaterThan(SeededTieBreaker.toss(draw, other, bits));
  }

  /** Hashes are deterministic, so the counts are too. */
  @ParameterizedTest
  @ValueSource(ints = {3, 50, 128})
  void favoursNoHost(int hosts) {
    int draws = 1000 * hosts;
    long[] hashes =
        IntStream.range(0, hosts).mapToLong(i -> SeededTieBreaker.hash(0, "h" + i)).toArray();
    int bits = SeededTieBreaker.groupBits(hosts);
    Map<Integer, Integer> wins = new HashMap<>();
    for (int i = 0; i < draws; i++) {
      long draw = SeededTieBreaker.draw(31L * i, 1);
      int winner = 0;
      long best = SeededTieBreaker.toss(draw, hashes[0], bits);
      for (int host = 1; host < hosts; host++) {
        long toss = SeededTieBreaker.toss(draw, hashes[host], bits);
        if (toss > best) {
          winner = host;
          best = toss;
        }
      }
      wins.merge(winner, 1, Integer::sum);
    }

    // In one group each host wins 1000 times, within four standard deviations of 31.6. In more
    // groups the size of the group matters: here four groups of 32 hosts on average, within 5.
    int most = hosts < 64 ? 1127 : 2000;
    int least = hosts < 64 ? 873 : 600;
    assertThat(wins.values())
        .hasSize(hosts)
        .allSatisfy(count -> assertThat(count).isBetween(least, most));
  }
}
