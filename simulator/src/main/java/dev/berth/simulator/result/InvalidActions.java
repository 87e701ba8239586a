package dev.berth.simulator.result;

import dev.berth.api.plan.Plan;
import java.util.Optional;

/**
 * The invalid actions of a policy in a run. The engine refused them, so they had no effect.
 *
 * @param count number of invalid actions; of each pass, at most {@link Plan#MAX_POLICY_ERRORS}
 *     count
 * @param first the first of them; empty if there were none
 */
public record InvalidActions(long count, Optional<First> first) {

  /** No invalid actions. */
  public static final InvalidActions NONE = new InvalidActions(0, Optional.empty());

  /**
   * The first invalid action of a run.
   *
   * @param pass number of its pass
   * @param subject id of the instance, host, pool or bag that it names
   * @param why why it is invalid, in words
   */
  public record First(long pass, String subject, String why) {}
}
