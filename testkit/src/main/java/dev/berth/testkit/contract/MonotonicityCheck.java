package dev.berth.testkit.contract;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.testkit.contract.RuleCheck.Exchange;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.EventTarget.Feature;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Compares two clusters with the same history and no waiting instance (P21). One of them gets more
 * free capacity, then both get the same request. With other waiting instances the rule would not
 * hold: the first in the queue may rightly take the capacity that the second would have had.
 */
record MonotonicityCheck(String name, History history, PlanRules laws) {

  private static final String PROBE = "probe";

  void run(Supplier<EventTarget> starts) {
    compare(starts, "another host has joined", this::hostJoins);
    compare(starts, "an instance has left", this::instanceLeaves);
  }

  private void hostJoins(Growing cluster, Long now) {
    history.hosts().stream()
        .skip(pick(history.hosts().size()))
        .findFirst()
        .ifPresent(
            like ->
                cluster.target.apply(
                    new Event.HostAdded(
                        new HostSpec(
                            "new",
                            like.capacity(),
                            like.attributes(),
                            sharing(cluster, like),
                            like.taints())),
                    now));
  }

  private static boolean sharing(Growing cluster, HostSpec like) {
    return like.timeShared() && cluster.target.supportedFeatures().contains(Feature.TIME_SHARING);
  }

  /** Picks one of them, the same for the same history. */
  private int pick(int among) {
    return among == 0 ? 0 : history.steps().size() % among;
  }

  private void instanceLeaves(Growing cluster, Long now) {
    List<String> holders =
        cluster.ledger.instances().stream()
            .filter(each -> each.state().isOnHost())
            .map(ReferenceInstance::id)
            .toList();
    holders.stream()
        .skip(pick(holders.size()))
        .findFirst()
        .ifPresent(id -> cluster.target.apply(new Event.Cancelled(id), now));
  }

  /** A cluster that is about to grow, and the ledger of its state before. */
  private record Growing(EventTarget target, ReferenceCluster ledger) {}

  private void compare(
      Supplier<EventTarget> starts, String growth, BiConsumer<Growing, Long> grow) {
    RuleCheck check = new RuleCheck(name, starts.get(), history, laws).play();
    List<Request> requests = check.record().stream().flatMap(MonotonicityCheck::requests).toList();
    if (check.hasEnded() || requests.isEmpty()) {
      return;
    }
    check.attempt(
        () -> {
          // Checked too: a violation of another rule is not reported here.
          InvariantChecker larger = new InvariantChecker(starts.get(), Setting.of(history), laws);
          for (Exchange each : check.record()) {
            if (!each.call().applyTo(larger).equals(each.answer())) {
              return; // the same events, but other plans: P05
            }
          }
          InvariantChecker smaller = check.checker();
          long now = check.now();
          ReferenceCluster ledger = smaller.ledger();
          List<Event<?>> events = new ArrayList<>();
          ledger
              .instances(InstanceState.PENDING)
              .forEach(each -> events.add(new Event.Cancelled(each.id())));
          // Those would take the new capacity; budgets might protect fewer before.
          ledger.drains().keySet().forEach(each -> events.add(new Event.HostUncordoned(each)));
          ledger
              .budgets()
              .byJob()
              .keySet()
              .forEach(each -> events.add(new Event.BudgetRemoved(each)));
          for (Event<?> each : events) {
            smaller.apply(each, now);
            larger.apply(each, now);
          }
          grow.accept(new Growing(larger, smaller.ledger()), now);
          Request probe = likeLast(requests);
          smaller.apply(new Event.Submitted(probe), now);
          larger.apply(new Event.Submitted(probe), now);
          Plan before = smaller.schedule(now);
          Plan after = larger.schedule(now);
          if (places(before) && !places(after)) {
            throw Rule.P21.broken(
                "a last request like %s is placed, but not where %s: %s and %s",
                requests.get(requests.size() - 1).id(), growth, before, after);
          }
        });
  }

  private static Stream<Request> requests(Exchange exchange) {
    return exchange.call().event().stream()
        .filter(Event.Submission.class::isInstance)
        .flatMap(each -> ((Event.Submission) each).requests().stream());
  }

  private static Request likeLast(List<Request> requests) {
    Request last = requests.get(requests.size() - 1);
    Request.Builder probe = Request.builder(PROBE, last.serviceClass()).demand(last.demand());
    last.constraints().forEach(probe::constraint);
    last.job().ifPresent(job -> probe.job(job).antiAffinity(last.antiAffinity()));
    probe.guaranteed(last.guaranteed());
    last.estimatedRunTime().ifPresent(it -> probe.estimatedRunTime(Duration.ofNanos(it)));
    last.deadline().ifPresent(it -> probe.deadline(Duration.ofNanos(it)));
    last.application().ifPresent(probe::application);
    last.user().ifPresent(probe::user);
    probe.labels(last.labels());
    last.moldability().ifPresent(probe::moldability);
    last.memoryProfile().ifPresent(probe::memoryProfile);
    last.performanceMemoryProfile().ifPresent(probe::performanceMemoryProfile);
    probe.placement(monotone(last.placement()));
    return probe.build();
  }

  /**
   * Returns what more capacity cannot refute. A host may open a new place over which peers are not
   * spread yet, and an instance that leaves may be the one to be near to.
   */
  private static PlacementSpec monotone(PlacementSpec spec) {
    return new PlacementSpec(
        spec.tolerations(),
        spec.rules().stream().filter(PlacementRule.Apart.class::isInstance).toList(),
        spec.preferences());
  }

  private static boolean places(Plan plan) {
    return plan.placements().stream().anyMatch(each -> each.instance().equals(PROBE));
  }
}
