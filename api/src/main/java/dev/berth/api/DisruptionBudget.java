package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Objects;

/**
 * How many instances of a job the scheduler may take down. Immutable.
 *
 * <p>The members of a job are its instances that are not done. A member is <em>up</em> while it is
 * running. It is <em>down</em> while it is pending, starting, paused or suspended, for whatever
 * reason. The scheduler takes no member down unless the budget holds afterwards: it does not
 * preempt, migrate, evict, pause or suspend it. Failures and hosts that leave count, but break no
 * budget.
 *
 * @param limit what is limited
 * @param members the limit, a number of members, not negative
 */
public record DisruptionBudget(Limit limit, int members) {

  /** What a budget limits. */
  public enum Limit {
    /** The members that are down: at most so many. */
    MAX_DOWN,
    /** The members that are up: at least so many. */
    MIN_UP
  }

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public DisruptionBudget {
    Objects.requireNonNull(limit, "limit");
    refuseIf(
        members < 0, "a disruption budget had a limit of %s members, must be 0 or more.", members);
  }

  /**
   * Returns a budget of members that may be down; with 0, none is ever taken down.
   *
   * @param members not negative
   */
  public static DisruptionBudget maxDown(int members) {
    return new DisruptionBudget(Limit.MAX_DOWN, members);
  }

  /**
   * Returns a budget of members that stay up; with 0, all may be taken down.
   *
   * @param members not negative
   */
  public static DisruptionBudget minUp(int members) {
    return new DisruptionBudget(Limit.MIN_UP, members);
  }

  /**
   * Returns how many members that are up may be taken down together.
   *
   * @param up number of members that are up, not negative
   * @param down number of members that are down, not negative
   * @return from 0 to {@code up}
   */
  public int allowance(int up, int down) {
    int left = limit == Limit.MAX_DOWN ? members - down : up - members;
    return Math.max(0, Math.min(left, up));
  }

  /** Returns the budget in words: {@code "at most 1 down"}. */
  @Override
  public String toString() {
    return limit == Limit.MAX_DOWN
        ? "at most %s down".formatted(members)
        : "at least %s up".formatted(members);
  }
}
