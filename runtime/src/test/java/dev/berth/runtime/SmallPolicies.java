package dev.berth.runtime;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Policies that exercise a loop: with a memory, with random choices, with all kinds of moves. */
final class SmallPolicies {

  private SmallPolicies() {}

  private static boolean fits(SchedulingPass pass, Instance instance, Host host) {
    return pass.obstacle(instance, host, List.of()).isEmpty();
  }

  /** Gives each instance to the next host in turn; remembers which. */
  static final class InTurn implements Policy {
    private long next;

    @Override
    public void schedule(SchedulingPass pass) {
      List<Host> hosts = pass.openHosts();
      for (Instance each : pass.pending()) {
        for (int i = 0; i < hosts.size(); i++) {
          Host host = hosts.get((int) ((next + i) % hosts.size()));
          if (pass.place(each, host).accepted()) {
            next += i + 1;
            break;
          }
        }
      }
    }

    @Override
    public Optional<PolicyMemory> memory() {
      return Optional.of(
          new PolicyMemory() {
            @Override
            public Map<String, Object> save() {
              return Map.of("next", next);
            }

            @Override
            public void restore(Map<String, Object> saved) {
              next = (Long) saved.getOrDefault("next", 0L);
            }
          });
    }
  }

  /** Preempts bronze for gold on a random host, and migrates from the fullest host. */
  static final class Pushy implements Policy {
    private final boolean fromLast; // which of equal hosts

    Pushy(boolean fromLast) {
      this.fromLast = fromLast;
    }

    @Override
    public void schedule(SchedulingPass pass) {
      List<Host> hosts = new ArrayList<>(pass.openHosts());
      if (fromLast) {
        java.util.Collections.reverse(hosts);
      }
      for (Instance each : pass.pending()) {
        Optional<Host> host = hosts.stream().filter(it -> fits(pass, each, it)).findFirst();
        if (host.isPresent()) {
          pass.place(each, host.get());
        } else if (each.request().serviceClass().equals("gold") && !hosts.isEmpty()) {
          preempt(pass, each, hosts.get(pass.random().nextInt(hosts.size())));
        }
      }
      if (pass.number() % 3 == 0) {
        balance(pass, hosts);
      }
    }

    private static void preempt(SchedulingPass pass, Instance gold, Host host) {
      List<Instance> victims = new ArrayList<>();
      for (Instance each : host.instances()) {
        if (each.request().serviceClass().equals("bronze") && each.state().holdsCapacity()) {
          victims.add(each);
          if (pass.place(gold, host, victims).accepted()) {
            return;
          }
        }
      }
    }

    private static void balance(SchedulingPass pass, List<Host> hosts) {
      Comparator<Host> byRoom =
          Comparator.comparingLong((Host each) -> each.free(Dimension.CPU)).thenComparing(Host::id);
      Optional<Host> fullest = hosts.stream().min(byRoom);
      Optional<Host> emptiest = hosts.stream().max(byRoom);
      if (fullest.isPresent() && emptiest.isPresent() && fullest.get() != emptiest.get()) {
        fullest.get().instances().stream()
            .filter(each -> each.state() == InstanceState.RUNNING)
            .findFirst()
            .ifPresent(
                each ->
                    pass.migrate(
                        each,
                        emptiest.get(),
                        each.request().demand(),
                        new Reason.PolicyChoice("balance", "evens out")));
      }
    }

    @Override
    public Optional<PolicyMemory> memory() {
      return Optional.of(PolicyMemory.none());
    }
  }

  /** Suspends bronze for gold, resumes it later, wakes up by itself, and throws now and then. */
  static final class Moody implements Policy {
    private long suspensions;

    @Override
    public void schedule(SchedulingPass pass) {
      if (pass.random().nextInt(8) == 0 && pass.now() % 3 == 0) {
        throw new IllegalStateException("not in the mood");
      }
      boolean waits = false;
      for (Instance each : pass.pending()) {
        boolean isPlaced =
            pass.openHosts().stream().anyMatch(host -> pass.place(each, host).accepted());
        if (!isPlaced && each.request().serviceClass().equals("gold")) {
          waits = true;
          suspendOne(pass);
        }
      }
      if (!waits) {
        resume(pass);
      }
      if (suspensions % 4 == 3) {
        pass.wakeAt(pass.now() + 2_000_000_000L);
      }
    }

    private void suspendOne(SchedulingPass pass) {
      for (Host host : pass.openHosts()) {
        for (Instance each : host.instances()) {
          if (each.state() == InstanceState.RUNNING
              && each.request().serviceClass().equals("bronze")
              && pass.suspend(each, new Reason.PolicyChoice("gold", "gold waits")).accepted()) {
            suspensions++;
            return;
          }
        }
      }
    }

    private static void resume(SchedulingPass pass) {
      for (Host host : pass.openHosts()) {
        for (Instance each : host.instances()) {
          if (each.state() == InstanceState.SUSPENDED) {
            pass.resume(
                each, each.request().demand(), new Reason.PolicyChoice("room", "there is room"));
          }
        }
      }
    }

    @Override
    public Optional<PolicyMemory> memory() {
      return Optional.of(
          new PolicyMemory() {
            @Override
            public Map<String, Object> save() {
              return Map.of("suspensions", suspensions);
            }

            @Override
            public void restore(Map<String, Object> saved) {
              suspensions = (Long) saved.getOrDefault("suspensions", 0L);
            }
          });
    }
  }
}
