package dev.berth.core.internal.search;

import static dev.berth.core.internal.search.SearchedCluster.classOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * When alike requests keep the costs of hosts as candidates, and what is left to do then. A
 * judgement is the evaluation of one host; the victims of the chosen host are judged once more.
 */
class SearchCandidatesTest {

  private final SearchedCluster cluster = new SearchedCluster(true);

  @Test
  void fourAlikeRequestsShareCandidatesFromTheFirst() {
    cluster.hosts(70, 60);
    List<InstanceRecord> requests = cluster.alike(4);

    assertThat(cluster.search(requests.get(0))).isEqualTo("h0");
    assertThat(cluster.judgements).isEqualTo(70 + 1);

    assertThat(cluster.search(requests.get(0))).isEqualTo("h0");
    assertThat(cluster.judgements).isEqualTo(1);

    cluster.place(requests.get(0));
    assertThat(cluster.search(requests.get(1))).isEqualTo("h1");
    assertThat(cluster.judgements).isEqualTo(1);

    cluster.touch(3);
    assertThat(cluster.search(requests.get(1))).isEqualTo("h1");
    assertThat(cluster.judgements).isEqualTo(2 + 1); // nobody is left on the first
  }

  @Test
  void fewerShareThemFromTheSecondSearchOfARun() {
    cluster.hosts(70, 65);
    InstanceRecord request = cluster.alike(3).get(0);

    cluster.search(request);
    assertThat(classOf(request).candidates()).isNull();
    cluster.begin();
    cluster.search(request);
    assertThat(classOf(request).candidates()).isNull();

    cluster.search(request);
    assertThat(classOf(request).candidates()).isNotNull();
  }

  /** Open and changed hosts count together. */
  @ParameterizedTest
  @CsvSource({"64, 0, false", "65, 0, true", "62, 2, false", "63, 2, true"})
  void evaluateFewHostsOneByOne(int open, int changed, boolean shared) {
    for (int i = 0; i < 90; i++) {
      cluster.host(i >= 90 - open ? Long.MAX_VALUE : Long.MIN_VALUE);
    }
    InstanceRecord request = cluster.pending(0);
    cluster.search(request);
    cluster.touch(changed);

    cluster.search(request);

    assertThat(classOf(request).candidates() != null).isEqualTo(shared);
  }

  /** The other hosts are known to be infeasible. */
  @Test
  void areSoughtAmongOpenHostsOnly() {
    cluster.hosts(200, 128);
    InstanceRecord request = cluster.pending(0);
    cluster.search(request);

    cluster.search(request);

    assertThat(classOf(request).candidates()).isNotNull();
    assertThat(cluster.judgements).isEqualTo(128 + 1);
  }

  /** A request that must not decide for an earlier one that waits. */
  @Test
  void areNotSharedByARequestThatIsNotTheFirst() {
    cluster.hosts(100, 100);
    InstanceRecord first = cluster.pending(0);
    cluster.search(first);
    InstanceRecord second = cluster.pending(0);

    cluster.search(second);

    assertThat(classOf(second).candidates()).isNull();
  }

  /** The next run need not evaluate the hosts that were no candidates. */
  @Test
  void nextRunStartsFromTheCandidates() {
    cluster.hosts(200, 100);
    InstanceRecord request = cluster.alike(4).get(0);
    cluster.search(request);

    cluster.begin();

    assertThat(classOf(request).candidates()).isNull();
    assertThat(cluster.search(request)).isEqualTo("h0");
    assertThat(cluster.judgements).isEqualTo(100 + 1);
  }

  @Test
  void nextRunDoesNotMissAHostThatReplacedACandidate() {
    cluster.hosts(100, 100);
    InstanceRecord request = cluster.alike(4).get(0);
    cluster.search(request);
    cluster.removed("h0");
    cluster.begin();
    assertThat(cluster.search(request)).isEqualTo("h1");

    cluster.host(Long.MIN_VALUE); // in the slot of h0
    assertThat(cluster.search(request)).isEqualTo("h1");
    cluster.empty(Map.of());

    assertThat(cluster.search(request)).isEqualTo("h101");
  }

  @Test
  void noneMeansFailureForTheClass() {
    cluster.hosts(70, 0);
    InstanceRecord request = cluster.alike(4).get(0);

    assertThat(cluster.search(request)).isNull();

    assertThat(cluster.judgements).isEqualTo(70);
    assertThat(classOf(request).candidates()).isNull();
    assertThat(cluster.feasibility.failedForClass()).isTrue();
    assertThat(cluster.feasibility.isKnownToFail(request)).isTrue();
  }

  /** Each set takes memory for all hosts. */
  @Test
  void areKeptForSixtyFourClasses() {
    cluster.hosts(66, 66);
    for (int i = 0; i < 65; i++) {
      Constraint ofClass = new Constraint.NotEqual("no", "" + i);
      InstanceRecord request = null;
      for (int copies = 0; copies < 4; copies++) {
        request = cluster.pending(0, each -> each.constraint(ofClass));
      }
      assertThat(cluster.search(request)).isEqualTo("h0");
      assertThat(classOf(request).candidates() != null).isEqualTo(i < 64);
    }
    cluster.begin();
    InstanceRecord request = cluster.alike(4).get(0);
    cluster.search(request);
    assertThat(classOf(request).candidates()).isNotNull();
  }

  /** The sibling blocks the cheapest host for one request, not for the class. */
  @Test
  void siblingLeavesTheNextCheapest() {
    cluster.hosts(70, 70);
    occupyBySibling(0);
    cluster.alike(3);
    InstanceRecord brother = cluster.pending(0, request -> request.job("j"));
    List<InstanceRecord> others = cluster.alike(2);

    assertThat(cluster.search(brother)).isEqualTo("h1");
    assertThat(cluster.search(others.get(0))).isEqualTo("h0");
  }

  @Test
  void siblingOfAClassOfItsOwnLeavesNoCandidate() {
    cluster.hosts(70, 70);
    occupyBySibling(0);
    InstanceRecord twin = null;
    for (int copies = 0; copies < 4; copies++) {
      twin = cluster.pending(0, request -> request.job("j").antiAffinity(true));
    }

    assertThat(cluster.search(twin)).isEqualTo("h1");

    assertThat(cluster.judgements).isEqualTo(69 + 1);
  }

  @Test
  void changedHostOfWrongAttributesIsNoCandidate() {
    cluster.host(9);
    for (int i = 1; i < 70; i++) {
      cluster.host(9, Map.of("disk", "ssd"));
    }
    Constraint constraint = new Constraint.Equal("disk", "ssd");
    InstanceRecord choosy = null;
    for (int copies = 0; copies < 4; copies++) {
      choosy = cluster.pending(0, request -> request.constraint(constraint));
    }
    cluster.search(choosy);
    cluster.touch(1);

    assertThat(cluster.search(choosy)).isEqualTo("h1");

    assertThat(cluster.judgements).isEqualTo(1);
  }

  private void occupyBySibling(int host) {
    Request sibling =
        Request.builder("sibling", "gold")
            .demand(Resources.none())
            .job("j")
            .antiAffinity(true)
            .build();
    cluster.occupy(cluster.hostAt(host), sibling);
  }
}
