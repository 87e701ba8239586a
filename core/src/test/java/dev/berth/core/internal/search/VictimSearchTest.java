package dev.berth.core.internal.search;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.core.TestParts;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.host.HostChanges;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The victims on one host. Calls that no pipeline makes fail with a message. */
class VictimSearchTest {

  private static final Dimension CPU = Dimension.CPU;
  private static final Dimension GPU = new Dimension("gpu", 1);
  private static final Resources PROTECTED = cores(7);

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final VictimSearch search =
      new VictimSearch(
          SearchParts.preempting(state, TestParts.victimsBy(Map.of()), VictimSearchTest::judge));
  private int number;

  /** Protects the instances of one demand. */
  private static PreemptionRule.Verdict judge(PreemptionPair pair) {
    return pair.victim().request().demand().equals(PROTECTED)
        ? PreemptionRule.Verdict.refuse("protected", "protected")
        : PreemptionRule.Verdict.allow("any", "any other");
  }

  private HostRecord host(Resources capacity) {
    HostSpec spec = new HostSpec("h" + state.hostCount(), capacity);
    HostRecord host = (HostRecord) events.addHost(spec, 0);
    search.joined(host);
    return host;
  }

  /** Starts a candidate, which comes after those before in victim order. */
  private InstanceRecord running(HostRecord host, Request.Builder request) {
    InstanceRecord instance = pending(request);
    instance.nextVictimKey(-number);
    transitions.place(instance, host, instance.wholeDemand);
    events.started(instance.id(), 0);
    search.add(instance, host, search.groupOf(instance, instance.state()));
    return instance;
  }

  private InstanceRecord running(HostRecord host, Resources demand) {
    return running(host, request(demand));
  }

  private InstanceRecord pending(Request.Builder request) {
    return (InstanceRecord) events.submit(request.build(), 0);
  }

  private Request.Builder request(Resources demand) {
    return Request.builder("i" + number++, "only").demand(demand);
  }

  private boolean find(HostRecord host, Request.Builder request) {
    search.prepare(0, 1);
    InstanceRecord beneficiary = pending(request);
    search.beneficiary(beneficiary);
    return search.find(host, beneficiary.demand);
  }

  private List<InstanceRecord> found() {
    return List.of(Arrays.copyOf(search.victims(), search.count()));
  }

  private static Request.Builder using(Request.Builder request, long licences) {
    return request.placement(PlacementSpec.builder().use("matlab", licences).build());
  }

  /** Of dimensions that no candidate holds, they hold nothing. */
  @Test
  void victimsHoldWhatTheirRequestsDemandAlsoOnceOthersNameMoreDimensions() {
    running(host(cores(4, 4)), cores(1, 3));
    HostRecord host = host(cores(4, 4));
    running(host, cores(3, 1));
    running(host, cores(1, 2));
    HostRecord ofGpu = host(Resources.of(CPU, 1, GPU, 5));
    assertThat(find(host, request(cores(4, 1)))).isTrue();
    assertThat(List.of(search.held(0), search.held(1), search.held(2)))
        .containsExactly(4_000_000_000L, 3_000_000_000L, 0L);

    running(ofGpu, Resources.of(GPU, 2));

    assertThat(search.count()).isZero();
    assertThat(find(host, request(cores(4, 1)))).isTrue();
    assertThat(List.of(search.held(0), search.held(1), search.held(2)))
        .containsExactly(4_000_000_000L, 3_000_000_000L, 0L);
    assertThat(find(ofGpu, request(Resources.of(GPU, 4)))).isTrue();
    assertThat(search.held(2)).isEqualTo(2);
  }

  @Test
  void sparesAVictimAlsoIfTheHostOffersADimensionThatNoCandidateHolds() {
    HostRecord host = host(cores(4, 4));
    running(host, cores(1));
    InstanceRecord needed = running(host, cores(3));
    Resources more = Resources.of(CPU, 4_000_000_000L, GPU, 1);
    new HostChanges(state).changeHost(new HostSpec("h0", more), 0);

    assertThat(find(host, request(Resources.of(CPU, 3_000_000_000L, GPU, 1)))).isTrue();

    assertThat(found()).containsExactly(needed);
  }

  @Test
  void sparesVictimsThatNeitherFreeRoomNorALimit() {
    events.setLimit("matlab", 7, 0);
    HostRecord host = host(cores(8));
    running(host, cores(1));
    List<InstanceRecord> users =
        IntStream.range(0, 7).mapToObj(i -> running(host, using(request(cores(1)), 1))).toList();

    assertThat(find(host, using(request(cores(1)), 7))).isTrue();

    assertThat(found()).isEqualTo(users);
  }

  @Test
  void judgesNoVictimIfALimitIsUsedElsewhere() {
    events.setLimit("matlab", 1, 0);
    running(host(cores(1)), using(request(cores(1)), 1));
    HostRecord host = host(cores(1));
    running(host, cores(1));
    List<PreemptionRule.Verdict> judgements = new ArrayList<>();
    search.prepare(0, 1);
    InstanceRecord beneficiary = pending(using(request(cores(1)), 1));
    search.beneficiary(beneficiary);

    assertThat(search.findAndTell(host, beneficiary.demand, judgements)).isFalse();

    assertThat(judgements).isEmpty();
  }

  @Test
  void failedSearchHasNoVictims() {
    HostRecord host = host(cores(8));
    running(host, cores(1));
    running(host, PROTECTED);

    assertThat(find(host, request(cores(8)))).isFalse();

    assertThat(search.areOn(host)).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(search::victims)
        .withMessage("no victims were found");
  }

  /**
   * In order alone, another search may take the other one instead, unless none may leave. A choice
   * of victims has met both.
   */
  @ParameterizedTest
  @CsvSource({"0, false, false", "1, false, true", "2, false, false", "1, true, false"})
  void budgetDecidesIfItAllowsSomeOfTheCandidatesInOrder(
      int allowed, boolean chooses, boolean decides) {
    state.budgets().set("web", DisruptionBudget.maxDown(allowed), 0);
    HostRecord host = host(cores(2));
    PreemptionRule rule = VictimSearchTest::judge;
    VictimSearch other =
        new VictimSearch(
            SearchParts.preempting(state, TestParts.victimsBy(Map.of()), rule, chooses));
    other.joined(host);
    for (int i = 0; i < 2; i++) {
      InstanceRecord each = running(host, request(cores(1)).job("web"));
      other.add(each, host, other.groupOf(each, each.state()));
    }
    other.prepare(0, 1);
    InstanceRecord beneficiary = pending(request(cores(2)));
    other.beneficiary(beneficiary);

    assertThat(other.find(host, beneficiary.demand)).isEqualTo(allowed == 2);

    assertThat(other.budgetDecides()).isEqualTo(decides);
  }

  @Test
  void budgetProtectsNoInstanceThatIsStarting() {
    state.budgets().set("web", DisruptionBudget.maxDown(0), 0);
    HostRecord host = host(cores(2));
    running(host, request(cores(1)).job("web"));
    InstanceRecord starting = pending(request(cores(1)).job("web"));
    transitions.place(starting, host, starting.wholeDemand);
    search.add(starting, host, search.groupOf(starting, starting.state()));

    assertThat(find(host, request(cores(1)))).isTrue();

    assertThat(found()).containsExactly(starting);
  }

  @Test
  void listsOnlyWhatWasAdded() {
    HostRecord host = host(cores(1));

    assertThatIllegalStateException()
        .isThrownBy(() -> search.remove(pending(request(cores(1))), host, 1))
        .withMessage("group 1 of host h0 has never had a candidate");
  }

  @Test
  void judgesOnlyIfThePolicyPreempts() {
    VictimSearch plain = new VictimSearch(SearchParts.plain(state));

    assertThatIllegalStateException()
        .isThrownBy(() -> plain.judge(pending(request(cores(1)))))
        .withMessage("this pipeline does not preempt");
  }

  @Test
  void pairIsEmptyBeforeTheFirstJudgement() {
    assertThatIllegalStateException()
        .isThrownBy(() -> search.pair().victim())
        .withMessageContaining("valid only during the call");
    assertThatIllegalStateException().isThrownBy(() -> search.pair().beneficiary());
  }
}
