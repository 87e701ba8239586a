package acme;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Serves the user who holds the fewest cores first, each time it places a request. */
public final class FairShare implements Policy {

  @Override
  public void schedule(SchedulingPass pass) {
    Map<String, Long> held = new HashMap<>(); // cores by user
    for (Instance each : pass.instances()) {
      held.merge(user(each), each.state().holdsCapacity() ? cores(each) : 0, Long::sum);
    }
    List<Instance> waiting = new ArrayList<>(pass.pending());
    while (!waiting.isEmpty()) {
      Instance next = Collections.min(waiting, Comparator.comparing(each -> held.get(user(each))));
      waiting.remove(next);
      for (Host host : pass.hosts()) {
        if (pass.place(next, host).accepted()) {
          held.merge(user(next), cores(next), Long::sum);
          break;
        }
      }
    }
  }

  private static String user(Instance instance) {
    return instance.request().user().orElse("unknown");
  }

  private static long cores(Instance instance) {
    return instance.granted().amount(Dimension.CPU);
  }
}
