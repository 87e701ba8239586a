package dev.berth.testkit.contract.selftest;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A hand-written policy: places requests in order of admission, each on any host with room. */
class FirstFitPolicy implements Policy {

  @Override
  public void schedule(SchedulingPass pass) {
    for (Instance each : queue(pass)) {
      choose(pass, each).ifPresent(host -> pass.place(each, host));
    }
  }

  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(PolicyMemory.none());
  }

  /** Returns the instances to place, in order. */
  List<Instance> queue(SchedulingPass pass) {
    return pass.pending();
  }

  /** Returns a host with room, chosen by tie-break so that the order of hosts does not matter. */
  Optional<Host> choose(SchedulingPass pass, Instance instance) {
    return withRoom(pass, instance)
        .max(Comparator.comparingLong(host -> pass.tieBreak(instance, host)));
  }

  static Stream<Host> withRoom(SchedulingPass pass, Instance instance) {
    return pass.hosts().stream().filter(host -> pass.obstacle(instance, host, List.of()).isEmpty());
  }

  /** Registered as {@code testkit.first-fit}. */
  static final class Factory implements PolicyFactory<PolicySubject.NoConfig> {

    @Override
    public String id() {
      return "testkit.first-fit";
    }

    @Override
    public String summary() {
      return "places each request on any host with room";
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
