package dev.berth.kubernetes.lab;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what happens to the pods of a {@link FakeKubelet}.
 *
 * <p>The kubelet calls it from one thread, once for each pod that it admits.
 */
@FunctionalInterface
public interface PodBehaviour {

  /**
   * The annotation of a pod that has its run time: from being ready until it completes. Its value
   * is a duration as in {@code 1h30m}, {@code 12.5s} or {@code PT90S}.
   */
  String RUN_TIME = "berth.dev/run-time";

  /**
   * Returns the fate of a pod. An exception makes the pod fail, with its message.
   *
   * @param random depends on the seed of the kubelet and on the namespace and name of the pod, but
   *     not on the order in which pods arrive
   */
  PodFate fateOf(Pod pod, RandomGenerator random);

  /**
   * Returns a behaviour that draws delays and failures. The run time is that of the annotation
   * {@value #RUN_TIME}; without it, a pod runs until it is deleted.
   *
   * @param failureProbability from 0 to 1, for each pod
   * @throws IllegalArgumentException if the probability is not from 0 to 1
   */
  static PodBehaviour drawn(Delay startup, Delay stop, double failureProbability) {
    if (!(failureProbability >= 0 && failureProbability <= 1)) {
      throw new IllegalArgumentException(
          "PodBehaviour.drawn: the probability of a failure must be from 0 to 1, not "
              + failureProbability);
    }
    return (pod, random) ->
        new PodFate(
            startup.draw(random),
            random.nextDouble() < failureProbability,
            runTime(pod),
            stop.draw(random));
  }

  /**
   * Returns the run time that a pod has as an annotation, or empty if it has none.
   *
   * @throws IllegalArgumentException if the annotation is no duration, or a negative one
   */
  static Optional<Duration> runTime(Pod pod) {
    @Nullable Map<String, String> annotations = pod.getMetadata().getAnnotations();
    @Nullable String text = annotations == null ? null : annotations.get(RUN_TIME);
    if (text == null) {
      return Optional.empty();
    }
    try {
      // ISO 8601 but for its beginning: the durations of Kubernetes are those of Go.
      String iso = text.toUpperCase(Locale.ROOT);
      Duration runTime = Duration.parse(iso.startsWith("P") ? iso : "PT" + iso);
      if (!runTime.isNegative()) {
        return Optional.of(runTime);
      }
    } catch (DateTimeParseException e) {
      // Answered below, as a negative duration is.
    }
    throw new IllegalArgumentException(
        "annotation %s: \"%s\" is no duration; write, for example, 1h30m or 12.5s"
            .formatted(RUN_TIME, text));
  }
}
