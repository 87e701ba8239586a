package dev.berth.experiments.studies;

import dev.berth.experiments.studies.elastic.SweepStudy;
import dev.berth.experiments.studies.elastic.TraceStudy;
import dev.berth.experiments.studies.elastic.WorkloadStudy;
import dev.berth.experiments.studies.memory.MemoryStudy;
import dev.berth.experiments.studies.memory.QueueStudies;
import dev.berth.experiments.studies.memory.SensitivityStudy;
import dev.berth.experiments.studies.metascheduling.MetaStudy;
import dev.berth.experiments.studies.qos.GeneratedSnapshotStudy;
import dev.berth.experiments.studies.qos.LoadsStudy;
import dev.berth.experiments.studies.qos.SamplesStudy;
import dev.berth.experiments.studies.qos.SnapshotStudy;
import dev.berth.experiments.studies.qos.ValidationStudy;
import dev.berth.experiments.studies.slo.GoogleStudy;
import dev.berth.experiments.studies.slo.HysteresisStudy;
import dev.berth.experiments.studies.slo.MonthStudy;
import dev.berth.experiments.studies.slo.WorkThatEndsStudy;
import dev.berth.experiments.study.Study;
import java.util.ArrayList;
import java.util.List;

/** The studies that come with Berth. */
public final class PublishedStudies {

  private PublishedStudies() {}

  /** Returns them in the order in which they are listed. */
  public static List<Study> all() {
    List<Study> studies =
        new ArrayList<>(
            List.of(
                ValidationStudy.first(),
                ValidationStudy.second(),
                new SamplesStudy(),
                new LoadsStudy(),
                new SnapshotStudy(),
                new GeneratedSnapshotStudy(),
                new HysteresisStudy(),
                new GoogleStudy(),
                new MonthStudy(),
                WorkThatEndsStudy.ofMainCases(),
                WorkThatEndsStudy.ofAllCases(),
                WorkThatEndsStudy.ofLogs(),
                MemoryStudy.first(),
                MemoryStudy.second(),
                MemoryStudy.fourth(),
                new SensitivityStudy()));
    studies.addAll(QueueStudies.all());
    studies.addAll(
        List.of(
            WorkloadStudy.first(),
            WorkloadStudy.second(),
            SweepStudy.first(),
            SweepStudy.second(),
            new TraceStudy(),
            new MetaStudy()));
    return studies;
  }
}
