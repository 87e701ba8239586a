package dev.berth.benchmarks.peer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What one virtual machine measures. */
interface Task {

  /**
   * Does it, and checks that it was done.
   *
   * @throws IllegalStateException if it was not
   */
  Figures run(Size size);

  /**
   * How large it is.
   *
   * @param hosts positive
   * @param requests positive
   * @param batch requests that are placed together, positive
   * @param warmUpNanos how long to do it before it is measured
   * @param measuredNanos how long to measure, by doing it again; once in any case
   */
  record Size(int hosts, int requests, int batch, long warmUpNanos, long measuredNanos) {}

  /**
   * What was measured, by name.
   *
   * @param values in the order in which they are told
   */
  record Figures(Map<String, Double> values) {

    /** Copies the map. */
    public Figures {
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    static Figures of(String name, double value) {
      return new Figures(Map.of(name, value));
    }

    double get(String name) {
      return Objects.requireNonNull(values.get(name), name);
    }

    Figures and(String name, double value) {
      Map<String, Double> more = new LinkedHashMap<>(values);
      more.put(name, value);
      return new Figures(more);
    }
  }
}
