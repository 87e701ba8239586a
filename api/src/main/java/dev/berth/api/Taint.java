package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;
import java.util.Objects;

/**
 * A mark by which a host repels instances that do not {@linkplain Toleration tolerate} it.
 * Immutable.
 *
 * @param key what the mark is about: {@code "maintenance"}; not blank
 * @param value its value; may be empty
 * @param effect what it does to instances that do not tolerate it
 * @param grace how long such an instance may stay, not negative; zero unless the effect is {@link
 *     Effect#LEAVE}
 */
public record Taint(String key, String value, Effect effect, Duration grace) {

  /**
   * The key of the taint of a host that cannot be reached, of effect {@link Effect#LEAVE}. Its
   * instances are believed to run until the grace is over, or for as long as their request
   * tolerates the taint. Meanwhile nothing is placed, resumed or migrated there, also if the
   * request tolerates the taint. What is there is at most stopped, when its longest run time is
   * over. Disruption budgets protect nothing there.
   */
  public static final String UNREACHABLE = "berth.dev/unreachable";

  /** What a taint does to instances that do not tolerate it. */
  public enum Effect {
    /** None is placed, resumed there or migrated there; those that are there stay. */
    NO_NEW,
    /** They come only if no other host has room. */
    PREFER_NOT,
    /** As {@link #NO_NEW}, and those that are there are evicted after the grace. */
    LEAVE
  }

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if the key is blank, the grace is negative, beyond 292 years,
   *     or given for another effect than {@link Effect#LEAVE}, or the key is {@link #UNREACHABLE}
   *     with another effect
   */
  public Taint {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(effect, "effect");
    Objects.requireNonNull(grace, "grace");
    refuseIf(key.isBlank(), "taint key was blank.");
    refuseIf(
        grace.isNegative() || grace.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0,
        "taint %s: grace was %s, must be from 0 to 292 years.",
        key,
        grace);
    refuseIf(
        effect != Effect.LEAVE && !grace.isZero(),
        "taint %s: grace was %s, but only taints with the effect LEAVE have a grace.",
        key,
        grace);
    if (key.equals(UNREACHABLE) && effect != Effect.LEAVE) {
      throw new IllegalArgumentException(
          "taint %s: effect was %s, must be LEAVE.".formatted(key, effect));
    }
  }

  /** Returns a taint that keeps new instances away. */
  public static Taint noNew(String key, String value) {
    return new Taint(key, value, Effect.NO_NEW, Duration.ZERO);
  }

  /** Returns a taint that keeps new instances away if other hosts have room. */
  public static Taint preferNot(String key, String value) {
    return new Taint(key, value, Effect.PREFER_NOT, Duration.ZERO);
  }

  /**
   * Returns a taint that keeps new instances away, and evicts those that are there after a time.
   */
  public static Taint leaveAfter(String key, String value, Duration grace) {
    return new Taint(key, value, Effect.LEAVE, grace);
  }

  /** Returns the taint of a host that cannot be reached, with a grace of five minutes. */
  public static Taint unreachable() {
    return unreachable(Duration.ofMinutes(5));
  }

  /** Returns the taint of a host that cannot be reached, {@link #UNREACHABLE}. */
  public static Taint unreachable(Duration grace) {
    return leaveAfter(UNREACHABLE, "", grace);
  }

  /** Returns whether it says that its host cannot be reached. */
  public boolean isUnreachable() {
    return key.equals(UNREACHABLE);
  }

  /** Returns the taint in words: {@code "maintenance=tonight (no new)"}. */
  public String describe() {
    String name = value.isEmpty() ? key : key + "=" + value;
    return switch (effect) {
      case NO_NEW -> name + " (no new)";
      case PREFER_NOT -> name + " (prefer not)";
      case LEAVE -> name + " (leave)";
    };
  }
}
