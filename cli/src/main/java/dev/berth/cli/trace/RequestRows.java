package dev.berth.cli.trace;

import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.End;
import dev.berth.timeline.RunTimeline.Kind;
import dev.berth.timeline.RunTimeline.State;
import java.util.Arrays;

/** What became of each request of a run, by its index. Times are in nanoseconds. */
final class RequestRows {

  private static final int NONE = -1;

  private final RunTimeline timeline;
  private final long[] started;
  private final long[] service;
  private final int[] lastStay; // the last span on a host
  private final int[] preemptions;

  RequestRows(RunTimeline timeline) {
    this.timeline = timeline;
    this.started = new long[size()];
    this.service = new long[size()];
    this.lastStay = new int[size()];
    this.preemptions = new int[size()];
    Arrays.fill(started, NONE);
    Arrays.fill(lastStay, NONE);
    addSpans(timeline.spans());
    addMarks(timeline.marks());
  }

  private void addSpans(RunTimeline.Spans spans) {
    for (int i = 0; i < spans.from().size(); i++) {
      if (spans.lane().get(i) >= 0) {
        int request = spans.instance().index(i);
        lastStay[request] = i;
        if (spans.state().is(i, State.RUNNING)) {
          long from = spans.from().get(i);
          service[request] += spans.to().get(i) - from;
          started[request] = started[request] == NONE ? from : started[request];
        }
      }
    }
  }

  private void addMarks(RunTimeline.Marks marks) {
    for (int i = 0; i < marks.at().size(); i++) {
      if (marks.kind().is(i, Kind.PREEMPTION)) {
        preemptions[marks.instance().index(i)]++;
      }
    }
  }

  int size() {
    return timeline.instances().ids().size();
  }

  String id(int request) {
    return timeline.instances().ids().get(request);
  }

  String serviceClass(int request) {
    return timeline.classes().get(timeline.instances().serviceClass().index(request)).name();
  }

  long submitted(int request) {
    return timeline.instances().submitted().get(request);
  }

  /** Returns whether it was ever in service. */
  boolean ran(int request) {
    return started[request] != NONE;
  }

  /** Returns when it was first in service; only if it {@link #ran}. */
  long started(int request) {
    return started[request];
  }

  /** Returns when its life ended, or the run did. */
  long ended(int request) {
    return timeline.instances().ended().get(request);
  }

  End end(int request) {
    return timeline.instances().end().as(request, End.values());
  }

  /** Returns its total time in service. */
  long service(int request) {
    return service[request];
  }

  /** Returns the rest of its life. */
  long waiting(int request) {
    return ended(request) - submitted(request) - service[request];
  }

  int preemptions(int request) {
    return preemptions[request];
  }

  /** Returns whether it met its objective, as far as any policy could meet it. */
  boolean met(int request) {
    return timeline.instances().met().get(request) == 1;
  }

  /** Returns whether it was ever on a host. */
  boolean wasPlaced(int request) {
    return lastStay[request] != NONE;
  }

  /** Returns the index of its last host; only if it {@link #wasPlaced}. */
  int host(int request) {
    return timeline.spans().host().index(lastStay[request]);
  }

  /** Returns its last lane on that host. */
  int lane(int request) {
    return timeline.spans().lane().index(lastStay[request]);
  }
}
