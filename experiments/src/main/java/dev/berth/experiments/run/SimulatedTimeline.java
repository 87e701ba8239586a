package dev.berth.experiments.run;

import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.workload.Arrival;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.TimelineRecorder;
import java.time.Duration;
import java.util.Collection;
import java.util.OptionalDouble;

/** Records what ran where and when in a simulation: the truth, whatever its scheduler believes. */
public final class SimulatedTimeline implements SimulationListener {

  private final TimelineRecorder recorder;
  private long end;

  /** Creates a listener for one simulation of a workload with these classes. */
  public SimulatedTimeline(Collection<ServiceClass> classes) {
    this.recorder = new TimelineRecorder(classes, 0);
  }

  @Override
  public void hostUp(HostSpec host, long now) {
    recorder.hostUp(host, now);
  }

  @Override
  public void hostDown(String host, long now) {
    recorder.hostDown(host, now);
  }

  @Override
  public void admitted(Arrival arrival) {
    recorder.submitted(arrival.request(), arrival.at());
  }

  @Override
  public void carriedOut(Action action, long now) {
    recorder.acted(action, now);
  }

  @Override
  public void ready(String instance, long now) {
    recorder.ready(instance, now);
  }

  @Override
  public void lost(String instance, long now) {
    recorder.lost(instance, now);
  }

  @Override
  public void requestEnded(RequestOutcome outcome) {
    recorder.ended(
        outcome.request().id(),
        RunTimeline.End.valueOf(outcome.end().name()),
        outcome.met(),
        outcome.report().endedAt());
  }

  @Override
  public void progressed(Duration simulated, OptionalDouble fraction) {
    end = simulated.toNanos(); // the last report is that of the end
  }

  /** Returns the timeline, once the simulation has ended. */
  public RunTimeline timeline() {
    return recorder.finish(end);
  }
}
