package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.AllocationScore.Fit;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a search in the host index asks of the score, and which host it returns. */
class HostIndexSearchTest {

  private final IndexedHosts cluster = new IndexedHosts(IndexedHosts.emptiestFirst());

  // ---- Pruning

  @Test
  void scoresHostsWithEqualFreeCapacityOnce() {
    cluster.hosts(4, 0, 0, 0, 2, 2, 2);

    cluster.best(1);

    assertThat(cluster.asked).containsExactly("bound 1..3", "score 3", "score 1");
  }

  /** The better half of a tree comes first; bounds below the best score are not refined. */
  @Test
  void searchesTheEmptierHalfFirst() {
    List<HostRecord> hosts = cluster.hosts(8, 1, 3, 6, 7);

    assertThat(cluster.best(1)).isSameAs(hosts.get(0));
    assertThat(cluster.index.bestScore()).isEqualTo(-2);
    assertThat(cluster.asked)
        .containsExactly("bound 2..8", "bound 7..8", "bound 2..4", "score 4", "score 2");
  }

  @Test
  void searchesTheFullerHalfFirst() {
    IndexedHosts fullestFirst = new IndexedHosts(IndexedHosts.byUsed(used -> used));
    List<HostRecord> hosts = fullestFirst.hosts(8, 1, 3, 6, 7);

    assertThat(fullestFirst.best(1)).isSameAs(hosts.get(3));
    assertThat(fullestFirst.asked)
        .containsExactly("bound 2..8", "bound 7..8", "bound 2..4", "score 8", "score 7");
  }

  @Test
  void asksNothingAboutHostsWithoutRoom() {
    List<HostRecord> hosts = cluster.hosts(8, 1, 3, 6, 8);

    assertThat(cluster.best(4)).isSameAs(hosts.get(0));
    assertThat(cluster.asked).containsExactly("bound 5..8", "bound 5..7", "score 7", "score 5");
    assertThat(cluster.best(9)).isNull();
    assertThat(cluster.asked).isEmpty();
  }

  /** Hosts of equal capacity are in one tree; the bounds of the other trees are not refined. */
  @ParameterizedTest
  @CsvSource({
    "0, 3, 6, false", "3, 0, 6, false", "3, 6, 0, false",
    "0, 3, 6, true", "3, 0, 6, true", "3, 6, 0, true"
  })
  void searchesTheBestTreeFirst(
      int usedOfFirst, int usedOfSecond, int usedOfThird, boolean byAttributes) {
    IndexedHosts hosts = new IndexedHosts(IndexedHosts.emptiestFirst(), byAttributes);
    List<String> expected = new ArrayList<>();
    int capacity = 10;
    for (int used : List.of(usedOfFirst, usedOfSecond, usedOfThird)) {
      hosts.hosts(capacity++, used, used + 1);
      expected.add("bound %d..%d".formatted(used + 1, used + 2));
    }
    expected.addAll(List.of("score 2", "score 1"));

    hosts.best(1);

    assertThat(hosts.asked).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void searchesInFixedOrderIfBoundsAreEqual(boolean byAttributes) {
    IndexedHosts alike = new IndexedHosts(IndexedHosts.byUsed(used -> 0), byAttributes);
    alike.hosts(8, 1, 3, 6, 7);
    alike.hosts(9, 1, 2);

    alike.best(1);

    assertThat(alike.asked)
        .startsWith("bound 2..8", "bound 2..3") // the trees
        .containsSubsequence("bound 7..8", "bound 2..4", "score 8", "score 7", "score 4", "score 2")
        .endsWith("score 3", "score 2");
  }

  @Test
  void manyCapacitiesHaveATreeEach() {
    for (int capacity = 2; capacity <= 40; capacity++) {
      cluster.hosts(capacity, 1, 1);
    }
    HostRecord empty = cluster.hosts(41, 0).get(0);

    assertThat(cluster.best(1)).isSameAs(empty);
    assertThat(cluster.asked).hasSize(40);
    assertThat(cluster.index.trees()).isEqualTo(40);
  }

  // ---- Ties

  @Test
  void tellsTheTossOfTheWinner() {
    cluster.hosts(8, 1, 1, 1, 1);

    HostRecord best = cluster.best(1);

    assertThat(best).isNotNull();
    assertThat(cluster.index.bestTie()).isEqualTo(SeededTieBreaker.toss(0, best.tieHash, 0));
    assertThat(cluster.index.blockedBySibling()).isFalse();
  }

  /** The fuller host is visited first, since both have the same bound. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void earlierHostWinsIfHashesAreEqual(boolean fullerIsEarlier) {
    IndexedHosts alike = new IndexedHosts(IndexedHosts.byUsed(used -> 0));
    HostRecord fuller = hostOfEqualHash(alike, fullerIsEarlier ? 1 : 2);
    HostRecord emptier = hostOfEqualHash(alike, fullerIsEarlier ? 2 : 1);
    alike.useUnnoticed(fuller, 2); // before the index sees any host

    assertThat(alike.best(1)).isSameAs(fullerIsEarlier ? fuller : emptier);
  }

  private static HostRecord hostOfEqualHash(IndexedHosts cluster, long joined) {
    Resources capacity = Resources.of(IndexedHosts.UNIT, 4);
    return new HostRecord(
        new HostSpec("joined " + joined, capacity),
        null,
        cluster.state.table(),
        cluster.state.table().dense(capacity),
        42,
        joined);
  }

  /** A visit tells whether hosts of later groups need a visit. */
  @Test
  void visitOfALoserOrWinnerSettlesTheTie() {
    List<HostRecord> hosts = cluster.hosts(8, 1, 1);
    InstanceRecord instance = cluster.instance(1);
    HostRecord winner = cluster.index.best(instance, 0, 0);
    HostRecord loser = hosts.get(winner == hosts.get(0) ? 1 : 0);
    instance.job.arrived(loser, true);

    assertThat(cluster.index.visit(loser.slot())).isTrue();
    assertThat(cluster.index.blockedBySibling()).isFalse(); // it lost before that mattered
    assertThat(cluster.index.visit(winner.slot())).isTrue();

    instance.job.arrived(winner, true);

    assertThat(cluster.index.visit(winner.slot())).isFalse();
    assertThat(cluster.index.blockedBySibling()).isTrue();
    assertThat(cluster.index.best(instance, 0, 0)).isNull();
  }

  // ---- What a score may ask

  @Test
  void boundThatIsNotANumberExcludesNoHost() {
    ResourceScore unbounded =
        new ResourceScore() {
          @Override
          public double score(Fit fit) {
            return -fit.used(0);
          }

          @Override
          public double upperBound(Fit least, Fit most) {
            return Double.NaN;
          }
        };
    IndexedHosts hosts = new IndexedHosts(unbounded);
    HostRecord emptiest = hosts.hosts(8, 3, 1, 6, 7).get(1);

    assertThat(hosts.best(1)).isSameAs(emptiest);
  }

  @Test
  void refusesAScoreThatIsNotANumber() {
    IndexedHosts wrong = new IndexedHosts(IndexedHosts.byUsed(used -> Double.NaN));
    HostRecord host = wrong.hosts(8, 1).get(0);

    assertThatIllegalStateException()
        .isThrownBy(() -> wrong.best(1))
        .withMessageContaining("score of " + host + " for instance ")
        .withMessageContaining(" is not a number");
  }

  @Test
  void scoreSeesTheHostTheInstanceTheTimeAndTheDimension() {
    List<Object> seen = new ArrayList<>();
    IndexedHosts hosts =
        new IndexedHosts(
            fit -> {
              seen.addAll(List.of(fit.host(), fit.instance(), fit.now(), fit.dimension(0)));
              return fit.capacity(0);
            });
    HostRecord host = hosts.hosts(8, 1).get(0);
    InstanceRecord instance = hosts.instance(1);
    hosts.passAt(7);

    hosts.index.best(instance, 0, 0);

    assertThat(seen).containsExactly(host, instance, 7L, IndexedHosts.UNIT);
  }

  /** A bound is that of many hosts, whoever asks. */
  @Test
  void boundSeesNoHostAndNoInstance() {
    for (Function<Fit, Object> question :
        List.<Function<Fit, Object>>of(Fit::host, Fit::instance)) {
      ResourceScore curious =
          new ResourceScore() {
            @Override
            public double score(Fit fit) {
              return 0;
            }

            @Override
            public double upperBound(Fit least, Fit most) {
              return question.apply(least) == null ? 0 : 1;
            }
          };
      IndexedHosts hosts = new IndexedHosts(curious);
      hosts.hosts(8, 1, 2);

      assertThatIllegalStateException()
          .isThrownBy(() -> hosts.best(1))
          .withMessage("the bound of a score is that of many hosts");
    }
  }
}
