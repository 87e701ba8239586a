package dev.berth.kubernetes.binding;

import dev.berth.kubernetes.binding.ApiCalls.Answer;
import dev.berth.kubernetes.meaning.PodGroupRef;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads PodGroups: those of the coscheduling plugin, and those of Kubernetes itself in the newest
 * version that the server has. Safe for use by several threads.
 */
final class GroupSizes {

  private static final Map<PodGroupRef.Api, List<String>> VERSIONS =
      Map.of(
          PodGroupRef.Api.COSCHEDULING, List.of("v1alpha1"),
          PodGroupRef.Api.WORKLOAD, List.of("v1beta1", "v1alpha3", "v1alpha2"));

  /** Fields that say nothing about where and when pods start. The service class has the rest. */
  private static final Set<String> IRRELEVANT =
      Set.of(
          "podGroupTemplateRef",
          "workloadRef",
          "priority",
          "priorityClassName",
          "preemptionPolicy");

  /** Modes in which pods of a group are preempted one by one. */
  private static final Set<Object> ONE_BY_ONE = Set.of("Pod", Map.of("single", Map.of()));

  private final ApiCalls calls;
  private final KubernetesSerialization json;

  GroupSizes(ApiCalls calls, KubernetesSerialization json) {
    this.calls = calls;
    this.json = json;
  }

  /** Returns how many pods of a group must start together; fails if the server does not answer. */
  CompletableFuture<GroupSize> of(PodGroupRef group) {
    return inVersion(group, 0);
  }

  private CompletableFuture<GroupSize> inVersion(PodGroupRef group, int index) {
    List<String> versions = VERSIONS.getOrDefault(group.api(), List.of());
    if (index == versions.size()) {
      return CompletableFuture.completedFuture(
          new GroupSize.Unknown(
              "there is no PodGroup %s of %s.".formatted(group.key(), group.api().group())));
    }
    return calls
        .get(
            "/apis/%s/%s/namespaces/%s/podgroups/%s"
                .formatted(
                    group.api().group(), versions.get(index), group.namespace(), group.name()))
        .thenCompose(
            answer ->
                answer.code() == 404
                    ? inVersion(group, index + 1)
                    : CompletableFuture.completedFuture(read(group, answer)));
  }

  private GroupSize read(PodGroupRef group, Answer answer) {
    if (answer.code() == 403) {
      return new GroupSize.Unknown(
          "this scheduler has no right to read PodGroups of %s.".formatted(group.api().group()));
    } else if (!answer.isSuccess()) {
      throw new IllegalStateException(
          "could not read PodGroup %s: %s".formatted(group.key(), answer.code()));
    }
    Map<String, Object> spec = object(json.unmarshal(answer.body(), Map.class).get("spec"));
    return group.api() == PodGroupRef.Api.COSCHEDULING
        ? atLeast(spec.get("minMember"))
        : ofWorkload(group, spec);
  }

  private static GroupSize ofWorkload(PodGroupRef group, Map<String, Object> spec) {
    Map<String, Object> policy = object(spec.get("schedulingPolicy"));
    for (Map.Entry<String, Object> each : spec.entrySet()) {
      if (!isUnderstood(each.getKey(), each.getValue())) {
        return unknown(group, "spec." + each.getKey());
      }
    }
    if (policy.keySet().equals(Set.of("gang"))) {
      return atLeast(object(policy.get("gang")).get("minCount"));
    }
    return policy.keySet().equals(Set.of("basic"))
        ? new GroupSize.AtLeast(1)
        : unknown(group, "spec.schedulingPolicy");
  }

  private static boolean isUnderstood(String field, @Nullable Object value) {
    return field.equals("schedulingPolicy")
        || IRRELEVANT.contains(field)
        || (field.equals("disruptionMode") && value != null && ONE_BY_ONE.contains(value))
        || value == null
        || value.equals(List.of())
        || value.equals(Map.of());
  }

  private static GroupSize unknown(PodGroupRef group, String field) {
    return new GroupSize.Unknown(
        "%s of PodGroup %s is not understood by this scheduler.".formatted(field, group.key()));
  }

  private static GroupSize atLeast(@Nullable Object pods) {
    return new GroupSize.AtLeast(pods instanceof Number it ? Math.max(1, it.intValue()) : 1);
  }

  private static Map<String, Object> object(@Nullable Object value) {
    Map<String, Object> fields = new TreeMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, each) -> fields.put(String.valueOf(name), each));
    }
    return fields;
  }
}
