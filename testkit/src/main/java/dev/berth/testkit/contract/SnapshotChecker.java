package dev.berth.testkit.contract;

import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Compares what a scheduler reports about its instances with the ledger of a checker.
 *
 * @param rule the rule under test
 * @param rejected ids of instances that were rejected; live
 * @param cancelledWithBag ids of instances that were cancelled with their bags; live
 */
record SnapshotChecker(
    EventTarget subject,
    ReferenceCluster ledger,
    Rule rule,
    Set<String> rejected,
    Set<String> cancelledWithBag) {

  /** The rules that a difference in an account may break. */
  private static final Set<Rule> JUDGE_ACCOUNTS = Set.of(Rule.P28, Rule.P31, Rule.P32);

  /** Compares the snapshots of all instances, and what is free where an instance does not run. */
  void compare(long now) {
    Optional<List<InstanceSnapshot>> reported = InvariantChecker.ask(() -> subject.snapshots(now));
    if (reported.isEmpty()) {
      return;
    }
    List<ReferenceInstance> expected = ledger.instances();
    List<String> ids = reported.get().stream().map(InstanceSnapshot::id).toList();
    ids.stream()
        .filter(rejected::contains)
        .findFirst()
        .ifPresent(
            id -> {
              throw new RuleBroken(Rule.P34, id + " was rejected, but the scheduler reports " + id);
            });
    ids.stream()
        .filter(cancelledWithBag::contains)
        .findFirst()
        .ifPresent(
            id -> {
              throw Rule.P39.broken(
                  "%s was cancelled with its bag, but the scheduler reports %s", id, id);
            });
    if (!ids.equals(expected.stream().map(ReferenceInstance::id).toList())) {
      throw Rule.P15.broken(
          "the scheduler reports %s, but the instances that are not done are %s",
          ids, expected.stream().map(ReferenceInstance::id).toList());
    }
    for (int i = 0; i < expected.size(); i++) {
      compare(reported.get().get(i), expected.get(i), now);
    }
  }

  private void compare(InstanceSnapshot reported, ReferenceInstance instance, long now) {
    boolean isElsewhere =
        reported.state() != instance.state() || !reported.host().equals(instance.hostId());
    if (!isElsewhere && !JUDGE_ACCOUNTS.contains(rule)) {
      return;
    }
    InstanceSnapshot expected = instance.standing(now);
    Rule broken = isElsewhere ? Rule.P15 : brokenBy(reported, expected);
    if (!reported.equals(expected) && (broken == rule || broken == Rule.P15)) {
      throw broken.broken(
          "of %s the scheduler reports %s",
          expected.id(), RecordDifferences.of(reported, expected));
    }
    if (rule == Rule.P31) {
      compareFree(expected);
    }
  }

  /** Returns the rule that a difference in an account breaks. */
  private Rule brokenBy(InstanceSnapshot reported, InstanceSnapshot expected) {
    boolean ofService = reported.serviceTime() != expected.serviceTime();
    if (rule == Rule.P31 && ofService && doesNotRun(expected)) {
      return Rule.P31;
    } else if (rule == Rule.P32 && ofService && expected.migrations() > 0) {
      return Rule.P32;
    }
    return Rule.P28;
  }

  private static boolean doesNotRun(InstanceSnapshot expected) {
    return expected.state() == InstanceState.PAUSED || expected.state() == InstanceState.SUSPENDED;
  }

  /** Compares the free capacity of a host with a paused or suspended instance. */
  private void compareFree(InstanceSnapshot expected) {
    if (!doesNotRun(expected)) {
      return;
    }
    String host = expected.host().orElseThrow();
    Optional<Resources> reported = InvariantChecker.ask(() -> subject.free(host));
    if (reported.isPresent() && !reported.get().equals(ledger.free(host))) {
      throw Rule.P31.broken(
          "while %s is %s, the scheduler reports %s free on %s, but %s is free",
          expected.id(), expected.state(), reported.get(), host, ledger.free(host));
    }
  }
}
