package dev.berth.kubernetes.binding;

import dev.berth.api.GroupSpec;
import dev.berth.api.Request;
import dev.berth.kubernetes.meaning.Owner;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
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

  private final ApiCalls calls;
  private final KubernetesSerialization json;
  private final Map<String, Map<String, Member>> waiting = new LinkedHashMap<>(); // group, then UID
  private final Map<String, String> groups = new HashMap<>(); // by UID
  private long number; // of groups that were formed

  /** A pod that waits for others. */
  record Member(PodRef pod, String instance, Request request, Optional<Owner> owner) {}

  PodGroups(ApiCalls calls, KubernetesSerialization json) {
    this.calls = calls;
    this.json = json;
  }

  /** Adds a pod; nothing changes if it is there. */
  void add(String group, Member member) {
    waiting
        .computeIfAbsent(group, each -> new LinkedHashMap<>())
        .putIfAbsent(member.pod().uid(), member);
    groups.put(member.pod().uid(), group);
  }

  /** Forgets a pod that is gone. */
  void remove(String uid) {
    String group = groups.remove(uid);
    Map<String, Member> members = group == null ? null : waiting.get(group);
    if (members != null && members.remove(uid) != null && members.isEmpty()) {
      waiting.remove(group);
    }
  }

  boolean has(String uid) {
    return groups.containsKey(uid);
  }

  /** Returns the groups in which pods wait. */
  List<String> groups() {
    return List.copyOf(waiting.keySet());
  }

  /** Returns the pods of a group that wait. */
  List<Member> members(String group) {
    return List.copyOf(waiting.getOrDefault(group, Map.of()).values());
  }

  /** Returns how many pods must start together; empty if there is no such PodGroup. */
  CompletableFuture<OptionalInt> minimum(String group) {
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

  /**
   * Takes the pods of a group that wait, as one group of the scheduler.
   *
   * @param minimum how many of them must start together, at most all that wait
   */
  Formed form(String group, int minimum) {
    List<Member> members = new ArrayList<>(members(group));
    members.forEach(each -> remove(each.pod().uid()));
    return new Formed(
        members,
        new GroupSpec(
            "%s#%s".formatted(group, ++number),
            members.stream().map(Member::request).toList(),
            minimum,
            GroupSpec.OnLoss.RESTORE));
  }

  /** A group, and its pods. */
  record Formed(List<Member> members, GroupSpec spec) {}
}
