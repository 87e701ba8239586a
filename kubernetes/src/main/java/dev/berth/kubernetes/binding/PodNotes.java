package dev.berth.kubernetes.binding;

import dev.berth.kubernetes.binding.ApiCalls.Answer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on pods why they wait: as the condition {@code PodScheduled}, which autoscalers read, and as
 * an event. A condition is written only if it differs. Events are limited: one of a kind for a pod
 * in ten minutes, and ten a second in all.
 *
 * <p>Only the thread of the binding uses it, unless a method says otherwise.
 */
final class PodNotes {

  private static final Logger LOG = LoggerFactory.getLogger(PodNotes.class);
  private static final long SAME = 600_000_000_000L; // ten minutes
  private static final int MOST_A_SECOND = 10;
  private static final int REMEMBERED = 20_000;
  private static final int LONGEST = 1_000;

  private final ApiCalls calls;
  private final KubernetesSerialization json;
  private final String scheduler;
  private final String identity;
  private final Map<String, Long> latest =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > REMEMBERED;
        }
      };
  private long second;
  private int inSecond;

  PodNotes(ApiCalls calls, KubernetesSerialization json, String scheduler, String identity) {
    this.calls = calls;
    this.json = json;
    this.scheduler = scheduler;
    this.identity = identity;
  }

  /** Says that a pod waits, and why. */
  void waits(Pod pod, String reason, String why, long now) {
    String message = shortened(why);
    if (!says(pod, reason, message)) {
      PodRef ref = PodRef.of(pod);
      send("The status of", ref, condition(ref, "PodScheduled", "False", reason, message));
    }
    event(pod, "Warning", "FailedScheduling", message, now);
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }

  private static boolean says(Pod pod, String reason, String message) {
    if (pod.getStatus() == null || pod.getStatus().getConditions() == null) {
      return false;
    }
    for (PodCondition each : pod.getStatus().getConditions()) {
      if (each.getType().equals("PodScheduled")) {
        return "False".equals(each.getStatus())
            && reason.equals(each.getReason())
            && message.equals(each.getMessage());
      }
    }
    return false;
  }

  /** Writes a condition of a pod. Any thread may call it. */
  CompletableFuture<Answer> condition(
      PodRef pod, String type, String status, String reason, String message) {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Map<String, Object> condition =
        Map.of(
            "type", type,
            "status", status,
            "reason", reason,
            "message", message,
            "lastTransitionTime", now);
    return patchStatus(pod, Map.of("conditions", new Object[] {condition}));
  }

  /** Says which node a pod waits for, so that no autoscaler removes it. */
  void nominate(Pod pod, String node) {
    if (pod.getStatus() == null || !node.equals(pod.getStatus().getNominatedNodeName())) {
      PodRef ref = PodRef.of(pod);
      send("The status of", ref, patchStatus(ref, Map.of("nominatedNodeName", node)));
    }
  }

  private CompletableFuture<Answer> patchStatus(PodRef pod, Map<String, Object> status) {
    String patch = json.asJson(Map.of("metadata", Map.of("uid", pod.uid()), "status", status));
    return calls.patch(pod.path() + "/status", ApiCalls.STRATEGIC, patch);
  }

  /**
   * Sends an event about a pod, unless it was sent lately or there are too many; returns whether it
   * is sent.
   */
  boolean event(Pod pod, String type, String reason, String message, long now) {
    PodRef ref = PodRef.of(pod);
    String kind = ref.uid() + " " + reason;
    Long before = latest.get(kind);
    if ((before != null && now - before < SAME) || !hasRoom(now)) {
      return false;
    }
    latest.remove(kind);
    latest.put(kind, now);
    Map<String, Object> event = new HashMap<>();
    event.put("apiVersion", "events.k8s.io/v1");
    event.put("kind", "Event");
    event.put(
        "metadata",
        Map.of(
            "name", "%s.%x".formatted(ref.name(), now), // as other schedulers name theirs
            "namespace", ref.namespace()));
    event.put("eventTime", Instant.now().truncatedTo(ChronoUnit.MICROS).toString());
    event.put("reportingController", "berth.dev/" + scheduler);
    event.put("reportingInstance", identity);
    event.put("action", "Scheduling");
    event.put("type", type);
    event.put("reason", reason);
    event.put("note", shortened(message));
    event.put(
        "regarding",
        Map.of(
            "apiVersion", "v1",
            "kind", "Pod",
            "namespace", ref.namespace(),
            "name", ref.name(),
            "uid", ref.uid()));
    String path = "/apis/events.k8s.io/v1/namespaces/%s/events".formatted(ref.namespace());
    send("An event about", ref, calls.post(path, json.asJson(event)));
    return true;
  }

  /**
   * Does something about a pod. If it throws, that is noted on the pod, and concerns nothing else.
   */
  void guard(Pod pod, long now, Runnable about) {
    try {
      about.run();
    } catch (RuntimeException odd) {
      LOG.debug("A pod cannot be read", odd);
      leaveOut(pod, "it cannot be read: " + odd, now);
    }
  }

  /** Says that a pod is left out, so that it counts as foreign load if it is bound. */
  void leaveOut(Pod pod, String why, long now) {
    warn(pod, "PodLeftOut", "The scheduler leaves this pod out, since " + why, now);
  }

  /** Says in an event and in the log that something about a pod is odd, unless it did lately. */
  void warn(Pod pod, String reason, String text, long now) {
    if (event(pod, "Warning", reason, text, now)) {
      LOG.warn("Pod {}: {}", PodRef.of(pod).key(), text);
    }
  }

  private static void send(String what, PodRef ref, CompletableFuture<Answer> sent) {
    var unused =
        sent.whenComplete(
            (answer, failure) -> {
              if (answer == null || !answer.isSuccess()) {
                LOG.debug("{} pod {} was not written: {}", what, ref.key(), answer, failure);
              }
            });
  }

  private boolean hasRoom(long now) {
    if (now / 1_000_000_000L != second) {
      second = now / 1_000_000_000L;
      inSecond = 0;
    }
    return inSecond++ < MOST_A_SECOND;
  }
}
