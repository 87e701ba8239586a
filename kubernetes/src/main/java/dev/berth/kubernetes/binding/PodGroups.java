package dev.berth.kubernetes.binding;

import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.kubernetes.meaning.Owner;
import dev.berth.kubernetes.meaning.PodGroupRef;
import dev.berth.kubernetes.meaning.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pods that wait for others of their PodGroup, until there are as many as must start together.
 *
 * <p>Used by tasks of the binding alone.
 */
final class PodGroups extends Part {

  private static final Duration LOOK_EVERY = Duration.ofSeconds(3);

  private final GroupSizes sizes;
  private final PodExplanations explanations;
  private final Map<PodGroupRef, Group> waiting = new LinkedHashMap<>();
  private final Map<String, PodGroupRef> groups = new HashMap<>(); // by UID
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

  PodGroups(Part shared, GroupSizes sizes, PodExplanations explanations) {
    super(shared);
    this.sizes = sizes;
    this.explanations = explanations;
  }

  /** Adds a pod; nothing changes if it is there. */
  void add(PodGroupRef group, Member member) {
    waiting
        .computeIfAbsent(group, each -> new Group())
        .members
        .putIfAbsent(member.pod().uid(), member);
    groups.put(member.pod().uid(), group);
  }

  /** Forgets a pod that is gone. */
  void remove(String uid) {
    PodGroupRef named = groups.remove(uid);
    Group group = named == null ? null : waiting.get(named);
    if (group != null && group.members.remove(uid) != null && group.members.isEmpty()) {
      waiting.remove(named);
    }
  }

  boolean has(String uid) {
    return groups.containsKey(uid);
  }

  /** Starts groups of which enough pods are there, and says on the others what they wait for. */
  void look(Starter starter) {
    long now = time.now();
    waiting.forEach(
        (named, group) -> {
          if (now - group.lookedAt > LOOK_EVERY.toNanos()) {
            group.lookedAt = now;
            var unused = sizes.of(named).thenAcceptAsync(size -> look(named, size, starter), tasks);
          }
        });
  }

  private void look(PodGroupRef named, GroupSize size, Starter starter) {
    Group group = waiting.get(named);
    if (group == null) {
      return; // all its pods are gone by now
    }
    List<Member> members = List.copyOf(group.members.values());
    if (size instanceof GroupSize.Unknown unknown) {
      members.forEach(each -> explanations.say(each.pod(), unknown.why()));
      return;
    }
    int minimum = ((GroupSize.AtLeast) size).pods();
    long running = running(named);
    long needed = minimum - running;
    if (members.size() < needed) {
      String why =
          "group %s has %s of %s pods that must start together."
              .formatted(named.key(), members.size() + running, minimum);
      members.forEach(each -> explanations.say(each.pod(), why));
    } else {
      members.forEach(each -> remove(each.pod().uid()));
      if (needed <= 0) { // it has started: the others are single pods
        members.forEach(each -> mirror.pod(each.pod()).ifPresent(pod -> starter.start(each, pod)));
      } else {
        starter.start(
            members,
            new GroupSpec(
                "%s#%s".formatted(named.key(), ++number),
                members.stream().map(Member::request).toList(),
                (int) needed,
                GroupSpec.OnLoss.RESTORE));
      }
    }
  }

  /** Returns how many pods of a group are on nodes. */
  private long running(PodGroupRef group) {
    return mirror.pods().stream()
        .filter(each -> PodState.of(each, configuration.schedulerName()) == PodState.BOUND)
        .filter(each -> PodGroupRef.of(each).filter(group::equals).isPresent())
        .count();
  }
}
