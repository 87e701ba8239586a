package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.internal.cluster.ClassRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.rule.JobRecord;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EquivalenceClassTest {

  private static final ClassRecord GOLD =
      ClassRecord.rank(List.of(ServiceClass.builder("gold").build())).get("gold");

  private final EquivalenceClass tried =
      new EquivalenceClass(0, Comparator.comparing(InstanceRecord::id));

  @Test
  void hasNoTurnBeforeTheNextRequestIsKnown() {
    assertThatIllegalStateException().isThrownBy(tried::turn);

    tried.add(request("a", 0));
    tried.begin();

    assertThat(tried.turn().id()).isEqualTo("a");
  }

  @Test
  void firstInQueueOrderIsLowest() {
    InstanceRecord first = request("a", 0);
    InstanceRecord second = request("b", 0);
    tried.add(second);
    tried.add(first);

    assertThat(tried.isLowest(first)).isTrue();
    assertThat(tried.isLowest(second)).isFalse();
  }

  @Test
  void outOfOrderOfValueTheLowestIsThatOfTheKnowledge() {
    InstanceRecord first = request("a", 9);
    InstanceRecord second = request("b", 5);
    tried.add(first);
    tried.add(second);
    tried.learn(5, 1, false);

    assertThat(tried.isLowest(first)).isFalse();
    assertThat(tried.isLowest(second)).isTrue();
  }

  @Test
  void whatFailsInARunFailsForHigherValuesUntilAHostChanges() {
    tried.fails(request("a", 5), 1, 7);

    assertThat(tried.hasFailed(request("b", 5), 1, 7)).isTrue();
    assertThat(tried.hasFailed(request("b", 4), 1, 7)).isFalse();
    assertThat(tried.hasFailed(request("b", 5), 1, 8)).isFalse();
    assertThat(tried.hasFailed(request("b", 5), 2, 7)).isFalse();
  }

  @Test
  void openHostsMayHaveRoomOnlyIfSomeAreOpen() {
    tried.learn(0, 1, true);
    assertThat(tried.mayHaveRoom()).isFalse();

    tried.open(3);
    assertThat(tried.mayHaveRoom()).isTrue();

    tried.learn(0, 2, false);
    assertThat(tried.mayHaveRoom()).isFalse();
  }

  @Test
  void openHostsAreDueAtOnceAndOthersAtTheirTime() {
    assertThat(tried.hasHostsDue(100)).isFalse();
    tried.retry(10, 1);
    tried.retry(Long.MAX_VALUE, 2); // never

    assertThat(tried.hasHostsDue(9)).isFalse();
    assertThat(tried.hasHostsDue(10)).isTrue();
    assertThat(tried.retries()).isEqualTo(1);

    tried.open(3);
    assertThat(tried.hasHostsDue(9)).isTrue();
  }

  @Test
  void opensHostsThatAreDueOnceInARun() {
    tried.retry(10, 1);
    tried.retry(11, 2);
    tried.openDue(10, 1);
    assertThat(open()).containsExactly(1);
    tried.retry(10, 3);

    tried.openDue(10, 1);
    assertThat(open()).containsExactly(1);

    tried.openDue(11, 2);
    assertThat(open()).containsExactly(1, 3, 2);
    assertThat(tried.retries()).isZero();
  }

  @Test
  void closesOpenHosts() {
    IntStream.range(10, 20).forEach(tried::open);
    assertThat(open()).containsExactly(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);

    tried.close(2);
    tried.close(8);

    assertThat(open()).containsExactly(10, 11, 19, 13, 14, 15, 16, 17);
  }

  @Test
  void forgetsAll() {
    InstanceRecord request = request("a", 5);
    tried.learn(5, 1, true);
    tried.open(3);
    tried.retry(10, 1);
    tried.share(new PreemptionCandidates(1));

    tried.forget();

    assertThat(tried.knows(request)).isFalse();
    assertThat(tried.openCount()).isZero();
    assertThat(tried.retries()).isZero();
    assertThat(tried.candidates()).isNull();
  }

  @Test
  void knowledgeHoldsForEqualAndHigherValues() {
    assertThat(tried.knows(request("a", 5))).isFalse();

    tried.learn(5, 1, false);

    assertThat(tried.knows(request("b", 4))).isFalse();
    assertThat(tried.knows(request("c", 5))).isTrue();
    assertThat(tried.knows(request("d", 6))).isTrue();
    assertThat(tried.knownVersion()).isEqualTo(1);
  }

  @Test
  void knowledgeOfRulesIncludesTheLastChangeOfPeers() {
    tried.learnWithPeers(5, 1, 7);

    assertThat(tried.knows(request("a", 5))).isTrue();
    assertThat(tried.knownVersion()).isEqualTo(1);
    assertThat(tried.knownPeers()).isEqualTo(7);
  }

  @Test
  void isSearchedAgainFromTheSecondSearchOfARun() {
    assertThat(tried.isSearchedAgain(1)).isFalse();
    assertThat(tried.isSearchedAgain(1)).isTrue();
    assertThat(tried.isSearchedAgain(2)).isFalse();
    assertThat(tried.isSearchedAgain(2)).isTrue();
  }

  /** An instance that must not share a host with its job is not like those of other jobs. */
  @Test
  void jobCountsForTheClassOnlyWithAntiAffinity() {
    JobRecord job = new JobRecord("j");

    assertThat(EquivalenceClass.Key.of(member("a", job, true)).job()).isSameAs(job);
    assertThat(EquivalenceClass.Key.of(member("b", job, false)).job()).isNull();
  }

  @Test
  void labelsCountForTheClassOnlyWithAPlacementSpecification() {
    Request.Builder web = Request.builder("a", "gold").demand(Resources.none()).label("app", "web");
    Request.Builder db = Request.builder("b", "gold").demand(Resources.none()).label("app", "db");
    assertThat(key(web)).isEqualTo(key(db));

    PlacementSpec apart =
        PlacementSpec.builder().apart(Peers.labelled("app", "web"), Domain.HOST).build();

    assertThat(key(web.placement(apart))).isNotEqualTo(key(db.placement(apart)));
  }

  private static EquivalenceClass.Key key(Request.Builder request) {
    return EquivalenceClass.Key.of(
        new InstanceRecord(request.build(), GOLD, new long[0], null, null, null, null, 0, 0, 0));
  }

  private List<Integer> open() {
    return IntStream.range(0, tried.openCount()).mapToObj(tried::openSlot).toList();
  }

  private static InstanceRecord request(String id, long victimKey) {
    InstanceRecord request =
        new InstanceRecord(
            Request.builder(id, "gold").demand(Resources.none()).build(),
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

  private static InstanceRecord member(String id, JobRecord job, boolean antiAffinity) {
    Request request =
        Request.builder(id, "gold")
            .demand(Resources.none())
            .job(job.name)
            .antiAffinity(antiAffinity)
            .build();
    return new InstanceRecord(request, GOLD, new long[0], null, job, null, null, 0, 0, 0);
  }
}
