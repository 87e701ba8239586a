package dev.berth.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Constraint;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.internal.pipeline.Pipeline;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A cluster keeps jobs and constraints only as long as an instance needs them. */
class ClusterStateTest {

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final ClusterEvents events = new ClusterEvents(state, new Transitions(state));

  @Test
  void numbersHostsInJoinOrder() {
    HostRecord first = (HostRecord) events.addHost(new HostSpec("z", Resources.none()), 0);
    HostRecord second = (HostRecord) events.addHost(new HostSpec("a", Resources.none()), 0);

    assertThat(second.joined).isGreaterThan(first.joined);
  }

  @Test
  void keepsAJobUntilItsLastInstanceEnds() {
    JobRecord job = submit("a").job;
    submit("b");
    cancel("a");

    assertThat(submit("c").job).isSameAs(job);

    cancel("b");
    cancel("c");

    assertThat(submit("d").job).isNotSameAs(job);
  }

  @Test
  void keepsConstraintsUntilTheirLastRequestEnds() {
    ConstraintIndex.Entry constraints = submit("a").constraints;
    submit("b");
    cancel("a");

    assertThat(submit("c").constraints).isSameAs(constraints);

    cancel("b");
    cancel("c");

    assertThat(submit("d").constraints).isNotSameAs(constraints);
  }

  @Test
  void failedRequestAddsNoJobAndNoConstraints() {
    Pipeline.builder(state)
        .queue(
            pending -> {
              if (pending.id().equals("bad")) {
                throw new IllegalArgumentException("no");
              }
              return 0;
            })
        .build();
    InstanceRecord a = submit("a");
    assertThatThrownBy(() -> submit("bad")).hasMessage("no");

    cancel("a");
    InstanceRecord b = submit("b");

    assertThat(b.job).isNotSameAs(a.job);
    assertThat(b.constraints).isNotSameAs(a.constraints);
  }

  /** Returns a request of one job, with the same constraints as all others. */
  private InstanceRecord submit(String id) {
    Request request =
        Request.builder(id, "only").job("j").constraint(new Constraint.Exists("ssd")).build();
    return (InstanceRecord) events.submit(request, 0);
  }

  private void cancel(String id) {
    events.done(id, 0, true, OptionalLong.empty());
  }
}
