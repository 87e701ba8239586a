package dev.berth.runtime;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.End;
import dev.berth.timeline.RunTimeline.State;
import dev.berth.timeline.TimelineRecorder;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records what ran where and when in a loop or its journal, as the scheduler believes it. For one
 * thread.
 */
public final class LoopTimeline implements Replay.Listener {

  private final int mostSpans;
  private int limit; // of spans, until some are forgotten
  private TimelineRecorder recorder;
  private final Set<String> hosts = new HashSet<>(); // those that are up
  private @Nullable Scheduler scheduler;
  private long begin; // of what is not forgotten
  private boolean isCut;
  private long latest;

  /**
   * Creates a listener for one replay.
   *
   * @param classes those of the scheduler
   * @param begin of the journal, which is 0 in the timeline
   */
  public LoopTimeline(Collection<ServiceClass> classes, long begin) {
    this(classes, begin, Integer.MAX_VALUE);
  }

  /**
   * Creates a listener that forgets.
   *
   * @param mostSpans if there are more, it forgets the older ones of them that are over. Twice as
   *     many as last at present are always kept, so that each change costs O(1) on average
   */
  LoopTimeline(Collection<ServiceClass> classes, long begin, int mostSpans) {
    this.recorder = new TimelineRecorder(classes, begin);
    this.begin = begin;
    this.latest = begin;
    this.mostSpans = mostSpans;
    this.limit = mostSpans;
  }

  @Override
  public void begins(Scheduler replayed) {
    scheduler = replayed;
    seeAll(latest);
  }

  @Override
  public void applied(long now, Event<?> event, Object result) {
    latest = now;
    if (event instanceof Event.Submission submission) {
      submission.requests().forEach(each -> recorder.submitted(each, now));
    } else if (event instanceof Event.HostAdded added) {
      up(added.spec(), now);
    } else if (event instanceof Event.HostChanged changed) {
      up(changed.spec(), now);
    } else if (event instanceof Event.HostRemoved removed) {
      down(removed.host(), now);
    }
    End end =
        event instanceof Event.Completed || event instanceof Event.CompletedNow
            ? End.COMPLETED
            : End.CANCELLED;
    ended(result, end);
    if (event instanceof Event.OfInstance<?> about) {
      see(about.instance(), now);
    } else if (result instanceof Rejection rejection) {
      for (Rejection.Undone each : rejection.undone()) {
        if (each.action() instanceof Action.OnInstance on) {
          see(on.instance(), now);
        }
      }
    } else if (event instanceof Event.Reconciled) {
      seeAll(now);
    }
    forget();
  }

  @Override
  public void planned(Plan plan) {
    latest = plan.now();
    for (Action each : plan.actions()) {
      recorder.acted(each, plan.now());
      if (each instanceof Action.Reject reject) {
        recorder.ended(reject.instance(), End.REFUSED, false, plan.now());
      } else if (each instanceof Action.Stop stop) {
        ended(stop.report(), End.STOPPED);
      }
    }
    plan.endedBags().forEach(each -> ended(each, End.CANCELLED));
    forget();
  }

  private void forget() {
    if (recorder.spans() > limit) {
      isCut = true;
      begin = recorder.startOfLatest(mostSpans / 2);
      recorder = recorder.since(begin);
      limit = Math.max(mostSpans, 2 * recorder.spans());
    }
  }

  private void ended(Object result, End end) {
    if (result instanceof InstanceReport report) {
      recorder.ended(report.id(), end, report.sloMet(), report.endedAt());
    } else if (result instanceof BagReport bag) {
      bag.cancelled().forEach(each -> ended(each, End.CANCELLED));
    } else if (result instanceof List<?> reports) {
      reports.forEach(each -> ended(each, end));
    }
  }

  private void up(HostSpec spec, long now) {
    hosts.add(spec.id());
    recorder.hostUp(spec, now);
  }

  private void down(String host, long now) {
    hosts.remove(host);
    recorder.hostDown(host, now);
  }

  /** Takes over where the scheduler believes an instance. */
  private void see(String id, long now) {
    Scheduler replayed = scheduler;
    if (replayed != null) {
      replayed.instance(id).ifPresent(each -> see(each, now));
    }
  }

  private void see(Instance instance, long now) {
    recorder.seen(
        instance.id(),
        instance.host().map(Host::id),
        instance.host().isPresent() ? State.valueOf(instance.state().name()) : State.WAITING,
        now);
  }

  /** Takes over what the scheduler believes of all hosts and instances. */
  private void seeAll(long now) {
    Scheduler replayed = scheduler;
    if (replayed == null) {
      return;
    }
    Set<String> gone = new HashSet<>(hosts);
    for (Host each : replayed.hosts()) {
      gone.remove(each.id());
      up(new HostSpec(each.id(), each.capacity()), now);
    }
    gone.forEach(each -> down(each, now));
    Set<String> ended = new HashSet<>(recorder.live());
    Set<String> known = Set.copyOf(ended);
    for (Instance each : replayed.instances()) {
      ended.remove(each.id());
      Request request = each.request();
      if (!known.contains(each.id())) {
        recorder.submitted(request, now);
      }
      see(each, now);
    }
    ended.forEach(each -> recorder.ended(each, End.CANCELLED, false, now));
  }

  /** Returns the timeline, once the replay has ended. */
  public RunTimeline timeline() {
    return recorder.finish(latest);
  }

  /** Returns the time from which on all is known. */
  long begin() {
    return begin;
  }

  /** Returns whether something was forgotten. */
  boolean isCut() {
    return isCut;
  }

  /** Returns the timeline of the latest part, without an end of the recording. */
  RunTimeline since(long from, long now) {
    return recorder.since(from).finish(now);
  }
}
