package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A statement of a request that it tolerates some {@linkplain Taint taints}. Immutable.
 *
 * @param key the key of the taints; empty for all keys
 * @param value the value of the taints; empty for all values
 * @param effect the effect of the taints; empty for all effects
 * @param atMost how long an instance that is on a host may stay once the host gets such a taint of
 *     effect {@link Taint.Effect#LEAVE}; empty for ever. A toleration with such a time lets no
 *     instance come to the host, because it would have to leave again. It has no meaning for taints
 *     of other effects
 */
public record Toleration(
    Optional<String> key,
    Optional<String> value,
    Optional<Taint.Effect> effect,
    Optional<Duration> atMost) {

  /** Tolerates all taints. */
  public static final Toleration ALL =
      new Toleration(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if the key is blank, a value is given without a key, or the
   *     time is negative or beyond 292 years
   */
  public Toleration {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(effect, "effect");
    Objects.requireNonNull(atMost, "atMost");
    refuseIf(key.isPresent() && key.get().isBlank(), "toleration key was blank.");
    if (key.isEmpty() && value.isPresent()) {
      throw new IllegalArgumentException(
          "toleration has the value %s without a key.".formatted(value.get()));
    }
    if (atMost.isPresent()
        && (atMost.get().isNegative()
            || atMost.get().compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0)) {
      throw new IllegalArgumentException(
          "toleration: atMost was %s, must be from 0 to 292 years.".formatted(atMost.get()));
    }
  }

  /** Returns a toleration of the taints with a key, whatever their value and effect. */
  public static Toleration of(String key) {
    Objects.requireNonNull(key, "key");
    return new Toleration(Optional.of(key), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Returns a toleration of the taints with a key and value, whatever their effect. */
  public static Toleration of(String key, String value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return new Toleration(Optional.of(key), Optional.of(value), Optional.empty(), Optional.empty());
  }

  /** Returns whether it tolerates a taint. */
  public boolean matches(Taint taint) {
    Objects.requireNonNull(taint, "taint");
    return (key.isEmpty() || key.get().equals(taint.key()))
        && (value.isEmpty() || value.get().equals(taint.value()))
        && (effect.isEmpty() || effect.get() == taint.effect());
  }

  /** Returns the toleration in words: {@code "tolerates maintenance"}. */
  public String describe() {
    StringBuilder text = new StringBuilder("tolerates ").append(key.orElse("all taints"));
    value.ifPresent(it -> text.append('=').append(it));
    effect.ifPresent(it -> text.append(" of effect ").append(it));
    atMost.ifPresent(it -> text.append(" for ").append(it));
    return text.toString();
  }
}
