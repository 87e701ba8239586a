package dev.berth.testkit.contract.selftest;

import static dev.berth.testkit.contract.selftest.AdjustingScheduler.adjusting;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.LimitUse;
import dev.berth.api.plan.Action;
import dev.berth.testkit.reference.LedgerCalls;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.Optional;

/** Schedulers that treat counted limits wrongly. */
final class BrokenLimits {

  private BrokenLimits() {}

  // ---- P49

  @Breaks(
      value = Rule.P49,
      says = "r\\d+ is placed on \\S+ and uses .+, but of the limits there are .+",
      events = 4)
  static class IgnoresLimits extends BrokenSchedulers.Subject {
    IgnoresLimits() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                boolean isWithinLimits(ReferenceInstance instance, HostSpec host) {
                  return true;
                }
              });
    }
  }

  @Breaks(
      value = Rule.P49,
      says = "r\\d+ is placed on \\S+ and uses .+ on each host.*, but of the limits .+",
      events = 6)
  static class CountsInstancesOnly extends BrokenSchedulers.Subject {
    CountsInstancesOnly() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                boolean isWithinLimits(ReferenceInstance instance, HostSpec host) {
                  return super.isWithinLimits(instance, host)
                      || instance.request().placement().limits().stream()
                          .allMatch(each -> each.kind() == LimitUse.Kind.PER_HOST);
                }
              });
    }
  }

  @Breaks(
      value = Rule.P49,
      says = "r\\d+ moves to \\S+ and uses .+, but of the limits there are .+",
      events = 10)
  static class MovesBeyondLimits extends BrokenSchedulers.Subject {
    MovesBeyondLimits() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) -> {
                    if (each.state() != InstanceState.RUNNING) {
                      return Optional.empty();
                    }
                    String from = each.hostId().orElseThrow();
                    Optional<HostSpec> to =
                        scheduler.cluster.hosts().stream()
                            .filter(host -> !host.id().equals(from))
                            .filter(host -> !scheduler.cluster.limits().allowMove(each, host))
                            .filter(
                                host ->
                                    scheduler.admitsButForLimits(
                                        host, each, scheduler.cluster.residents(host)))
                            .findFirst();
                    to.ifPresent(
                        host ->
                            LedgerCalls.migrate(
                                scheduler.cluster,
                                each.id(),
                                host.id(),
                                each.granted(),
                                scheduler.passes(),
                                now));
                    return to.map(
                        host ->
                            new Action.Migrate(
                                each.id(), from, host.id(), each.granted(), each.attempt() + 1));
                  }));
    }
  }
}
