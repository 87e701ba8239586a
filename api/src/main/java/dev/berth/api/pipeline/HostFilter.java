package dev.berth.api.pipeline;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import java.util.Optional;

/**
 * A condition of a policy for placing an instance on a host, beyond capacity, constraints and
 * anti-affinity.
 *
 * <p>The scheduler's thread calls it many times in a pass. It must be cheap and pure.
 */
@FunctionalInterface
public interface HostFilter {

  /**
   * Returns the reason why a pending instance may not be placed on a host, or empty if it may. The
   * host reflects the actions recorded so far.
   *
   * @param now the time of the pass, in nanoseconds
   */
  Optional<Reason> refusal(Instance instance, Host host, long now);
}
