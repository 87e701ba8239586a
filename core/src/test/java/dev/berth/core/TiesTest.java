package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TiesTest {

  /** A change of these numbers changes every plan with ties: think before you change them. */
  @Test
  void hashesAreTheSameOnEveryMachineAndInEveryRelease() {
    assertThat(Ties.hash(42, "r1")).isEqualTo(9070598460298885644L);
    assertThat(Ties.hash(42, 7, "r1", "h1")).isEqualTo(-609894928060984521L);
    assertThat(Ties.hash(0, "ünïcode")).isEqualTo(2508079455705720597L);
  }

  @Property
  void theHashOfAPairIsMadeOfTheHashesOfBoth(
      @ForAll long seed, @ForAll long pass, @ForAll String instance, @ForAll String host) {
    assertThat(Ties.hash(seed, pass, instance, host))
        .isEqualTo(Ties.combine(Ties.hash(seed, instance), pass, Ties.hash(seed, host)));
  }

  @Test
  void seedPassInstanceAndHostAllMatterAndSoDoTheirRoles() {
    assertThat(
            new long[] {
              Ties.hash(1, 1, "a", "b"),
              Ties.hash(2, 1, "a", "b"),
              Ties.hash(1, 2, "a", "b"),
              Ties.hash(1, 1, "c", "b"),
              Ties.hash(1, 1, "a", "c"),
              Ties.hash(1, 1, "b", "a"),
              Ties.hash(1, "a"),
              Ties.hash(2, "a")
            })
        .doesNotHaveDuplicates();
  }

  @Test
  void noHostIsFavoured() {
    Map<String, Integer> wins = new HashMap<>();
    for (int i = 0; i < 3000; i++) {
      String winner = "";
      for (String host : new String[] {"h1", "h2", "h3"}) {
        if (winner.isEmpty() || Ties.hash(0, 1, "i" + i, host) > Ties.hash(0, 1, "i" + i, winner)) {
          winner = host;
        }
      }
      wins.merge(winner, 1, Integer::sum);
    }

    // 1000 each, give or take four standard deviations of 25.8; the hash is fixed, so is the count.
    assertThat(wins.values())
        .hasSize(3)
        .allSatisfy(count -> assertThat(count).isBetween(897, 1103));
  }
}
