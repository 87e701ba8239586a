package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Completion;
import dev.berth.api.policy.SchedulingPass;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;

/** A pass that has only what a history learns from. */
final class StubPass {

  private StubPass() {}

  static SchedulingPass at(long now, List<Completion> completions, Instance... instances) {
    return (SchedulingPass)
        Proxy.newProxyInstance(
            SchedulingPass.class.getClassLoader(),
            new Class<?>[] {SchedulingPass.class},
            (pass, method, arguments) ->
                switch (method.getName()) {
                  case "now" -> now;
                  case "completions" -> completions;
                  case "instances" -> List.of(instances);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  static List<Completion> completions(int count, Request request, ServiceClass its, long seconds) {
    return Collections.nCopies(count, new Completion(request, its, seconds * 1_000_000_000));
  }
}
