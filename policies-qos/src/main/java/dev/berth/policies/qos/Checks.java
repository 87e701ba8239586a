package dev.berth.policies.qos;

import java.time.Duration;

/** Ranges that several settings share. */
final class Checks {

  private Checks() {}

  static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive");
    }
  }

  static void weight(String name, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " must be 0 or more");
    }
  }
}
