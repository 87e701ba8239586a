package dev.berth.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.benchmarks.peer.Task.Figures;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContenderTest {

  static Stream<Entrant> entrants() {
    return Group.ALL.stream()
        .flatMap(each -> each.entrants(true))
        .filter(each -> !each.oneCore())
        .distinct();
  }

  /** Each checks itself that it did what it should. */
  @ParameterizedTest
  @MethodSource("entrants")
  void doesWhatItShould(Entrant entrant) {
    Figures figures = entrant.contender().task().run(entrant.size());
    assertThat(figures.get("rate")).isPositive();
  }

  @Test
  void everybodyTakesPart() {
    Set<Contender> taking =
        entrants()
            .map(Entrant::contender)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Contender.class)));
    assertThat(taking).containsExactly(Contender.values());
  }
}
