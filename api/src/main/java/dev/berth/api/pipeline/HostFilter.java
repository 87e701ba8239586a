package dev.berth.api.pipeline;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import java.util.Optional;

/**
 * A policy's own condition on placing an instance on a host, beyond capacity, constraints and
 * anti-affinity.
 *
 * <p>Called by the thread that drives the scheduler, many times in a pass; must be cheap and pure.
 */
@FunctionalInterface
public interface HostFilter {

  /**
   * Returns why a pending instance is not to come to a host, or empty if it may. The host is shown
   * as the pass has left it so far.
   *
   * @param now the time of the pass
   */
  Optional<Reason> refusal(Instance instance, Host host, long now);
}
