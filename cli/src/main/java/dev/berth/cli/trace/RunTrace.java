package dev.berth.cli.trace;

import dev.berth.report.TimelineChart;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.Kind;
import dev.berth.timeline.RunTimeline.State;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes runs for viewers of traces. Each run is a process, so that one window shows all of them on
 * one time axis. A process has a track for each lane of a host, and counters.
 */
final class RunTrace {

  private static final int STEPS = 2_000; // of each counter

  /** An instance that is placed at an instant. */
  private record Placement(int instance, long at) {}

  private final int run;
  private final RunTimeline timeline;
  private final TraceSink sink;
  private final int[] firstTrack; // by host

  private RunTrace(int run, RunTimeline timeline, TraceSink sink) {
    this.run = run;
    this.timeline = timeline;
    this.sink = sink;
    this.firstTrack = firstLanes(timeline);
  }

  /** Returns the number of the first lane of each host, counted over all hosts, from 0. */
  static int[] firstLanes(RunTimeline timeline) {
    int[] first = new int[timeline.hosts().size()];
    int next = 0;
    for (int i = 0; i < first.length; i++) {
      first[i] = next;
      next += timeline.hosts().get(i).lanes();
    }
    return first;
  }

  /** Writes runs as a trace of Perfetto. */
  static void writePerfetto(List<TimelineChart.Run> runs, OutputStream out) throws IOException {
    PerfettoSink sink = new PerfettoSink(out);
    write(runs, sink);
    sink.flush();
  }

  /** Writes runs as JSON of Chrome. */
  static void writeChrome(List<TimelineChart.Run> runs, OutputStream out) throws IOException {
    try (ChromeSink sink = new ChromeSink(out)) {
      write(runs, sink);
    }
  }

  private static void write(List<TimelineChart.Run> runs, TraceSink sink) throws IOException {
    for (int i = 0; i < runs.size(); i++) {
      sink.run(i + 1, runs.get(i).name());
      new RunTrace(i + 1, runs.get(i).timeline(), sink).write();
    }
  }

  private void write() throws IOException {
    for (int host = 0; host < firstTrack.length; host++) {
      RunTimeline.HostRow row = timeline.hosts().get(host);
      for (int lane = 0; lane < row.lanes(); lane++) {
        sink.lane(run, track(host, lane), row.name(), host, lane);
      }
    }
    slices();
    instants();
    double[] waiting = new double[STEPS];
    for (int i = 0; i < timeline.classes().size(); i++) {
      double[] its = timeline.in(State.WAITING, i, STEPS);
      counter("waiting: " + timeline.classes().get(i).name(), its);
      for (int k = 0; k < STEPS; k++) {
        waiting[k] += its[k];
      }
    }
    counter("waiting", waiting);
    counter("free cores", timeline.freeCores(STEPS));
    counter("below their objective", timeline.belowObjective(STEPS));
  }

  private long track(int host, int lane) {
    return firstTrack[host] + lane + 1L;
  }

  private void slices() throws IOException {
    RunTimeline.Spans spans = timeline.spans();
    RunTimeline.Marks marks = timeline.marks();
    Map<Placement, List<Long>> flows = new HashMap<>();
    for (int i = 0; i < marks.at().size(); i++) {
      if (marks.other().get(i) >= 0) {
        flows
            .computeIfAbsent(
                new Placement(marks.other().index(i), marks.at().get(i)), k -> new ArrayList<>())
            .add(flow(i));
      }
    }
    for (int i = 0; i < spans.from().size(); i++) {
      if (spans.lane().get(i) < 0) {
        continue;
      }
      int instance = spans.instance().index(i);
      State state = spans.state().as(i, State.values());
      RunTimeline.ServiceLevel its =
          timeline.classes().get(timeline.instances().serviceClass().index(instance));
      String name = timeline.instances().ids().get(instance);
      String does = state.name().toLowerCase(Locale.ROOT);
      sink.slice(
          run,
          track(spans.host().index(i), spans.lane().index(i)),
          new TraceSink.Slice(
              state == State.RUNNING ? name : "%s (%s)".formatted(name, does),
              its.name(),
              spans.from().get(i),
              spans.to().get(i)),
          flows.getOrDefault(new Placement(instance, spans.from().get(i)), List.of()),
          Map.of(
              "state",
              does,
              "class",
              its.name(),
              "objective",
              timeline.instances().met().get(instance) == 1 ? "met" : "missed"));
    }
  }

  /** A flow ends at the instant at which its victim leaves. */
  private void instants() throws IOException {
    RunTimeline.Marks marks = timeline.marks();
    for (int i = 0; i < marks.at().size(); i++) {
      if (marks.lane().get(i) >= 0) {
        Kind kind = marks.kind().as(i, Kind.values());
        String victim = timeline.instances().ids().get(marks.instance().index(i));
        int other = marks.other().index(i);
        sink.instant(
            run,
            track(marks.host().index(i), marks.lane().index(i)),
            "%s of %s%s"
                .formatted(
                    kind.name().toLowerCase(Locale.ROOT),
                    victim,
                    other < 0 ? "" : " for " + timeline.instances().ids().get(other)),
            marks.at().get(i),
            other < 0 ? 0 : flow(i));
      }
    }
  }

  private long flow(int mark) {
    return ((long) run << 32) + mark + 1;
  }

  /** Writes the means of steps; of equal ones that follow each other, the first. */
  private void counter(String name, double[] values) throws IOException {
    for (int i = 0; i < values.length; i++) {
      if (i == 0 || Double.compare(values[i], values[i - 1]) != 0) {
        sink.counter(run, name, (long) ((double) timeline.end() / values.length * i), values[i]);
      }
    }
  }
}
