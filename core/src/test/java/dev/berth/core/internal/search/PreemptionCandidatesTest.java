package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.internal.cluster.ClassRecord;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PreemptionCandidatesTest {

  private static final ClassRecord GOLD =
      ClassRecord.rank(List.of(ServiceClass.builder("gold").build())).get("gold");
  private static final double[] NUMBERS = {
    Double.NEGATIVE_INFINITY, -2.5, -1, -0.0, 0.0, Double.MIN_VALUE, 1, 3, Double.POSITIVE_INFINITY
  };

  private final HostTable table = new HostTable();
  private final PreemptionCandidates candidates = new PreemptionCandidates(2);

  private record Candidate(HostRecord host, double first, double second, double score) {

    /** Adding a positive zero turns a negative one into it. */
    private static final Comparator<Candidate> ORDER =
        Comparator.<Candidate>comparingDouble(each -> each.first + 0.0)
            .thenComparingDouble(each -> each.second + 0.0)
            .thenComparing(each -> each.score + 0.0, Comparator.reverseOrder());
  }

  @Property(tries = 1_000)
  void showsTheCheapestThenTheBestScoredFirst(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Candidate> expected = new ArrayList<>();
    candidates.clear();
    for (int i = 0; i < 30; i++) {
      Candidate each = new Candidate(host(), number(random), number(random), number(random));
      double[] cost = {each.first, each.second};
      candidates.add(each.host, cost, each.score, Long.MAX_VALUE);
      if (random.nextInt(4) == 0) {
        candidates.remove(each.host.slot());
        candidates.remove(each.host.slot()); // does nothing
      } else {
        expected.add(each);
      }
    }
    while (!expected.isEmpty()) {
      List<Integer> seen = new ArrayList<>();
      boolean found =
          candidates.visitBest(
              random.nextLong(),
              0,
              slot -> {
                seen.add(slot);
                return true;
              });
      expected.sort(Candidate.ORDER);
      Candidate best = expected.get(0);
      List<Integer> equal =
          expected.stream()
              .filter(each -> Candidate.ORDER.compare(each, best) == 0)
              .map(each -> each.host.slot())
              .toList();
      assertThat(found).isTrue();
      assertThat(seen).containsExactlyInAnyOrderElementsOf(equal);
      seen.forEach(candidates::remove);
      expected.removeIf(each -> seen.contains(each.host.slot()));
    }
    assertThat(candidates.isEmpty()).isTrue();
    assertThat(candidates.visitBest(0, 0, slot -> true)).isFalse();
  }

  private static double number(SplittableRandom random) {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  @Test
  void noneCanBeChosenIfTheVisitorRefusesAll() {
    add(host(), 10);
    List<Integer> seen = new ArrayList<>();

    assertThat(candidates.visitBest(0, 0, slot -> !seen.add(slot))).isFalse();
    assertThat(seen).containsExactly(0);
  }

  @Test
  void expiresAboveTheGreatestValidValue() {
    add(host(), 10);
    add(host(), 7);
    add(host(), Long.MAX_VALUE); // never

    assertThat(candidates.hasExpired(7)).isFalse();
    assertThat(candidates.hasExpired(8)).isTrue();
    assertThat(candidates.pollExpired()).isEqualTo(1);
    assertThat(candidates.hasExpired(10)).isFalse();
    assertThat(candidates.hasExpired(11)).isTrue();
    assertThat(candidates.pollExpired()).isZero();
    assertThat(candidates.hasExpired(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void doubtfulHostIsEvaluatedAgainForAHigherValue() {
    assertThat(candidates.hasDoubtful()).isFalse();
    IntStream.range(0, 5).forEach(slot -> candidates.doubt(slot, 10 - slot));

    assertThat(candidates.hasDoubtful()).isTrue();
    assertThat(candidates.hasExpired(6)).isFalse();
    assertThat(candidates.hasExpired(7)).isTrue();
    assertThat(candidates.pollExpired()).isEqualTo(4);
  }

  @Test
  void serveInstancesInOrderOfValue() {
    candidates.areValidFor(request(5), 8);

    assertThat(candidates.version()).isEqualTo(8);
    assertThat(candidates.serve(request(4))).isFalse();
    assertThat(candidates.serve(request(5))).isTrue();
    assertThat(candidates.serve(request(6))).isTrue();
  }

  @Test
  void areEmptyAfterClearing() {
    add(host(), 10);
    assertThat(candidates.isEmpty()).isFalse();
    candidates.areValidFor(request(5), 8);

    candidates.clear();

    assertThat(candidates.isEmpty()).isTrue();
    assertThat(candidates.hasExpired(11)).isFalse();
    assertThat(candidates.version()).isEqualTo(EquivalenceClass.NEVER);
  }

  /** Afterwards the class knows every host but the candidates, which may even have room. */
  @Test
  void handOverToTheirClass() {
    EquivalenceClass taker = taker();
    IntStream.range(0, 5).forEach(i -> add(host(), 10));
    candidates.remove(2);
    candidates.areValidFor(request(5), 8);

    candidates.handOver(taker);

    assertThat(IntStream.range(0, taker.openCount()).map(taker::openSlot))
        .containsExactlyInAnyOrder(0, 1, 3, 4);
    assertThat(taker.knownVersion()).isEqualTo(8);
    assertThat(taker.knows(request(5))).isTrue();
    assertThat(taker.knows(request(4))).isFalse();
    assertThat(taker.mayHaveRoom()).isTrue();
  }

  @Test
  void handOverThatNoHostIsACandidate() {
    EquivalenceClass taker = taker();
    candidates.areValidFor(request(5), 8);

    candidates.handOver(taker);

    assertThat(taker.openCount()).isZero();
    assertThat(taker.knows(request(5))).isTrue();
  }

  private static EquivalenceClass taker() {
    return new EquivalenceClass(0, Comparator.comparing(InstanceRecord::id));
  }

  private void add(HostRecord host, long upTo) {
    candidates.add(host, new double[] {1, 2}, 3, upTo);
  }

  /** Adds a host in the next slot. */
  private HostRecord host() {
    int number = table.slots();
    return new HostRecord(
        new HostSpec("h" + number, Resources.none()), null, table, new long[0], number, number);
  }

  private static InstanceRecord request(long victimKey) {
    InstanceRecord request =
        new InstanceRecord(
            Request.builder("r", "gold").demand(Resources.none()).build(),
            GOLD,
            new long[0],
            null,
            null,
            null,
            null,
            0,
            0,
            0);
    request.nextVictimKey(victimKey);
    request.takeKeys();
    return request;
  }
}
