package dev.berth.simulator.reader;

import dev.berth.simulator.Arrival;
import org.jspecify.annotations.Nullable;

/** The formats of workload files; {@link Readers} describes them. */
enum WorkloadFormat implements Format {
  /** Ours. */
  CSV("csv", false) {
    @Override
    RequestReader reader(Lines lines, Classes classes, boolean jobInId) {
      return new CsvRequests(lines, classes);
    }
  },

  /** Of the simulator of the QoS-driven scheduling paper. */
  QOS_SIMULATION("qos-simulation", true) {
    @Override
    RequestReader reader(Lines lines, Classes classes, boolean jobInId) {
      return new QosSimulationRequests(lines, new QosRequests(classes, jobInId));
    }
  },

  /** Of the Kubernetes experiments of the same paper. */
  QOS_EXPERIMENT("qos-experiment", true) {
    @Override
    RequestReader reader(Lines lines, Classes classes, boolean jobInId) {
      return new QosExperimentRequests(lines, new QosRequests(classes, jobInId));
    }
  };

  /** Reads the requests of a file one by one. */
  interface RequestReader {
    /** Returns the next one; null at the end. */
    @Nullable Arrival next();
  }

  private final String id;
  private final boolean jobsHaveTasks;

  WorkloadFormat(String id, boolean jobsHaveTasks) {
    this.id = id;
    this.jobsHaveTasks = jobsHaveTasks;
  }

  /**
   * Starts reading a file from its beginning.
   *
   * @param jobInId whether ids are to be {@code job/task}, where {@link #jobsHaveTasks}
   */
  abstract RequestReader reader(Lines lines, Classes classes, boolean jobInId);

  @Override
  public String id() {
    return id;
  }

  /** Returns whether ids may be unique only together with the job. */
  boolean jobsHaveTasks() {
    return jobsHaveTasks;
  }

  /** Returns the format of a file by the first line that says something. */
  static WorkloadFormat of(String firstLine) {
    if (firstLine.startsWith("{")) {
      return QOS_SIMULATION;
    }
    boolean startsWithNumber = "+-.0123456789".indexOf(firstLine.charAt(0)) >= 0;
    return startsWithNumber ? QOS_EXPERIMENT : CSV;
  }
}
