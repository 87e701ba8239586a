package dev.berth.kubernetes.meaning;

import dev.berth.api.TimeLimits;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a pod says about when it became what it is, in nanoseconds since the epoch. */
public final class PodTimes {

  private static final Instant LATEST = Instant.ofEpochSecond(0, TimeLimits.LATEST);

  private PodTimes() {}

  /** Returns when a pod was created; 0 if it does not say so. */
  public static long created(Pod pod) {
    return nanos(pod.getMetadata().getCreationTimestamp()).orElse(0);
  }

  /** Returns when a condition of a pod last changed; empty if it does not say so. */
  public static OptionalLong changed(Pod pod, String type) {
    return condition(pod, type)
        .map(each -> nanos(each.getLastTransitionTime()))
        .orElse(OptionalLong.empty());
  }

  /** Returns whether a pod is ready, so that it serves. */
  public static boolean isReady(Pod pod) {
    return condition(pod, "Ready").filter(each -> "True".equals(each.getStatus())).isPresent();
  }

  private static Optional<PodCondition> condition(Pod pod, String type) {
    return pod.getStatus() == null
        ? Optional.empty()
        : Nulls.list(pod.getStatus().getConditions()).stream()
            .filter(each -> type.equals(each.getType()))
            .findFirst();
  }

  private static OptionalLong nanos(@Nullable String timestamp) {
    if (timestamp == null) {
      return OptionalLong.empty();
    }
    try {
      Instant instant = Instant.parse(timestamp);
      boolean isOdd = instant.isBefore(Instant.EPOCH) || instant.isAfter(LATEST);
      return isOdd
          ? OptionalLong.empty()
          : OptionalLong.of(TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano());
    } catch (DateTimeParseException malformed) {
      return OptionalLong.empty();
    }
  }
}
