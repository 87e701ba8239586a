package dev.berth.testkit.contract;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Rejection;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Checks how a scheduler takes the reports of a fleet that misbehaves. */
record FleetChecks(EventTarget subject, ReferenceCluster ledger) {

  /**
   * What a scheduler reports about its cluster.
   *
   * @param free by host
   */
  private record View(
      Optional<List<InstanceSnapshot>> instances, Map<String, Optional<Resources>> free) {}

  private View reported(long now) {
    return InvariantChecker.ask(
        () -> {
          Map<String, Optional<Resources>> free = new TreeMap<>();
          ledger.hosts().forEach(each -> free.put(each.id(), subject.free(each.id())));
          return new View(subject.snapshots(now), free);
        });
  }

  /** Returns what a scheduler must report, as far as it reports anything. */
  private View expected(View reported, long now) {
    Map<String, Optional<Resources>> free = new TreeMap<>();
    reported.free().forEach((id, amounts) -> free.put(id, amounts.map(it -> ledger.free(id))));
    return new View(reported.instances().map(each -> ledger.snapshots(now)), free);
  }

  // ---- Reports that may be stale

  /**
   * Makes a report and returns the answer.
   *
   * @param rule the rule that it is about
   * @param isFresh whether the scheduler must take it; otherwise it must refuse it as stale
   * @throws StaleReportException if the scheduler rightly refuses it
   */
  <T> T report(Rule rule, String report, boolean isFresh, Supplier<T> call, long now) {
    View before = reported(now);
    T answer;
    try {
      answer = call.get();
    } catch (StaleReportException stale) {
      if (isFresh) {
        throw rule.broken("%s, but the scheduler refuses that: %s", report, stale.getMessage());
      }
      if (!reported(now).equals(before)) {
        throw rule.broken("%s, which is refused as stale, has an effect", report);
      }
      throw stale;
    } catch (Throwable thrown) {
      throw RuleBroken.by(thrown);
    }
    if (!isFresh) {
      throw rule.broken("%s, which is stale, but the scheduler does not refuse it", report);
    }
    return answer;
  }

  /** Checks the number of an attempt before it begins. */
  void attempt(Action.Starts start, ReferenceInstance instance) {
    int next = instance.attempt() + 1;
    if (start.attempt() != next
        && subject.supportedFeatures().contains(EventTarget.Feature.ATTEMPTS)) {
      throw Rule.P44.broken(
          "%s begins attempt %s of %s, must begin attempt %s",
          start.describe(), start.attempt(), instance.id(), next);
    }
  }

  // ---- Rejections

  /** Has an action rejected and undoes the same in the ledger. */
  Rejection rejected(Event.ActionRejected event, long now) {
    ActionId action = event.action();
    View before = reported(now);
    boolean agreed = before.equals(expected(before, now));
    Rejection rejection =
        report(
            Rule.P45,
            action + " is rejected",
            ledger.isOpen(action),
            () -> (Rejection) subject.apply(event, now),
            now);
    List<ActionId> undone = checked(rejection, action, event.why());
    Action root = ledger.action(action).orElseThrow();
    boolean givesUp;
    try {
      ledger.undo(undone);
      givesUp = ledger.countsRejected(root, now);
    } catch (IllegalArgumentException depends) {
      throw new RuleBroken(
          Rule.P45,
          "%s undoes %s, but not what depends on that: %s"
              .formatted(action, undone, depends.getMessage()),
          depends);
    }
    if (rejection.gaveUp() != givesUp) {
      throw Rule.P45.broken(
          "%s is rejected, but the answer %s that the instance is given up",
          root.describe(), givesUp ? "does not say" : "says");
    }
    View after = reported(now);
    if (agreed && !after.equals(expected(after, now))) {
      throw Rule.P45.broken("%s undoes %s, but then %s", action, undone, difference(after, now));
    }
    return rejection;
  }

  private List<ActionId> checked(Rejection rejection, ActionId action, String why) {
    if (!rejection.action().equals(action) || !rejection.why().equals(why)) {
      throw Rule.P45.broken("%s is rejected, but the answer is %s", action, rejection);
    }
    List<ActionId> undone = new ArrayList<>();
    for (Rejection.Undone each : rejection.undone()) {
      if (!undone.isEmpty() && !isEarlier(each.id(), undone.get(undone.size() - 1))) {
        throw Rule.P45.broken("%s undoes %s, not in order", action, rejection.undone());
      }
      if (!ledger.isPending(each.id())
          || !ledger.action(each.id()).equals(Optional.of(each.action()))) {
        throw Rule.P45.broken("%s undoes %s, which is not open", action, each);
      }
      undone.add(each.id());
    }
    Set<ActionId> missing = new HashSet<>(Set.of(action));
    undone.forEach(each -> missing.addAll(ledger.laterOnItsInstance(each)));
    undone.forEach(missing::remove);
    if (!missing.isEmpty()) {
      throw Rule.P45.broken("%s undoes %s, but not %s", action, undone, missing);
    }
    return undone;
  }

  private static boolean isEarlier(ActionId one, ActionId other) {
    return one.pass() < other.pass() || (one.pass() == other.pass() && one.index() < other.index());
  }

  // ---- Reconciliations

  /** Reconciles a scheduler with a fleet, and the ledger alike. */
  Reconciliation reconcile(Event.Reconciled seen, long now) {
    Supplier<Reconciliation> question = () -> (Reconciliation) subject.apply(seen, now);
    View before = reported(now);
    boolean agreed = before.equals(expected(before, now));
    Reconciliation answer = InvariantChecker.ask(question);
    Reconciliation expected = (Reconciliation) ledger.apply(seen, now).orElseThrow();
    if (!agreed) {
      return answer;
    }
    if (!kinds(answer).equals(kinds(expected))) {
      throw Rule.P47.broken(
          "the fleet differs in %s, but the scheduler reports %s", kinds(expected), kinds(answer));
    }
    View after = reported(now);
    if (!after.equals(expected(after, now))) {
      throw new RuleBroken(Rule.P47, "after a reconciliation " + difference(after, now));
    }
    requireHosts(after, expected);
    Reconciliation again = InvariantChecker.ask(question);
    if (!again.isEmpty()) {
      throw Rule.P47.broken("the same observation differs again in %s", kinds(again));
    }
    return answer;
  }

  /** Requires that a scheduler reports on the hosts that were observed, and on no others. */
  private void requireHosts(View after, Reconciliation differences) {
    if (after.free().values().stream().noneMatch(Optional::isPresent)) {
      return; // it reports nothing free, or there are no hosts
    }
    after
        .free()
        .forEach(
            (id, free) -> {
              if (free.isEmpty()) {
                throw Rule.P47.broken("after a reconciliation it does not know host %s", id);
              }
            });
    for (Difference each : differences.differences()) {
      if (each instanceof Difference.HostGone it
          && InvariantChecker.ask(() -> subject.free(it.host())).isPresent()) {
        throw Rule.P47.broken("after a reconciliation it knows host %s, which is gone", it.host());
      }
    }
  }

  /** Returns the kinds of differences with the ids of their subjects, in order. */
  private static List<String> kinds(Reconciliation reconciliation) {
    return reconciliation.differences().stream()
        .map(each -> "%s %s".formatted(each.getClass().getSimpleName(), subject(each)))
        .sorted()
        .toList();
  }

  private static String subject(Difference difference) {
    if (difference instanceof Difference.HostAppeared it) {
      return it.host();
    } else if (difference instanceof Difference.HostGone it) {
      return it.host();
    } else if (difference instanceof Difference.HostChanged it) {
      return it.observed().id();
    } else if (difference instanceof Difference.ForeignLoadChanged it) {
      return it.host();
    } else if (difference instanceof Difference.InstanceGone it) {
      return it.instance() + (it.ended() ? " ended" : "");
    } else if (difference instanceof Difference.InstanceDiffers it) {
      return it.instance();
    } else if (difference instanceof Difference.InstanceUnknown it) {
      return it.instance() + (it.adopted() ? " adopted" : "");
    }
    throw new IllegalArgumentException("no rule covers " + difference);
  }

  private String difference(View reported, long now) {
    List<InstanceSnapshot> expected = ledger.snapshots(now);
    List<InstanceSnapshot> instances = reported.instances().orElse(expected);
    List<String> ids = instances.stream().map(InstanceSnapshot::id).toList();
    List<String> expectedIds = expected.stream().map(InstanceSnapshot::id).toList();
    if (!ids.equals(expectedIds)) {
      return "it reports %s, but the instances that are not done are %s"
          .formatted(ids, expectedIds);
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!instances.get(i).equals(expected.get(i))) {
        return "of %s it reports %s"
            .formatted(ids.get(i), RecordDifferences.of(instances.get(i), expected.get(i)));
      }
    }
    for (HostSpec each : ledger.hosts()) {
      Resources free = ledger.free(each.id());
      Optional<Resources> told = reported.free().getOrDefault(each.id(), Optional.empty());
      if (!told.orElse(free).equals(free)) {
        return "it reports %s free on %s, but %s is free".formatted(told.get(), each.id(), free);
      }
    }
    return "it reports something else";
  }
}
