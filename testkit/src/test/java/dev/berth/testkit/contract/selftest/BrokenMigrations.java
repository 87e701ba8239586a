package dev.berth.testkit.contract.selftest;

import static dev.berth.testkit.contract.selftest.AdjustingScheduler.adjusting;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.claiming;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.migrate;

import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.LedgerCalls;
import dev.berth.testkit.rule.Rule;
import java.util.List;
import java.util.Optional;

/** Schedulers that migrate instances wrongly. */
final class BrokenMigrations {

  private BrokenMigrations() {}

  // ---- P32

  @Breaks(
      value = Rule.P32,
      says = "r\\d+ moves from h\\d to (h\\d), but it is r\\d+ RUNNING on \\1",
      events = 6)
  static class MigratesToTheSameHost extends BrokenSchedulers.Subject {
    MigratesToTheSameHost() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) -> {
                    if (each.state() != InstanceState.RUNNING) {
                      return Optional.empty();
                    }
                    String host = each.hostId().orElseThrow();
                    LedgerCalls.migrate(
                        scheduler.cluster,
                        each.id(),
                        host,
                        each.granted(),
                        scheduler.passes(),
                        now);
                    return Optional.of(
                        new Action.Migrate(each.id(), host, host, each.granted(), 1));
                  }));
    }
  }

  @Breaks(
      value = Rule.P32,
      says = "r\\d+ moves from elsewhere to h\\d, but it is r\\d+ RUNNING on h\\d",
      events = 7)
  static class MigratesFromTheWrongHost extends BrokenSchedulers.Subject {
    MigratesFromTheWrongHost() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      migrate(scheduler, each, now)
                          .map(
                              move ->
                                  new Action.Migrate(
                                      each.id(), "elsewhere", move.host(), move.grant(), 1))));
    }
  }

  @Breaks(
      value = Rule.P32,
      says =
          "of r\\d+ the scheduler reports serviceTime 0, but the events imply \\d+; waitingTime .+",
      events = 9)
  static class LosesServiceTimeOnMigration extends BrokenSchedulers.Subject {
    LosesServiceTimeOnMigration() {
      super(
          setting ->
              new AdjustingScheduler(setting, AdjustingScheduler::migrate) {
                @Override
                public Optional<List<InstanceSnapshot>> snapshots(long now) {
                  return super.snapshots(now)
                      .map(
                          all ->
                              all.stream()
                                  .map(LosesServiceTimeOnMigration::withoutServiceTime)
                                  .toList());
                }
              });
    }

    private static InstanceSnapshot withoutServiceTime(InstanceSnapshot each) {
      return each.migrations() == 0
          ? each
          : new InstanceSnapshot(
              each.id(),
              each.state(),
              each.stateSince(),
              each.host(),
              0,
              each.serviceTime() + each.waitingTime(),
              each.preemptions(),
              each.placements(),
              each.restartOverhead(),
              each.granted(),
              each.migrations());
    }
  }

  // ---- P04, P17, P35

  @Breaks(value = Rule.P04, says = "r\\d+ moves to elsewhere, which does not exist", events = 6)
  static class MigratesToUnknownHost extends BrokenSchedulers.Subject {
    MigratesToUnknownHost() {
      super(
          setting ->
              adjusting(
                  setting,
                  claiming(
                      InstanceState.RUNNING,
                      (id, host) ->
                          new Action.Migrate(id, host, "elsewhere", Resources.none(), 1))));
    }
  }

  // ---- MigratesAgainstConstraints

  @Breaks(
      value = Rule.P35,
      says = "migrate r\\d+ from h\\d to h\\d with .+, but r\\d+ is r\\d+ STARTING on h\\d",
      events = 6)
  static class MigratesStarting extends BrokenSchedulers.Subject {
    MigratesStarting() {
      super(
          setting ->
              adjusting(
                  setting,
                  claiming(
                      InstanceState.STARTING,
                      (id, host) -> new Action.Migrate(id, host, host, Resources.none(), 1))));
    }
  }

  // ---- P26

  @Breaks(
      value = Rule.P26,
      says = "migrate r\\d+ from h\\d to h\\d with .+, but MIGRATES is not declared",
      events = 7)
  static class MigratesUndeclared extends BrokenSchedulers.Undeclared {
    MigratesUndeclared() {
      super(Capability.MIGRATES, setting -> adjusting(setting, AdjustingScheduler::migrate));
    }
  }
}
