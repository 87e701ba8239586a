package dev.berth.cli.compare;

import dev.berth.cli.error.ErrorReport;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.output.JobsTarget;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.output.PicturesTarget;
import dev.berth.cli.output.ReportTarget;
import dev.berth.cli.run.PoliciesOption;
import dev.berth.cli.run.RunOptions;
import dev.berth.cli.session.Policies;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.Environment;
import dev.berth.cli.terminal.Interruption;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.cli.trace.TraceTarget;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.page.ExperimentPage;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.studies.qos.PublishedResults;
import dev.berth.experiments.studies.qos.PublishedRun;
import dev.berth.report.Document;
import dev.berth.report.TimelineChart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth compare}: compares policies side by side on one scenario. */
@Command(
    name = "compare",
    header = "Compares policies on the same requests, hosts and seed.",
    description =
        "Shows the availability of each service class under each policy. For the validation"
            + " workloads of the QoS-driven scheduling paper, also shows the published figures."
            + " With --verbose, also prints effective configurations, numbers of passes and"
            + " placements, and run times.",
    footer = {
      "  berth compare",
      "  berth compare --report page",
      "  berth compare --workload validation-2 --watchdog 10s --json outcome.json",
      "  berth compare --policies qos-driven --config"
          + " 'qos-driven={\"preemptionCost\":\"as-printed\"}'",
      "  berth compare --workload requests.csv --infrastructure hosts.csv --events outages.csv",
      "  berth compare --beside replications/20190628_183202_synthetic-workload2 --report page",
      "  berth compare --workload requests.csv --infrastructure hosts.csv --jobs jobs.csv",
      "  berth compare --trace run.pftrace",
      "  berth compare --plugins build/libs --policies qos-driven,acme.best-fit --json - | jq .runs"
    })
public final class CompareCommand extends SessionCommand implements Callable<Integer> {

  private static final long MOST_ON_PAGE = 1_000_000; // requests, with what ran where and when

  @Mixin private PoliciesOption compared = new PoliciesOption();

  @Mixin private RunOptions run = new RunOptions();
  @Mixin private BesideOption beside = new BesideOption();
  @Mixin private ReportTarget report = new ReportTarget();
  @Mixin private PicturesTarget pictures = new PicturesTarget();
  @Mixin private JsonTarget json = new JsonTarget();
  @Mixin private JobsTarget jobs = new JobsTarget();
  @Mixin private TraceTarget trace = new TraceTarget();

  @Option(
      names = "--bounds",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Also runs never-preempt and an infinite host, as bounds; default yes.")
  private boolean bounds;

  @Option(names = "--details", description = "Prints all figures. So does --verbose.")
  private boolean details;

  @Override
  public Integer call() {
    json.check();
    report.check();
    pictures.check();
    jobs.check();
    trace.check();
    try (Policies policies = session().policies();
        OutputFiles files = new OutputFiles()) {
      List<PolicyChoice<?>> choices = run.policies(policies.registry(), compared.ids());
      Comparison comparison =
          new Comparison(run.settings(), comparedPolicies(policies.registry(), choices));
      PublishedFigures published =
          new PublishedFigures(published(comparison), beside.read(comparison.settings()));
      return compare(comparison, published, files);
    }
  }

  private int compare(Comparison comparison, PublishedFigures published, OutputFiles files) {
    session().interruption().explain(() -> interrupted("before the first run"));
    try (CellStore cells = CellStore.temporary()) { // until what is printed has been read from it
      Runs runs = run(comparison, published, files, cells);
      List<CellResult> outcomes = runs.outcomes();
      List<String> next = next(comparison, runs);
      json.addTo(
          files,
          hasBars() ? session().painted() : out(),
          () -> text(outcomes, document(comparison, runs, published, next)),
          ComparisonJson.of(
              comparison, outcomes, comparison.verdict(runs.summary()), published, next));
      files.commit();
      return session().errors().failedRuns(outcomes, err());
    } catch (UncheckedIOException | IOException failure) {
      Throwable cause =
          failure instanceof UncheckedIOException
              ? Objects.requireNonNull(failure.getCause())
              : failure;
      throw new RunFailedException(
          "measurements cannot be stored: " + ErrorReport.describe(cause), failure);
    }
  }

  /** Returns whether the table has bars, as on a terminal. */
  private boolean hasBars() {
    return session().environment().style().bars()
        && !(details || session().verbose() || json.takesStandardOutput());
  }

  private String text(List<CellResult> outcomes, Document document) {
    if (!hasBars()) {
      return session().text().render(document);
    }
    List<String> policies =
        outcomes.stream()
            .map(CellResult::policy)
            .filter(each -> each.role() == ComparedPolicy.Role.POLICY)
            .map(ComparedPolicy::label)
            .toList();
    Environment terminal = session().environment();
    GlanceBars bars =
        new GlanceBars(terminal.style(), terminal.columns().orElse(Integer.MAX_VALUE), policies);
    return String.join("\n", bars.over(session().text().lines(document))) + "\n";
  }

  private Document document(
      Comparison comparison, Runs runs, PublishedFigures published, List<String> next) {
    ComparisonDocument document =
        new ComparisonDocument(comparison, runs.outcomes(), runs.summary(), published);
    return details || session().verbose()
        ? document.build(session().verbose(), next)
        : new Glance(document.title(), comparison, runs.outcomes(), runs.summary()).build(next);
  }

  private List<ComparedPolicy> comparedPolicies(
      PolicyRegistry registry, List<PolicyChoice<?>> choices) {
    List<ComparedPolicy> comparedPolicies = new ArrayList<>();
    choices.forEach(each -> comparedPolicies.add(ComparedPolicy.of(each)));
    if (bounds) {
      comparedPolicies.addAll(
          ComparedPolicy.bounds(comparedPolicies, registry, run.watchdog(), run.delays().mean()));
    }
    return comparedPolicies;
  }

  /** Results of all runs, their summary, and the requests that were served worst in them. */
  private record Runs(List<CellResult> outcomes, Summary summary, LowestServed lowest) {}

  /** Returns the parts of the command that explains the request that was served worst. */
  private List<String> next(Comparison comparison, Runs runs) {
    return comparison
        .verdict(runs.summary())
        .worstServed()
        .flatMap(
            worst ->
                runs.lowest()
                    .of(worst)
                    .map(
                        job ->
                            new ExplainLine(spec())
                                .about(
                                    worst.policy(), job, comparison.settings().scenario().until())))
        .orElse(List.of());
  }

  private Runs run(
      Comparison comparison, PublishedFigures published, OutputFiles files, CellStore cells) {
    try (ProgressDisplay display = session().progress()) {
      RunWatcher watcher =
          new RunWatcher(
              display,
              session().verbose() ? Optional.of(err()) : Optional.empty(),
              System::nanoTime,
              pictures.isWanted()
                  || trace.isWanted()
                  || (report.isWanted() && fitsOnPage(comparison)));
      session().interruption().explain(() -> interrupted("after " + watcher.done()));
      return run(comparison, published, files, cells, watcher);
    }
  }

  /** Returns whether a page may hold what ran where and when: for each request some 300 bytes. */
  private static boolean fitsOnPage(Comparison comparison) {
    OptionalLong size = comparison.settings().scenario().workload().size();
    return size.isPresent() && size.getAsLong() <= MOST_ON_PAGE;
  }

  private Runs run(
      Comparison comparison,
      PublishedFigures published,
      OutputFiles files,
      CellStore cells,
      RunWatcher watcher) {
    Experiment experiment = comparison.experiment();
    List<CellResult> results =
        new ExperimentRunner(cells, 1, watcher, jobs.isWanted()).run(experiment);
    Summary summary = Summary.withBounds(experiment, results);
    ExplainLine explain = new ExplainLine(spec());
    List<TimelineChart.Run> timelines = new ArrayList<>();
    watcher
        .timelines()
        .forEach(
            (policy, its) ->
                timelines.add(
                    new TimelineChart.Run(
                        policy.label(), its.timeline(), explain.template(policy.label()))));
    if (report.isWanted() || pictures.isWanted()) {
      Document page =
          new ComparisonDocument(comparison, results, summary, published)
              .addTo(new ExperimentPage(experiment, summary, results, timelines).page());
      report.addTo(files, () -> page);
      pictures.addTo(files, page);
    }
    jobs.addTo(files, results, false);
    trace.addTo(files, timelines);
    return new Runs(results, summary, watcher.lowest());
  }

  private static List<String> interrupted(String when) {
    return List.of(
        "interrupted %s. Nothing is stored: the same command starts again.".formatted(when),
        Interruption.FILES_UNCHANGED + " For long runs, berth experiment stores each run.");
  }

  private List<PublishedRun> published(Comparison comparison) {
    String workload = comparison.settings().scenario().workload().name();
    return run.isPublishedExperiment()
        ? PublishedResults.on(workload, comparison.policyIds())
        : List.of();
  }
}
