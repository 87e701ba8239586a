package dev.berth.benchmarks.peer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The task that one virtual machine measures. */
interface Task {

  /**
   * Runs the task and checks its result.
   *
   * @throws IllegalStateException if the result is wrong
   */
  Figures run(Size size);

  /**
   * The size of a task.
   *
   * @param hosts positive
   * @param requests positive
   * @param batch requests that are placed together, positive
   * @param warmUpNanos duration of the warm-up
   * @param measuredNanos duration of the measurement, with as many repetitions as fit, at least one
   */
  record Size(int hosts, int requests, int batch, long warmUpNanos, long measuredNanos) {}

  /**
   * Measured figures by name.
   *
   * @param values in the order of output
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
