package dev.berth.testkit.contract.selftest;

import static dev.berth.testkit.contract.selftest.AdjustingScheduler.adjusting;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.claiming;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.pause;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.suspend;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Schedulers that pause, suspend or resume instances wrongly. */
final class BrokenPauses {

  private BrokenPauses() {}

  // ---- P31

  @Breaks(
      value = Rule.P31,
      says =
          "of r\\d+ the scheduler reports serviceTime \\d+, but the events imply \\d+; waitingTime .+",
      events = 8)
  static class CountsPausedTimeAsService extends BrokenSchedulers.Subject {
    CountsPausedTimeAsService() {
      super(
          setting ->
              new AdjustingScheduler(setting, AdjustingScheduler::pause) {
                @Override
                public Optional<List<InstanceSnapshot>> snapshots(long now) {
                  return withServiceIn(super.snapshots(now), InstanceState.PAUSED, now);
                }
              });
    }
  }

  @Breaks(
      value = Rule.P31,
      says =
          "of r\\d+ the scheduler reports serviceTime \\d+, but the events imply \\d+; waitingTime .+",
      events = 8)
  static class CountsSuspendedTimeAsService extends BrokenSchedulers.Subject {
    CountsSuspendedTimeAsService() {
      super(
          setting ->
              new AdjustingScheduler(setting, AdjustingScheduler::suspend) {
                @Override
                public Optional<List<InstanceSnapshot>> snapshots(long now) {
                  return withServiceIn(super.snapshots(now), InstanceState.SUSPENDED, now);
                }
              });
    }
  }

  /** Counts the time in a state as service. */
  private static Optional<List<InstanceSnapshot>> withServiceIn(
      Optional<List<InstanceSnapshot>> snapshots, InstanceState state, long now) {
    return snapshots.map(
        all ->
            all.stream()
                .map(
                    each ->
                        each.state() != state
                            ? each
                            : new InstanceSnapshot(
                                each.id(),
                                each.state(),
                                each.stateSince(),
                                each.host(),
                                each.serviceTime() + (now - each.stateSince()),
                                each.waitingTime() - (now - each.stateSince()),
                                each.preemptions(),
                                each.placements(),
                                each.restartOverhead(),
                                each.granted(),
                                each.migrations()))
                .toList());
  }

  @Breaks(
      value = Rule.P31,
      says = "while r\\d+ is PAUSED, the scheduler reports .+ free on h\\d, but .+ is free",
      events = 6)
  static class KeepsCpuOfPaused extends BrokenSchedulers.Subject {
    KeepsCpuOfPaused() {
      super(
          setting ->
              new AdjustingScheduler(setting, AdjustingScheduler::pause) {
                @Override
                public Optional<Resources> free(String hostId) {
                  return super.free(hostId)
                      .map(free -> less(free, hostId, InstanceState.PAUSED, Dimension.CPU));
                }
              });
    }
  }

  @Breaks(
      value = Rule.P31,
      says = "while r\\d+ is PAUSED, the scheduler reports .+ free on h\\d, but .+ is free",
      events = 6)
  static class FreesMemoryOfPaused extends BrokenSchedulers.Subject {
    FreesMemoryOfPaused() {
      super(
          setting ->
              new AdjustingScheduler(setting, AdjustingScheduler::pause) {
                @Override
                public Optional<Resources> free(String hostId) {
                  return super.free(hostId)
                      .map(free -> plus(free, hostId, InstanceState.PAUSED, Dimension.MEMORY));
                }
              });
    }
  }

  @Breaks(
      value = Rule.P31,
      says = "while r\\d+ is SUSPENDED, the scheduler reports .+ free on h\\d, but .+ is free",
      events = 6)
  static class KeepsMemoryOfSuspended extends BrokenSchedulers.Subject {
    KeepsMemoryOfSuspended() {
      super(
          setting ->
              new AdjustingScheduler(setting, AdjustingScheduler::suspend) {
                @Override
                public Optional<Resources> free(String hostId) {
                  return super.free(hostId)
                      .map(free -> less(free, hostId, InstanceState.SUSPENDED, Dimension.MEMORY));
                }
              });
    }
  }

  // ---- P35

  @Breaks(
      value = Rule.P35,
      says = "pause r\\d+ on h\\d, but r\\d+ is r\\d+ STARTING on h\\d",
      events = 6)
  static class PausesStarting extends BrokenSchedulers.Subject {
    PausesStarting() {
      super(setting -> adjusting(setting, claiming(InstanceState.STARTING, Action.Pause::new)));
    }
  }

  @Breaks(
      value = Rule.P35,
      says = "suspend r\\d+ on h\\d, but r\\d+ is r\\d+ STARTING on h\\d",
      events = 6)
  static class SuspendsStarting extends BrokenSchedulers.Subject {
    SuspendsStarting() {
      super(setting -> adjusting(setting, claiming(InstanceState.STARTING, Action.Suspend::new)));
    }
  }

  @Breaks(
      value = Rule.P35,
      says = "resume r\\d+ on h\\d with .+, but r\\d+ is r\\d+ RUNNING on h\\d",
      events = 6)
  static class ResumesRunning extends BrokenSchedulers.Subject {
    ResumesRunning() {
      super(
          setting ->
              adjusting(
                  setting,
                  claiming(
                      InstanceState.RUNNING,
                      (id, host) -> new Action.Resume(id, host, Resources.none(), 2))));
    }
  }

  // ---- P04, P16, P19

  @Breaks(
      value = Rule.P04,
      says = "pause r\\d+ on elsewhere, but r\\d+ is r\\d+ RUNNING on h\\d",
      events = 6)
  static class PausesOnTheWrongHost extends BrokenSchedulers.Subject {
    PausesOnTheWrongHost() {
      super(
          setting ->
              adjusting(
                  setting,
                  claiming(
                      InstanceState.RUNNING, (id, host) -> new Action.Pause(id, "elsewhere"))));
    }
  }

  @Breaks(
      value = Rule.P16,
      says = "r\\d+ leaves, but the next action is: pause r\\d+ on h\\d",
      events = 6)
  static class PreemptsPaused extends BrokenSchedulers.Subject {
    PreemptsPaused() {
      super(
          setting ->
              new AdjustingScheduler(setting, AdjustingScheduler::pause) {
                @Override
                List<Action> tamper(List<Action> actions) {
                  List<Action> more = new ArrayList<>();
                  for (Action each : actions) {
                    if (each instanceof Action.Pause pause) {
                      more.add(
                          new Action.Preempt(pause.instance(), pause.host(), pause.instance()));
                    }
                    more.add(each);
                  }
                  return more;
                }
              });
    }
  }

  @Breaks(
      value = Rule.P19,
      says = "r\\d+ is the subject of two actions in a pass, the second is Suspend\\[.*\\]",
      events = 6)
  static class PausesAndSuspends extends BrokenSchedulers.Subject {
    PausesAndSuspends() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                void adjust(long now, List<Action> actions) {
                  for (ReferenceInstance each : cluster.instances(InstanceState.RUNNING)) {
                    pause(this, each, now).ifPresent(actions::add);
                    suspend(this, each, now).ifPresent(actions::add);
                  }
                }
              });
    }
  }

  // ---- P26

  @Breaks(value = Rule.P26, says = "pause r\\d+ on h\\d, but SUSPENDS is not declared", events = 6)
  static class PausesUndeclared extends BrokenSchedulers.Undeclared {
    PausesUndeclared() {
      super(Capability.SUSPENDS, setting -> adjusting(setting, AdjustingScheduler::pause));
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "suspend r\\d+ on h\\d, but SUSPENDS is not declared",
      events = 6)
  static class SuspendsUndeclared extends BrokenSchedulers.Undeclared {
    SuspendsUndeclared() {
      super(Capability.ADJUSTS, setting -> adjusting(setting, AdjustingScheduler::suspend));
    }
  }
}
