package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.scenario.BagScenarios;
import dev.berth.experiments.scenario.BagScenarios.Tasks;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.report.Block;
import dev.berth.report.Numbers;
import dev.berth.report.Text;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.workload.LoggedJob;
import dev.berth.traces.format.swf.SwfLog;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Elastic clusters for the bags of tasks of a real grid. */
public final class TraceStudy extends AbstractStudy {

  private static final Duration GAP = Duration.ofMinutes(2);
  private static final int LEAST_TASKS = 10;
  private static final int BAGS = 60;
  private static final int LIMIT = 1000;
  private static final double HOUR = 3600e9;

  /** Creates the study. */
  public TraceStudy() {
    super(
        "elastic-trace",
        "Elastic clusters for the bags of tasks of a real grid",
        new Input("METACENTRUM-2009-2.swf.gz", "of the Parallel Workloads Archive"));
  }

  @Override
  public StudyResult run(Setting setting) {
    List<LoggedJob> jobs = SwfLog.allThatRan(setting.input());
    List<Tasks> found = BagScenarios.inLog(jobs, GAP, LEAST_TASKS);
    if (found.isEmpty()) {
      throw new InputException(
          setting.input(),
          OptionalLong.empty(),
          Optional.empty(),
          Optional.empty(),
          "must have a bag of tasks: %s jobs of one user on one processor each, with gaps of at most %s s"
              .formatted(LEAST_TASKS, GAP.toSeconds()),
          Optional.empty());
    }
    List<Tasks> bags = found.subList(0, Math.min(BAGS, found.size()));
    Scenario scenario = BagScenarios.of(name(), bags, 1, LIMIT, setting.seed());
    StudyRuns runs =
        StudyRuns.of(
            List.of(
                ElasticPolicies.site("makespan"),
                ElasticPolicies.cluster(new Limits(0.65, 140), "published"),
                ElasticPolicies.cluster(new Limits(0.65, 140), "makespan"),
                ElasticPolicies.cluster(new Limits(0.65, 500), "makespan"),
                ElasticPolicies.cluster(new Limits(0.95, 1000), "makespan"),
                ElasticPolicies.trimmed(new Limits(0.65, 140)),
                PolicySpec.of("queue-depth")),
            seed -> scenario,
            1,
            setting);
    int tasks = bags.stream().mapToInt(each -> each.runTimes().size()).sum();
    double walltime = bags.stream().mapToDouble(Tasks::walltime).sum() / HOUR;
    ElasticFigures figures =
        new ElasticFigures(
            name(),
            "%s bags of a real grid, %s tasks: ours".formatted(bags.size(), tasks),
            runs,
            List.of((double) PetriNetModel.wanted(bags, PetriNetRuns.WASTE)),
            ElasticBound.hostHours(bags, bags.stream().map(Tasks::walltime).toList()));
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.ofLines(
            "log: " + Path.of(setting.input()).getFileName(),
            "%s of its %s jobs on one processor belong to bags."
                .formatted(
                    found.stream().mapToInt(each -> each.runTimes().size()).sum(),
                    jobs.stream().filter(each -> each.processors() == 1).count()),
            "The first %s of its %s bags (jobs of one user on one processor, each within %s s of the one before,"
                .formatted(bags.size(), found.size(), GAP.toSeconds()),
            "at least %s): %s tasks, %s hours in all, on up to %s hosts. The log lacks users' estimates, so the"
                .formatted(LEAST_TASKS, tasks, Numbers.fixed(walltime, 0), LIMIT),
            "true run time of each task replaces its estimate."));
    blocks.addAll(figures.blocks());
    return new StudyResult(blocks, List.of(), List.of(figures.hostSeries(), figures.totals()));
  }
}
