package dev.berth.testkit.contract.selftest;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.SchedulingPass;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A policy without a pipeline: in order of admission, each to any host with room for it. */
class FirstFitPolicy implements Policy {

  @Override
  public void schedule(SchedulingPass pass) {
    for (Instance each : queue(pass)) {
      choose(pass, each).ifPresent(host -> pass.place(each, host));
    }
  }

  /** Returns who is to be placed, in order. */
  List<Instance> queue(SchedulingPass pass) {
    return pass.pending();
  }

  /** Returns where to; by chance, so that no order of hosts decides. */
  Optional<Host> choose(SchedulingPass pass, Instance instance) {
    return withRoom(pass, instance)
        .max(Comparator.comparingLong(host -> pass.tieBreak(instance, host)));
  }

  static Stream<Host> withRoom(SchedulingPass pass, Instance instance) {
    return pass.hosts().stream().filter(host -> pass.obstacle(instance, host, List.of()).isEmpty());
  }

  /** Is registered, as {@code testkit.first-fit}. */
  static final class Factory implements PolicyFactory<PolicySubject.NoConfig> {

    @Override
    public String id() {
      return "testkit.first-fit";
    }

    @Override
    public String summary() {
      return "places each on any host with room for it";
    }

    @Override
    public PolicySubject.NoConfig defaults() {
      return new PolicySubject.NoConfig();
    }

    @Override
    public Policy create(PolicySubject.NoConfig config, PolicyContext context) {
      return new FirstFitPolicy();
    }
  }
}
