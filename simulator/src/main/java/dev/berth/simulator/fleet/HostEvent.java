package dev.berth.simulator.fleet;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import java.util.List;

/** A planned event of the hosts of a simulation, or of a counted limit that they share. */
public sealed interface HostEvent {

  /** Returns its time, in nanoseconds since the start of the simulation. */
  long at();

  /** An event of one host. */
  sealed interface OfHost extends HostEvent {

    /** Returns the id of the host, which must be one of the infrastructure. */
    String hostId();
  }

  /** The host fails. Its instances are pending again and keep their history. */
  record Fails(long at, String hostId) implements OfHost {}

  /**
   * The failed host is back without instances. Its description is the same, with its latest taints.
   */
  record Recovers(long at, String hostId) implements OfHost {}

  /**
   * The host has other taints from now on, in place of all earlier ones. A host that is down has
   * them when it recovers.
   *
   * @param taints all taints of the host; empty: it has none
   */
  record Tainted(long at, String hostId, List<Taint> taints) implements OfHost {

    /**
     * Copies the taints.
     *
     * @throws IllegalArgumentException if two taints have the same key and effect
     */
    public Tainted {
      taints =
          new HostSpec(hostId, Resources.none()).withTaints(taints.toArray(Taint[]::new)).taints();
    }
  }

  /**
   * There is so much of a counted limit from now on; see {@link dev.berth.core.Scheduler#setLimit}.
   * A limit that was never set is 0.
   *
   * @param limit name of the limit; not blank
   * @param amount how much; not negative
   */
  record LimitSet(long at, String limit, long amount) implements HostEvent {

    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if the name is blank or the amount is negative
     */
    public LimitSet {
      refuseIf(limit.isBlank(), "the name of a limit was blank.");
      refuseIf(amount < 0, "amount of limit %s was %s, must not be negative.", limit, amount);
    }
  }
}
