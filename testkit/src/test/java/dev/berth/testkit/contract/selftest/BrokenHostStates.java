package dev.berth.testkit.contract.selftest;

import static dev.berth.testkit.contract.selftest.AdjustingScheduler.adjusting;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.claiming;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.plan.Action;
import dev.berth.testkit.reference.LedgerCalls;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.List;
import java.util.Optional;

/** Schedulers that treat hosts that change wrongly. */
final class BrokenHostStates {

  private BrokenHostStates() {}

  // ---- P42

  @Breaks(
      value = Rule.P42,
      says = "r\\d+ is placed on (\\S+), but \\1 (is cordoned|is draining|holds more than .+)",
      events = 5)
  static class PlacesOnClosedHosts extends BrokenSchedulers.Subject {
    PlacesOnClosedHosts() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                boolean isOpen(HostSpec host) {
                  return true;
                }
              });
    }
  }

  @Breaks(
      value = Rule.P42,
      says =
          "migrate r\\d+ from \\S+ to (\\S+) with .+, but \\1 (is cordoned|is draining|holds .+)",
      events = 10)
  static class MigratesToClosedHosts extends BrokenSchedulers.Subject {
    MigratesToClosedHosts() {
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
                            .filter(host -> !scheduler.cluster.isOpen(host))
                            .filter(host -> scheduler.cluster.residents(host).isEmpty())
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

  // ---- P03

  @Breaks(value = Rule.P03, says = "h\\d holds \\S+ .+ of .+", events = 6)
  static class ForgetsForeignLoad extends BrokenSchedulers.Subject {
    ForgetsForeignLoad() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                boolean fits(
                    ReferenceInstance instance, HostSpec host, List<ReferenceInstance> residents) {
                  return cluster.dimensions().stream()
                      .allMatch(
                          each ->
                              instance.request().demand().amount(each)
                                  <= host.capacity().amount(each)
                                      - residents.stream()
                                          .mapToLong(other -> other.held(each))
                                          .sum());
                }
              });
    }
  }

  // ---- P04

  @Breaks(
      value = Rule.P04,
      says = "evict r\\d+ from (\\S+): .+, but \\1 is not draining",
      events = 4)
  static class EvictsFromOpenHosts extends BrokenSchedulers.Subject {
    EvictsFromOpenHosts() {
      super(
          setting ->
              adjusting(
                  setting,
                  claiming(
                      InstanceState.STARTING,
                      (id, host) ->
                          new Action.Evict(id, host, new Reason.HostDrained(host, false)))));
    }
  }
}
