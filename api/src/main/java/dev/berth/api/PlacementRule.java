package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Objects;

/**
 * A rule about other instances that a placement must obey. Immutable.
 *
 * <p>Rules are checked when an instance is placed or migrates, as of the moment at which its
 * victims have left. Later they may be broken by events: a host changes its zone, a peer ends. That
 * moves no instance.
 */
public sealed interface PlacementRule {

  /** Returns the instances that the rule is about. */
  Peers peers();

  /** Returns what counts as one place. */
  Domain domain();

  /** Returns the rule in words. */
  String describe();

  /**
   * The place must hold a peer. If no peer is on any host, in a place or not, and the instance is
   * one of them itself, any place of the domain will do, so that the first of several can start. A
   * host that belongs to no place of the domain breaks the rule.
   *
   * @param peers the instances to be near
   * @param domain what counts as one place
   */
  record Near(Peers peers, Domain domain) implements PlacementRule {
    /** Checks the arguments. */
    public Near {
      requirePresent(peers, domain);
    }

    @Override
    public String describe() {
      return "near %s by %s".formatted(peers.describe(), domain);
    }
  }

  /**
   * The place must hold no peer. The rule also keeps peers away from the place of an instance that
   * has it and is on a host. A host that belongs to no place of the domain obeys it.
   *
   * @param peers the instances to be kept away from
   * @param domain what counts as one place
   */
  record Apart(Peers peers, Domain domain) implements PlacementRule {
    /** Checks the arguments. */
    public Apart {
      requirePresent(peers, domain);
    }

    @Override
    public String describe() {
      return "apart from %s by %s".formatted(peers.describe(), domain);
    }
  }

  /**
   * The number of peers in the place, with the instance if it is one of them, exceeds that of the
   * place with the fewest by at most {@code maxSkew}. The fewest are counted without the instance.
   * The places that are compared are those of the hosts on which the {@linkplain
   * Request#constraints placement constraints} of the request hold, open or closed, full or not,
   * tainted or not. All peers in such a place count, on whatever host of it. A host that belongs to
   * no place of the domain breaks the rule.
   *
   * @param peers the instances that are counted
   * @param domain what counts as one place
   * @param maxSkew the greatest difference, at least 1
   */
  record Spread(Peers peers, Domain domain, int maxSkew) implements PlacementRule {
    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if {@code maxSkew} is less than 1
     */
    public Spread {
      requirePresent(peers, domain);
      refuseIf(maxSkew < 1, "maxSkew was %s, must be at least 1.", maxSkew);
    }

    @Override
    public String describe() {
      return "spread of %s by %s, maxSkew %s".formatted(peers.describe(), domain, maxSkew);
    }
  }

  private static void requirePresent(Peers peers, Domain domain) {
    Objects.requireNonNull(peers, "peers");
    Objects.requireNonNull(domain, "domain");
  }
}
