package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Objects;

/**
 * What an instance takes of a counted limit of the cluster, such as the licences of a program,
 * while it is on a host, in whatever state. Immutable.
 *
 * <p>All requests that use a limit should agree on the kind and the amount. If they do not: the use
 * per instance adds up; of the uses per host, the greatest of the instances on a host counts there;
 * and both together must not exceed the limit.
 *
 * @param limit name of the limit; not blank
 * @param kind what counts
 * @param amount how much, from 1 to {@value #MOST}
 */
public record LimitUse(String limit, Kind kind, long amount) {

  /** The greatest amount of one use. */
  public static final long MOST = 1_000_000_000;

  /** What counts as one use of a limit. */
  public enum Kind {
    /** Each instance on a host uses the amount. */
    PER_INSTANCE,
    /** Each host with such instances uses the amount once, however many of them it holds. */
    PER_HOST
  }

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if the name is blank or the amount is out of range
   */
  public LimitUse {
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(kind, "kind");
    refuseIf(limit.isBlank(), "the name of a limit was blank.");
    refuseIf(
        amount < 1 || amount > MOST,
        "amount of limit %s was %s, must be from 1 to %s.",
        limit,
        amount,
        MOST);
  }

  /** Returns the use in words: {@code "uses 2 of matlab"}. */
  public String describe() {
    return "uses %s of %s%s".formatted(amount, limit, kind == Kind.PER_HOST ? " on each host" : "");
  }
}
