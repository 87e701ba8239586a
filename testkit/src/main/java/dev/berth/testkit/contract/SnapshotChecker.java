package dev.berth.testkit.contract;

import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Compares what a scheduler reports about its instances with the ledger of a checker. */
final class SnapshotChecker {

  private final EventTarget subject;
  private final ReferenceCluster ledger;
  private final Rule rule;
  private final Set<String> rejected;
  private final Set<String> cancelledWithBag;

  /**
   * Creates a checker.
   *
   * @param rule the rule under test
   * @param rejected ids of instances that were rejected; live
   * @param cancelledWithBag ids of instances that were cancelled with their bags; live
   */
  SnapshotChecker(
      EventTarget subject,
      ReferenceCluster ledger,
      Rule rule,
      Set<String> rejected,
      Set<String> cancelledWithBag) {
    this.subject = subject;
    this.ledger = ledger;
    this.rule = rule;
    this.rejected = rejected;
    this.cancelledWithBag = cancelledWithBag;
  }

  /** Compares the snapshots of all instances, and what is free where an instance does not run. */
  void compare(long now) {
    Optional<List<InstanceSnapshot>> reported = InvariantChecker.ask(() -> subject.snapshots(now));
    if (reported.isEmpty()) {
      return;
    }
    List<InstanceSnapshot> expected = ledger.snapshots(now);
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
              throw new RuleBroken(
                  Rule.P39,
                  "%s was cancelled with its bag, but the scheduler reports %s".formatted(id, id));
            });
    if (!ids.equals(expected.stream().map(InstanceSnapshot::id).toList())) {
      throw new RuleBroken(
          Rule.P15,
          "the scheduler reports %s, but the instances that are not done are %s"
              .formatted(ids, expected.stream().map(InstanceSnapshot::id).toList()));
    }
    for (int i = 0; i < expected.size(); i++) {
      InstanceSnapshot one = reported.get().get(i);
      InstanceSnapshot other = expected.get(i);
      if (!Objects.equals(one, other)) {
        Rule broken = brokenBy(one, other);
        if (broken != rule && broken != Rule.P15) {
          continue;
        }
        throw new RuleBroken(
            broken,
            "of %s the scheduler reports %s"
                .formatted(other.id(), RecordDifferences.of(one, other)));
      }
    }
    if (rule == Rule.P31) {
      expected.forEach(this::compareFree);
    }
  }

  /** Returns the rule that a difference breaks. */
  private Rule brokenBy(InstanceSnapshot reported, InstanceSnapshot expected) {
    if (reported.state() != expected.state() || !reported.host().equals(expected.host())) {
      return Rule.P15;
    }
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
      throw new RuleBroken(
          Rule.P31,
          "while %s is %s, the scheduler reports %s free on %s, but %s is free"
              .formatted(expected.id(), expected.state(), reported.get(), host, ledger.free(host)));
    }
  }
}
