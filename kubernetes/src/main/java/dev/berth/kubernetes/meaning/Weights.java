package dev.berth.kubernetes.meaning;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads weights of preferences. */
final class Weights {

  private static final int MOST = 100; // in Kubernetes

  private Weights() {}

  static Optional<Integer> read(String path, @Nullable Integer weight, Findings findings) {
    if (weight == null || weight < 1 || weight > MOST) {
      findings.refuse(path, weight, "must be from 1 to %s".formatted(MOST));
      return Optional.empty();
    }
    return Optional.of(weight);
  }
}
