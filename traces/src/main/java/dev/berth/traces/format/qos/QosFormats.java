package dev.berth.traces.format.qos;

import dev.berth.traces.FormatProvider;
import dev.berth.traces.InfrastructureFormat;
import dev.berth.traces.WorkloadFormat;
import java.util.List;

/** Provides the formats of the QoS-driven scheduling paper. */
public final class QosFormats implements FormatProvider {

  /** For the service loader. */
  public QosFormats() {}

  @Override
  public List<WorkloadFormat> workloadFormats() {
    return List.of(new QosSimulationFormat(), new QosExperimentFormat());
  }

  @Override
  public List<InfrastructureFormat> infrastructureFormats() {
    return List.of(new QosInfrastructureFormat());
  }
}
