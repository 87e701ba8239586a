package dev.berth.testkit.history;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;

/**
 * A difference between a fleet and what a scheduler believes, before its subject is known.
 *
 * @param kind what differs
 * @param pick which instance or host, modulo the number of possible ones
 * @param other which other host, state or amount, as the kind needs it; not negative
 * @param ago since when it is so; zero: the fleet does not know
 */
public record Drift(Kind kind, int pick, int other, Duration ago) {

  /** What differs. */
  public enum Kind {
    /** An instance on a host is on none. */
    GONE,
    /** An instance on a host is on none, since it has ended. */
    ENDED,
    /** An instance on a host is on another one. */
    ELSEWHERE,
    /** An instance on a host is in another state. */
    IN_OTHER_STATE,
    /** An instance on a host is in another attempt. */
    IN_OTHER_ATTEMPT,
    /** An instance that is pending runs on a host. */
    RUNS,
    /** An action that is under way may change an instance, which is not reported. */
    UNDER_WAY,
    /** An unknown instance is on a host, and is adopted. */
    ADOPTED,
    /** An unknown instance is on a host, and is foreign load. */
    FOREIGN,
    /** A host is gone, with its instances. */
    HOST_GONE,
    /** A host is up that was absent, starting or released. */
    HOST_APPEARED,
    /** A host has another capacity and other attributes. */
    HOST_CHANGED,
    /** Others hold other amounts on a host. */
    FOREIGN_LOAD
  }

  /** Checks the number and the length. */
  public Drift {
    refuseIf(
        other < 0 || ago.isNegative(),
        "a drift had other = %s and ago = %s, neither may be negative.",
        other,
        ago);
  }
}
