package acme;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;

/** Serves the user who holds the fewest cores first, each time it places a request. */
final class FairShare implements Policy {

  /** A user's cores and waiting requests. */
  private static final class User {
    final String name;
    final Queue<Instance> waiting = new ArrayDeque<>(); // in order of admission
    long cores;

    User(String name) {
      this.name = name;
    }
  }

  @Override
  public void schedule(SchedulingPass pass) {
    Map<String, User> users = new HashMap<>();
    for (Instance each : pass.instances()) { // one scan for all users
      User user = users.computeIfAbsent(userOf(each), User::new);
      user.cores += each.state().holdsCapacity() ? cores(each) : 0;
    }
    pass.pending().forEach(each -> users.get(userOf(each)).waiting.add(each));
    List<Host> hosts = pass.hosts().stream().sorted(Comparator.comparing(Host::id)).toList();

    Queue<User> next = // by cores; names decide ties
        new PriorityQueue<>(
            Comparator.<User>comparingLong(user -> user.cores).thenComparing(user -> user.name));
    next.addAll(users.values());
    while (!next.isEmpty()) {
      User user = next.remove();
      Instance first = user.waiting.poll();
      if (first != null) {
        user.cores += place(pass, first, hosts) ? cores(first) : 0;
        next.add(user);
      }
    }
  }

  @Override
  public Optional<PolicyMemory> memory() {
    return Optional.of(PolicyMemory.none()); // it keeps nothing from pass to pass
  }

  private static boolean place(SchedulingPass pass, Instance instance, List<Host> hosts) {
    for (Host host : hosts) { // by id: the order in which hosts joined does not matter
      if (pass.place(instance, host).accepted()) {
        return true;
      }
    }
    return false;
  }

  private static String userOf(Instance instance) {
    return instance.request().user().orElse("unknown");
  }

  private static long cores(Instance instance) {
    return instance.granted().amount(Dimension.CPU);
  }
}
