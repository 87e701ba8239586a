package dev.berth.core.internal.search;

import static dev.berth.core.internal.search.SearchedCluster.classOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a request leaves to do for the next alike ones, while each of them evaluates one host at a
 * time. A judgement is the evaluation of one host.
 */
class ClassSearchTest {

  private final SearchedCluster cluster = new SearchedCluster(true);

  @Test
  void alikeRequestsEvaluateOnlyTheHostsThatChanged() {
    cluster.hosts(10, 0);
    assertThat(cluster.searchOnce(cluster.pending(5))).isNull();
    assertThat(cluster.judgements).isEqualTo(10);
    cluster.begin();

    assertThat(cluster.searchOnce(cluster.pending(5))).isNull();
    assertThat(cluster.judgements).isZero();

    cluster.touch(3);
    assertThat(cluster.searchOnce(cluster.pending(6))).isNull();
    assertThat(cluster.judgements).isEqualTo(3);
  }

  @Test
  void requestOfLowerValueEvaluatesAllHosts() {
    cluster.hosts(10, 1);
    cluster.searchOnce(cluster.pending(5));
    cluster.begin();
    InstanceRecord worse = cluster.pending(4);

    assertThat(cluster.searchOnce(worse)).isEqualTo("h0");

    assertThat(cluster.judgements).isEqualTo(11); // and the victim of the best host once more
    assertThat(classOf(worse).openCount()).isEqualTo(1);
  }

  @Test
  void failureHoldsForTheClassUntilAHostChanges() {
    cluster.hosts(2, 0);
    InstanceRecord first = cluster.pending(5);
    assertThat(cluster.feasibility.isKnownToFail(first)).isFalse();
    cluster.search(first);
    assertThat(cluster.feasibility.failedForClass()).isTrue();
    InstanceRecord next = cluster.pending(6);
    assertThat(cluster.feasibility.isKnownToFail(next)).isTrue();
    assertThat(cluster.feasibility.isKnownToFail(cluster.pending(4))).isFalse();

    cluster.touch(1);

    assertThat(cluster.feasibility.isKnownToFail(next)).isFalse();
  }

  @Test
  void failureHoldsForTheClassWhileThereIsNoHost() {
    InstanceRecord request = cluster.pending(5);

    cluster.search(request);

    assertThat(cluster.feasibility.isKnownToFail(request)).isTrue();
  }

  @Test
  void successIsNoFailureOfTheClass() {
    cluster.hosts(2, 1);
    cluster.search(cluster.pending(5));

    assertThat(cluster.feasibility.failedForClass()).isFalse();
    assertThat(cluster.feasibility.isKnownToFail(cluster.pending(5))).isFalse();
  }

  @Test
  void failureIsKnownWithoutPreemption() {
    SearchedCluster plain = new SearchedCluster(false).hosts(2, 2);
    InstanceRecord request = plain.pending(5);

    assertThat(plain.search(request)).isNull();

    assertThat(plain.feasibility.isKnownToFail(request)).isTrue();
    assertThat(plain.feasibility.failedForClass()).isTrue();
  }

  /** The sibling blocks a host that has room for others of the class. */
  @Test
  void nothingIsKnownWithoutPreemptionIfASiblingBlocks() {
    SearchedCluster plain = new SearchedCluster(false).hosts(2, 2);
    addSibling(plain.empty(Map.of()), plain);
    InstanceRecord brother = plain.pending(5, ClassSearchTest::ofJob);

    assertThat(plain.search(brother)).isNull();

    assertThat(classOf(brother).knows(brother)).isFalse();
    assertThat(plain.feasibility.failedForClass()).isFalse();
    assertThat(plain.search(plain.pending(5))).isEqualTo("h2");
  }

  /** Knowledge of the other hosts does not pay if more than 64 and a quarter have changed. */
  @ParameterizedTest
  @CsvSource({"89, 89", "90, 100"})
  void evaluatesAllHostsIfVeryManyChanged(int changed, int judged) {
    cluster.hosts(100, 0);
    cluster.searchOnce(cluster.pending(5));
    cluster.begin();
    cluster.touch(changed);

    assertThat(cluster.search(cluster.pending(5))).isNull();

    assertThat(cluster.judgements).isEqualTo(judged);
  }

  /** The index must catch up with the changed hosts first, so it pays only if they are many. */
  @ParameterizedTest
  @CsvSource({"64, false", "65, true"})
  void asksTheIndexForRoomIfManyHostsChanged(int changed, boolean asks) {
    cluster.hosts(100, 0);
    cluster.searchOnce(cluster.pending(5));
    cluster.begin();
    cluster.touch(changed);
    cluster.cancel(cluster.state.instance("v0").orElseThrow());

    assertThat(cluster.search(cluster.pending(5))).isEqualTo("h0");

    assertThat(cluster.bounds > 0).isEqualTo(asks);
  }

  /** Twice as many as hosts and 64 more: then they take more time than a search of all hosts. */
  @ParameterizedTest
  @CsvSource({"74, 0", "75, 5"})
  void evaluatesAllHostsIfRetriesPileUp(int retries, int judged) {
    cluster.hosts(5, 0);
    InstanceRecord request = cluster.pending(5);
    cluster.search(request);
    for (int i = 0; i < retries; i++) {
      classOf(request).retry(1000, 0);
    }
    cluster.begin();

    cluster.search(request);

    assertThat(cluster.judgements).isEqualTo(judged);
  }

  @Test
  void doesNotKeepTheRetriesOfAnEarlierSearchOfAllHosts() {
    cluster.hosts(5, 0);
    InstanceRecord request = cluster.pending(5);
    cluster.search(request);
    classOf(request).retry(1000, 0);

    cluster.searchOnce(cluster.pending(4));

    assertThat(classOf(request).retries()).isZero();
  }

  @Test
  void closesAHostThatIsInfeasibleForHigherValues() {
    cluster.host(5);
    cluster.host(7);
    InstanceRecord first = cluster.pending(4);
    assertThat(cluster.searchOnce(first)).isEqualTo("h0");
    assertThat(classOf(first).openCount()).isEqualTo(2);

    assertThat(cluster.searchOnce(cluster.pending(6))).isEqualTo("h1");
    assertThat(classOf(first).openCount()).isEqualTo(1);

    assertThat(cluster.searchOnce(cluster.pending(7))).isEqualTo("h1");
    assertThat(cluster.judgements).isEqualTo(1);
  }

  /** An open host that has changed is evaluated once, as a changed one. */
  @Test
  void evaluatesAnOpenHostThatChangedOnce() {
    cluster.hosts(3, 1);
    InstanceRecord first = cluster.pending(4);
    cluster.searchOnce(first);
    cluster.touch(1);

    assertThat(cluster.searchOnce(cluster.pending(4))).isEqualTo("h0");

    assertThat(cluster.judgements).isEqualTo(1);
    assertThat(classOf(first).openCount()).isEqualTo(1);
  }

  @Test
  void closesAnOpenHostThatLeft() {
    cluster.hosts(3, 1);
    InstanceRecord first = cluster.pending(4);
    cluster.searchOnce(first);
    cluster.removed("h0");

    assertThat(cluster.searchOnce(cluster.pending(4))).isNull();

    assertThat(classOf(first).openCount()).isZero();
  }

  /** An earlier request still waits, so what fails for the later one says nothing about it. */
  @Test
  void requestThatIsNotTheFirstLearnsNothing() {
    cluster.host(5);
    InstanceRecord first = cluster.pending(4);
    cluster.search(first);

    assertThat(cluster.search(cluster.pending(6))).isNull();

    assertThat(classOf(first).knows(first)).isTrue();
    assertThat(classOf(first).openCount()).isEqualTo(1);
    assertThat(cluster.search(first)).isEqualTo("h0");
  }

  @Test
  void hostBlockedByASiblingStaysOpenForOthers() {
    addSibling(cluster.host(9), cluster);
    InstanceRecord brother = cluster.pending(4, ClassSearchTest::ofJob);

    assertThat(cluster.search(brother)).isNull();

    assertThat(cluster.feasibility.failedForClass()).isFalse();
    assertThat(classOf(brother).openCount()).isEqualTo(1);
    assertThat(classOf(brother).mayHaveRoom()).isTrue();
  }

  /** Only a search of all hosts tells that a host that was blocked has no room. */
  @Test
  void openHostsMayHaveRoomUntilAllAreEvaluated() {
    addSibling(cluster.host(9), cluster);
    cluster.searchOnce(cluster.pending(4, ClassSearchTest::ofJob));
    InstanceRecord other = cluster.pending(4);

    assertThat(cluster.searchOnce(other)).isEqualTo("h0");
    assertThat(classOf(other).mayHaveRoom()).isTrue();

    cluster.begin();
    assertThat(cluster.searchOnce(cluster.pending(3))).isEqualTo("h0");
    assertThat(classOf(other).openCount()).isEqualTo(1);
    assertThat(classOf(other).mayHaveRoom()).isFalse();
  }

  /** All of the class are members of the job and demand anti-affinity. */
  @Test
  void hostBlockedByASiblingIsClosedToAClassOfItsOwn() {
    addSibling(cluster.host(9), cluster);
    InstanceRecord twin = cluster.pending(4, request -> ofJob(request).antiAffinity(true));

    assertThat(cluster.search(twin)).isNull();

    assertThat(cluster.feasibility.failedForClass()).isTrue();
    assertThat(cluster.judgements).isZero();
    assertThat(classOf(twin).openCount()).isZero();
  }

  @Test
  void closesAChangedHostOfWrongAttributes() {
    cluster.host(9);
    cluster.host(9, Map.of("disk", "ssd"));
    Constraint constraint = new Constraint.Equal("disk", "ssd");
    InstanceRecord choosy = cluster.pending(4, request -> request.constraint(constraint));
    cluster.search(choosy);
    cluster.touch(2);

    assertThat(cluster.search(choosy)).isEqualTo("h1");

    assertThat(cluster.judgements).isEqualTo(1);
    assertThat(classOf(choosy).openCount()).isEqualTo(1);
  }

  @Test
  void hostBlockedByAPeerStaysOpenForOthers() {
    addKeeper(cluster.host(9), Domain.HOST, cluster);
    InstanceRecord web = cluster.pending(4, request -> request.label("app", "web"));

    assertThat(cluster.search(web)).isNull();

    assertThat(cluster.feasibility.failedForClass()).isFalse();
    assertThat(classOf(web).mayHaveRoom()).isTrue();
    assertThat(cluster.search(cluster.pending(4))).isEqualTo("h0");
  }

  /** The peer blocks a host that has room for others of the class. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsKnownWithoutPreemptionIfAPeerBlocks(boolean byAttribute) {
    SearchedCluster plain = new SearchedCluster(false);
    Domain domain = byAttribute ? Domain.of("zone") : Domain.HOST;
    addKeeper(plain.empty(Map.of("zone", "a")), domain, plain);
    InstanceRecord web = plain.pending(4, request -> request.label("app", "web"));

    assertThat(plain.search(web)).isNull();

    assertThat(classOf(web).knows(web)).isFalse();
    assertThat(plain.feasibility.failedForClass()).isFalse();
    assertThat(plain.search(plain.pending(5))).isEqualTo("h0");
  }

  /** What another place holds may change whether a host is allowed. */
  @Test
  void requestsWithRulesShareOnlyThatThereIsNoHostAtAll() {
    cluster.hosts(3, 0);
    InstanceRecord first = cluster.pending(5, ClassSearchTest::apart);
    assertThat(cluster.search(first)).isNull();
    assertThat(cluster.judgements).isEqualTo(3);
    assertThat(cluster.feasibility.isKnownToFail(first)).isFalse();
    assertThat(cluster.search(first)).isNull();
    assertThat(cluster.judgements).isZero();

    cluster.touch(1);

    assertThat(cluster.search(first)).isNull();
    assertThat(cluster.judgements).isEqualTo(3);
  }

  @Test
  void requestWithRulesEvaluatesAllHostsAgainOnceARefusalExpires() {
    cluster.refusedUntil = 10;
    cluster.hosts(3, 0);
    InstanceRecord request = cluster.pending(5, ClassSearchTest::apart);
    cluster.search(request);
    cluster.at(9);
    assertThat(cluster.search(request)).isNull();
    assertThat(cluster.judgements).isZero();

    cluster.at(10);

    assertThat(cluster.search(request)).isNull();
    assertThat(cluster.judgements).isEqualTo(3);
  }

  /** The only victim is the peer that the request is to be near. */
  @Test
  void requestWhoseRulesTheVictimsBreakEvaluatesTheHostEachTime() {
    cluster.host(9, Map.of(), ClassSearchTest::ofJob);
    InstanceRecord request =
        cluster.pending(
            5,
            any ->
                any.placement(PlacementSpec.builder().near(Peers.ofJob("j"), Domain.HOST).build()));

    for (int times = 0; times < 3; times++) {
      assertThat(cluster.search(request)).isNull();
      assertThat(cluster.judgements).isEqualTo(1);
      assertThat(classOf(request).retries()).isEqualTo(1);
    }
  }

  /** Of eight hosts alike, all but one are refused, or worth less; they are of several groups. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void findsTheOneHostThatPeersDoNotMakeWorse(boolean refused) {
    SearchedCluster plain = new SearchedCluster(false);
    IntStream.range(0, 7).forEach(i -> addKeeper(plain.empty(Map.of()), Domain.HOST, plain));
    plain.empty(Map.of());
    PlacementSpec alone =
        PlacementSpec.builder()
            .prefer(new Preference.Apart(Peers.labelled("keeper", "yes"), Domain.HOST, 1))
            .build();
    plain.feasibility.begin(1, 3, false, 0);

    for (int times = 0; times < 8; times++) {
      assertThat(
              plain.search(
                  plain.pending(
                      5, any -> refused ? any.label("app", "web") : any.placement(alone))))
          .isEqualTo("h7");
    }
  }

  /** Adds an instance that keeps those of the application away. */
  private static void addKeeper(HostRecord host, Domain domain, SearchedCluster cluster) {
    cluster.occupy(
        host,
        Request.builder("keeper of " + host.id(), "gold")
            .demand(Resources.none())
            .label("keeper", "yes")
            .placement(PlacementSpec.builder().apart(Peers.labelled("app", "web"), domain).build())
            .build());
  }

  private static Request.Builder apart(Request.Builder request) {
    return request.placement(
        PlacementSpec.builder().apart(Peers.ofJob("other"), Domain.HOST).build());
  }

  private static Request.Builder ofJob(Request.Builder request) {
    return request.job("j");
  }

  private static void addSibling(HostRecord host, SearchedCluster cluster) {
    cluster.occupy(
        host,
        ofJob(Request.builder("sibling", "gold").demand(Resources.none()))
            .antiAffinity(true)
            .build());
  }
}
