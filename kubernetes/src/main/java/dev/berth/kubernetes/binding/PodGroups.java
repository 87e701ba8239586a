package dev.berth.kubernetes.binding;

import dev.berth.api.GroupSpec;
import dev.berth.api.Request;
import dev.berth.kubernetes.meaning.Owner;
import dev.berth.kubernetes.meaning.PodMeaning;
import dev.berth.kubernetes.meaning.PodState;
import dev.berth.kubernetes.tasks.TaskThread;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * Pods that wait for others of their group, until there are as many as must start together. Their
 * number is in a PodGroup of {@code scheduling.x-k8s.io}, the API of the coscheduling plugin.
 *
 * <p>Used by tasks of the binding alone.
 */
final class PodGroups {

  private static final Duration LOOK_EVERY = Duration.ofSeconds(3);

  private final String schedulerName;
  private final ApiCalls calls;
  private final KubernetesSerialization json;
  private final ClusterMirror mirror;
  private final PodExplanations explanations;
  private final SchedulerTime time;
  private final TaskThread tasks;
  private final Map<String, Group> waiting = new LinkedHashMap<>();
  private final Map<String, String> groups = new HashMap<>(); // by UID
  private long number; // of groups that were formed

  /** A pod that waits for others. */
  record Member(PodRef pod, String instance, Request request, Optional<Owner> owner) {}

  private static final class Group {
    private final Map<String, Member> members = new LinkedHashMap<>(); // by UID
    private long lookedAt;
  }

  /** What is done with pods that wait no longer. */
  interface Starter {
    /** Submits a pod by itself. */
    void start(Member member, Pod pod);

    /** Submits pods as one group of the scheduler. */
    void start(List<Member> members, GroupSpec group);
  }

  PodGroups(
      String schedulerName,
      ApiCalls calls,
      KubernetesSerialization json,
      ClusterMirror mirror,
      PodExplanations explanations,
      SchedulerTime time,
      TaskThread tasks) {
    this.schedulerName = schedulerName;
    this.calls = calls;
    this.json = json;
    this.mirror = mirror;
    this.explanations = explanations;
    this.time = time;
    this.tasks = tasks;
  }

  /** Adds a pod; nothing changes if it is there. */
  void add(String group, Member member) {
    waiting
        .computeIfAbsent(group, each -> new Group())
        .members
        .putIfAbsent(member.pod().uid(), member);
    groups.put(member.pod().uid(), group);
  }

  /** Forgets a pod that is gone. */
  void remove(String uid) {
    String name = groups.remove(uid);
    Group group = name == null ? null : waiting.get(name);
    if (group != null && group.members.remove(uid) != null && group.members.isEmpty()) {
      waiting.remove(name);
    }
  }

  boolean has(String uid) {
    return groups.containsKey(uid);
  }

  /** Starts groups of which enough pods are there, and says on the others what they wait for. */
  void look(Starter starter) {
    long now = time.now();
    waiting.forEach(
        (name, group) -> {
          if (now - group.lookedAt > LOOK_EVERY.toNanos()) {
            group.lookedAt = now;
            var unused =
                minimum(name).thenAcceptAsync(minimum -> look(name, minimum, starter), tasks);
          }
        });
  }

  private void look(String name, OptionalInt minimum, Starter starter) {
    Group group = waiting.get(name);
    if (group == null) {
      return; // all its pods are gone by now
    }
    List<Member> members = List.copyOf(group.members.values());
    long running = running(name);
    long needed = minimum.orElse(0) - running;
    if (minimum.isEmpty()) {
      String why = "there is no PodGroup %s of scheduling.x-k8s.io.".formatted(name);
      members.forEach(each -> explanations.say(each.pod(), why));
    } else if (members.size() < needed) {
      String why =
          "group %s has %s of %s pods that must start together."
              .formatted(name, members.size() + running, minimum.getAsInt());
      members.forEach(each -> explanations.say(each.pod(), why));
    } else {
      members.forEach(each -> remove(each.pod().uid()));
      if (needed <= 0) { // it has started: the others are single pods
        members.forEach(each -> mirror.pod(each.pod()).ifPresent(pod -> starter.start(each, pod)));
      } else {
        starter.start(
            members,
            new GroupSpec(
                "%s#%s".formatted(name, ++number),
                members.stream().map(Member::request).toList(),
                (int) needed,
                GroupSpec.OnLoss.RESTORE));
      }
    }
  }

  /** Returns how many pods of a group are on nodes. */
  private long running(String group) {
    return mirror.pods().stream()
        .filter(each -> PodState.of(each, schedulerName) == PodState.BOUND)
        .filter(
            each ->
                each.getMetadata().getLabels() != null
                    && group.equals(
                        each.getMetadata().getNamespace()
                            + "/"
                            + each.getMetadata().getLabels().get(PodMeaning.GROUP_LABEL)))
        .count();
  }

  /** Returns how many pods must start together; empty if there is no such PodGroup. */
  private CompletableFuture<OptionalInt> minimum(String group) {
    String[] parts = group.split("/", 2);
    return calls
        .get(
            "/apis/scheduling.x-k8s.io/v1alpha1/namespaces/%s/podgroups/%s"
                .formatted(parts[0], parts[1]))
        .thenApply(
            answer -> {
              if (answer.code() == 404 || answer.code() == 403) {
                return OptionalInt.empty();
              } else if (!answer.isSuccess()) {
                throw new IllegalStateException("could not read PodGroup " + group);
              }
              Object spec = json.unmarshal(answer.body(), Map.class).get("spec");
              Object least = spec instanceof Map<?, ?> map ? map.get("minMember") : null;
              return OptionalInt.of(least instanceof Number it ? Math.max(1, it.intValue()) : 1);
            });
  }
}
