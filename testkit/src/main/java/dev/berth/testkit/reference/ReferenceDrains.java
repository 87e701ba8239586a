package dev.berth.testkit.reference;

import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Empties hosts that are drained or tainted, as an engine does before its policy runs. */
record ReferenceDrains(ReferencePass pass) {

  /** Returns the instances that left a draining host. */
  List<ReferenceInstance> empty() {
    List<ReferenceInstance> moved = new ArrayList<>();
    Map<ReferenceInstance, HostSpec> expected = new LinkedHashMap<>(); // evicted ones
    pass.cluster
        .drains()
        .forEach(
            (id, how) -> {
              HostSpec host = pass.cluster.host(id).orElseThrow();
              boolean over = how.deadline().isPresent() && how.deadline().getAsLong() <= pass.now;
              boolean acts =
                  !ReferencePlacement.isUnreachable(host)
                      && (over
                          ? how.atDeadline() == Drain.AtDeadline.EVICT
                          : how.mode() == Drain.Mode.MOVE);
              int before = moved.size();
              for (ReferenceInstance each :
                  acts ? leaving(host, how) : List.<ReferenceInstance>of()) {
                if (isHeld(each, Mark.DRAIN_HELD_BY_BUDGET)) {
                  continue;
                }
                if (empty(host, how, over, each, expected)) {
                  moved.add(each);
                } else {
                  pass.coverage.count(Mark.DRAIN_STUCK);
                }
              }
              if (moved.size() > before + 1) {
                pass.coverage.count(Mark.DRAIN_OF_SEVERAL);
              }
            });
    return moved;
  }

  /**
   * Evicts instances that have stayed as long as the taints of their hosts allow, and returns them.
   * Instances that the budgets of their jobs protect stay, unless their host cannot be reached.
   */
  List<ReferenceInstance> expelTainted() {
    List<ReferenceInstance> expelled = new ArrayList<>();
    List<HostSpec> hosts =
        pass.cluster.hosts().stream().sorted(Comparator.comparing(HostSpec::id)).toList();
    for (HostSpec host : hosts) {
      for (ReferenceInstance each : List.copyOf(pass.cluster.residents(host))) {
        pass.cluster
            .taints()
            .expelling(each, host, pass.now)
            .filter(
                taint ->
                    ReferencePlacement.isUnreachable(host)
                        || !isHeld(each, Mark.TAINT_HELD_BY_BUDGET))
            .ifPresent(
                taint -> {
                  Reason why = new Reason.Expelled(host.id(), taint);
                  pass.decide(new Action.Evict(each.id(), host.id(), why));
                  pass.coverage.count(Mark.EXPELLED_BY_TAINT);
                  pass.coverage.count(
                      Mark.EXPELLED_FROM_UNREACHABLE, ReferencePlacement.isUnreachable(host));
                  expelled.add(each);
                });
      }
    }
    return expelled;
  }

  private List<ReferenceInstance> leaving(HostSpec host, Drain how) {
    Comparator<ReferenceInstance> byImportance =
        Comparator.comparingInt(each -> each.serviceClass().importance());
    Comparator<ReferenceInstance> order =
        switch (how.order()) {
          case LEAST_IMPORTANT_FIRST -> byImportance.reversed();
          case MOST_IMPORTANT_FIRST -> byImportance;
          case LONGEST_RUNNING_FIRST ->
              Comparator.<ReferenceInstance>comparingLong(each -> each.serviceTime(pass.now))
                  .reversed();
        };
    return pass.cluster.residents(host).stream()
        .sorted(order)
        .toList(); // stable: else by admission
  }

  /** Moves one instance off a draining host; returns whether it left. */
  private boolean empty(
      HostSpec host,
      Drain how,
      boolean over,
      ReferenceInstance instance,
      Map<ReferenceInstance, HostSpec> expected) {
    Optional<HostSpec> target =
        how.mode() == Drain.Mode.MOVE ? bestFit(instance, expected) : Optional.empty();
    Reason why = new Reason.HostDrained(host.id(), over);
    boolean migrates =
        instance.state() != InstanceState.STARTING
            && !how.restarted().contains(instance.serviceClass().name());
    if (target.isPresent() && migrates) {
      String to = target.get().id();
      pass.decide(
          new Action.Migrate(
              instance.id(), host.id(), to, instance.granted(), instance.attempt() + 1));
      pass.coverage.count(Mark.DRAINED_BY_MIGRATION);
      return true;
    }
    if (target.isEmpty() && !over) {
      return false;
    }
    pass.decide(new Action.Evict(instance.id(), host.id(), why));
    target.ifPresent(to -> expected.put(instance, to));
    pass.coverage.count(over ? Mark.DRAINED_AT_DEADLINE : Mark.DRAINED_BY_RESTART);
    return true;
  }

  /** Returns the host with the least left once an instance is there; of equals, the first by id. */
  private Optional<HostSpec> bestFit(
      ReferenceInstance instance, Map<ReferenceInstance, HostSpec> expected) {
    Map<HostSpec, Double> left = new LinkedHashMap<>();
    for (HostSpec host : pass.cluster.hosts()) {
      List<ReferenceInstance> others = new ArrayList<>(pass.cluster.residents(host));
      List<ReferenceInstance> coming =
          expected.keySet().stream().filter(each -> host.equals(expected.get(each))).toList();
      if (pass.cluster.isOpen(host)
          && ReferencePlacement.constraintsHold(instance, host)
          && pass.cluster.ofItsCluster(instance, host)
          && !pass.coverage.count(
              Mark.DRAIN_REFUSED_BY_RULE, // those that are expected are on no host yet
              pass.placement.refusal(instance, host, List.of()).isPresent())
          && addsUp(instance, coming, host)
          && !pass.coverage.count(
              Mark.DRAIN_REFUSED_BY_LIMIT, !pass.cluster.limits().allowMove(instance, host))
          && others.stream().allMatch(each -> ReferencePlacement.mayShare(instance, each))
          && coming.stream().allMatch(each -> ReferencePlacement.mayShare(instance, each))
          && pass.cluster.fit(sum(instance, coming, host), host, others)) {
        left.put(host, pass.cluster.sharesLeft(sum(instance, coming, host), host));
      }
    }
    return left.keySet().stream()
        .min(Comparator.<HostSpec>comparingDouble(left::get).thenComparing(HostSpec::id));
  }

  /** Returns whether less is needed, with those that are expected, than can be counted. */
  private boolean addsUp(
      ReferenceInstance instance, List<ReferenceInstance> coming, HostSpec host) {
    return pass.cluster.dimensions().stream()
        .allMatch(
            each -> instance.granted().amount(each) <= Long.MAX_VALUE - amount(coming, each, host));
  }

  /** Returns the grant of an instance and the demands of others that are expected on a host. */
  private Resources sum(ReferenceInstance instance, List<ReferenceInstance> coming, HostSpec host) {
    Resources.Builder sum = Resources.builder();
    for (Dimension each : pass.cluster.dimensions()) {
      sum.put(each, instance.granted().amount(each) + amount(coming, each, host));
    }
    return sum.build();
  }

  private static long amount(List<ReferenceInstance> coming, Dimension each, HostSpec host) {
    boolean shared = host.timeShared() && each.name().equals(Dimension.CPU.name());
    return shared ? 0 : coming.stream().mapToLong(it -> it.request().demand().amount(each)).sum();
  }

  private boolean isHeld(ReferenceInstance instance, Mark mark) {
    return pass.coverage.count(mark, pass.cluster.budgets().protect(instance, List.of()));
  }
}
