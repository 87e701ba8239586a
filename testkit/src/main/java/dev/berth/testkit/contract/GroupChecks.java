package dev.berth.testkit.contract;

import dev.berth.api.Reason;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceGroup;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks that groups start together, are released if broken (P51), and are not broken (P55). */
final class GroupChecks {

  private final Map<String, Set<String>> onHosts = new HashMap<>(); // members before, by group
  private final Set<String> toRelease = new HashSet<>();
  private final Set<String> mayBeHeld = new HashSet<>(); // of these, by disruption budgets
  private final Map<String, String> groups = new HashMap<>(); // by member

  void begin(ReferenceCluster before) {
    onHosts.clear();
    toRelease.clear();
    groups.clear();
    mayBeHeld.clear();
    for (ReferenceGroup each : before.groups()) {
      onHosts.put(each.id(), ids(each.onHosts()));
      each.members().forEach(member -> groups.put(member.id(), each.id()));
      if (each.isBroken() && each.onLoss() == GroupSpec.OnLoss.RELEASE) {
        toRelease.add(each.id());
        if (each.onHosts().stream().anyMatch(it -> before.budgets().cover(it))) {
          mayBeHeld.add(each.id());
        }
      }
    }
  }

  private static Set<String> ids(List<ReferenceInstance> instances) {
    return instances.stream()
        .map(ReferenceInstance::id)
        .collect(Collectors.toCollection(HashSet::new));
  }

  boolean releases(ReferenceInstance instance, Action.Evict evict) {
    return evict.why() instanceof Reason.GroupBroken
        && toRelease.contains(groups.getOrDefault(instance.id(), ""));
  }

  void check(Plan plan, ReferenceCluster after) {
    Set<String> evicted =
        plan.actions(Action.Evict.class).stream()
            .map(Action.OnInstance::instance)
            .collect(Collectors.toSet());
    for (ReferenceGroup each : after.groups()) {
      Set<String> before = onHosts.getOrDefault(each.id(), Set.of());
      boolean isHeld = mayBeHeld.contains(each.id()) && Collections.disjoint(evicted, before);
      if (toRelease.contains(each.id()) && !isHeld && !evicted.containsAll(before)) {
        throw Rule.P51.broken(
            "group %s was broken and is to be released, but not all of %s are evicted",
            each.id(), before);
      }
      if (evicted.containsAll(before) && each.isBroken()) {
        throw Rule.P51.broken(
            "group %s starts with %s, but %s members must start together",
            each.id(), ids(each.onHosts()), each.required());
      }
    }
  }

  /** Checks that a plan breaks no group by preemption (P55). */
  static void checkVictims(Plan plan, ReferenceCluster after) {
    for (Action.Preempt each : plan.preemptions()) {
      after
          .instance(each.instance())
          .flatMap(after::groupOf)
          .filter(ReferenceGroup::isBroken)
          .ifPresent(
              group -> {
                throw Rule.P55.broken(
                    "%s is preempted, which leaves %s of the %s members of group %s on hosts",
                    each.instance(), group.onHosts().size(), group.required(), group.id());
              });
    }
  }

  /**
   * Returns whether the engine may have undone what a policy placed for a group. Then there may be
   * room at the end that was taken when others had their turn.
   */
  static boolean mayHaveUndone(Plan plan, ReferenceCluster after) {
    if (after.groups().stream().anyMatch(each -> each.onHosts().isEmpty())) {
      return true; // the policy may have given other reasons
    }
    return plan.deferrals().values().stream()
        .anyMatch(why -> why instanceof Reason.GroupIncomplete);
  }
}
