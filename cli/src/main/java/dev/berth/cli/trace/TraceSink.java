package dev.berth.cli.trace;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A file of a viewer of traces, which {@link RunTrace} fills. Times are in nanoseconds. */
interface TraceSink {

  /** Begins a run. */
  void run(int run, String name) throws IOException;

  /** Adds a track for a lane of a host of a run. */
  void lane(int run, long track, String host, int hostNumber, int lane) throws IOException;

  /** Adds a slice; flows begin at it. */
  void slice(int run, long track, Slice slice, List<Long> flows, Map<String, String> about)
      throws IOException;

  /**
   * A slice.
   *
   * @param name shown in it
   * @param category of it, for its colour
   */
  record Slice(String name, String category, long from, long to) {}

  /** Adds an instant, where a flow ends; 0 for none. */
  void instant(int run, long track, String name, long at, long flow) throws IOException;

  /** Adds a value of a counter of a run, which holds from then on. */
  void counter(int run, String name, long at, double value) throws IOException;
}
