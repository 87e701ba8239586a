package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.TestParts;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Calls that no pipeline makes fail with a message. */
class VictimSearchTest {

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final ClusterEvents events = new ClusterEvents(state, new Transitions(state));

  @Test
  void listsOnlyWhatWasAdded() {
    VictimSearch search =
        new VictimSearch(
            SearchParts.preempting(state, TestParts.victimsBy(Map.of()), TestParts.ALLOW_ALL));
    HostRecord host =
        (HostRecord) events.addHost(new HostSpec("h", Resources.of(Dimension.CPU, 1)), 0);
    search.joined(host);

    assertThatIllegalStateException()
        .isThrownBy(() -> search.remove(instance(), host, 1))
        .withMessage("group 1 of host h has never had a candidate");
  }

  @Test
  void judgesOnlyIfThePolicyPreempts() {
    VictimSearch search = new VictimSearch(SearchParts.plain(state));

    assertThatIllegalStateException()
        .isThrownBy(() -> search.judge(instance()))
        .withMessage("this pipeline does not preempt");
  }

  @Test
  void pairIsEmptyBeforeTheFirstJudgement() {
    VictimSearch search = new VictimSearch(SearchParts.plain(state));

    assertThatIllegalStateException()
        .isThrownBy(() -> search.pair().victim())
        .withMessageContaining("valid only during the call");
    assertThatIllegalStateException().isThrownBy(() -> search.pair().beneficiary());
  }

  private InstanceRecord instance() {
    return (InstanceRecord)
        events.submit(Request.builder("a", "only").demand(Resources.none()).build(), 0);
  }
}
