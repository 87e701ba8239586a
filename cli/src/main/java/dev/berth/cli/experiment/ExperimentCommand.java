package dev.berth.cli.experiment;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ErrorReport;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.input.InputFile;
import dev.berth.cli.output.JobsTarget;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.output.ParquetTarget;
import dev.berth.cli.output.ReportTarget;
import dev.berth.cli.session.Policies;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.Interruption;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.core.error.ConfigException;
import dev.berth.experiments.cluster.Cluster;
import dev.berth.experiments.cluster.ClusterCells;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.page.ExperimentPage;
import dev.berth.experiments.page.SummaryDocument;
import dev.berth.experiments.page.SummaryJson;
import dev.berth.experiments.run.CellExecutor;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.LocalCells;
import dev.berth.experiments.run.Shard;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.store.CellStore;
import dev.berth.traces.FileKind;
import dev.berth.traces.input.Input;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth experiment}: runs policies over workloads, hosts, scales and seeds. */
@Command(
    name = "experiment",
    header = "Runs an experiment: policies over workloads, hosts, scales and seeds.",
    description =
        "FILE is JSON: workloads, infrastructures, scales, policies, seeds and metrics. Each "
            + "combination runs once, and its result is stored when it ends. After an interruption "
            + "the same command resumes where it stopped. Results of other inputs, settings or "
            + "versions are never reused.",
    footer = {
      "  berth experiment samples.json",
      "  berth experiment samples.json --parallel 2 --report page",
      "  berth experiment samples.json --resume /var/tmp/cells --json outcome.json",
      "  berth experiment samples.json --jobs jobs.csv.gz",
      "  berth experiment samples.json --shard 3/16 --resume cells-3",
      "  berth experiment samples.json --spark spark://host:7077"
    })
public final class ExperimentCommand extends SessionCommand implements Callable<Integer> {

  private static final String SUFFIX = ".json";
  private static final String RESUMES = " The same command then resumes where it stopped.";

  @Parameters(
      paramLabel = "FILE",
      description = "The experiment. Paths in it are relative to its folder.")
  private String file = "";

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "Number of runs at a time; default: one for each processor. Does not affect results.")
  private @Nullable Integer parallel;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description =
          "Stores and reuses results of runs here; default: FILE's name with .cells, beside it.")
  private @Nullable Path cells;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description =
          "Runs and stores part I of N, for N machines, each with a folder of its own. Copy all "
              + "files of these folders into one: the command with --resume, without --shard, "
              + "prints the results.")
  private @Nullable Shard shard;

  @Mixin private SparkTarget spark = new SparkTarget();
  @Mixin private ReportTarget report = new ReportTarget();
  @Mixin private JsonTarget json = new JsonTarget();
  @Mixin private ParquetTarget parquet = new ParquetTarget();
  @Mixin private JobsTarget jobs = new JobsTarget();

  @Override
  public Integer call() {
    json.check();
    report.check();
    parquet.check();
    jobs.check();
    BadInputException.unless(
        parallel == null || parallel >= 1,
        "--parallel was %s, must be 1 or more.".formatted(parallel));
    BadInputException.unless(
        shard == null || !(json.isWanted() || report.isWanted()),
        "--json and --report need the results of all runs, --shard %s has those of a part."
            .formatted(shard));
    spark.check(parallel);
    Path path = InputFile.require(file, "FILE");
    try (Policies policies = session().policies()) {
      Experiment experiment = load(path, policies);
      try (CellStore store = store();
          OutputFiles files = new OutputFiles()) {
        List<CellResult> results = run(experiment, executor(path, policies), store);
        jobs.addTo(files, results, true);
        parquet.addTo(files, results);
        if (shard == null) {
          addAll(experiment, results, files);
        } else {
          out().println(ofShard(shard, results));
        }
        files.commit();
        return session().errors().failedRuns(results, err());
      }
    } catch (UncheckedIOException failure) {
      throw new RunFailedException(
          "inputs cannot be read or results cannot be stored: %s"
              .formatted(sentence(Objects.requireNonNull(failure.getCause())) + RESUMES),
          failure);
    } catch (IOException failure) {
      throw new RunFailedException(
          "results cannot be stored: " + sentence(failure) + RESUMES, failure);
    }
  }

  private void addAll(Experiment experiment, List<CellResult> results, OutputFiles files) {
    Summary summary = Summary.withBounds(experiment, results);
    report.addTo(files, () -> new ExperimentPage(experiment, summary, results).page());
    json.addTo(
        files,
        out(),
        () -> session().text().render(new SummaryDocument(experiment, summary, results).build()),
        SummaryJson.of(experiment, summary, results));
  }

  /** Returns what there is of a shard; a summary needs all runs. */
  private String ofShard(Shard part, List<CellResult> results) {
    Set<Object> all = new HashSet<>(); // cells that are the same share what is stored
    Set<Object> stored = new HashSet<>();
    for (CellResult each : results) {
      each.stored().ifPresent(stored::add);
      each.failed().ifPresent(all::add);
    }
    all.addAll(stored);
    return "shard %s: %s of %s runs are stored in \"%s\"."
        .formatted(part, stored.size(), all.size(), folder());
  }

  /** Returns where the runs take place: on Spark, or on threads of this process. */
  private CellExecutor executor(Path path, Policies policies) {
    Optional<Cluster> cluster = spark.cluster();
    if (cluster.isPresent()) {
      String text = InputFile.text(file, "FILE");
      return new ClusterCells(cluster.get(), path.toString(), text, parent(path), policies.jars());
    }
    return new LocalCells(parallel == null ? Runtime.getRuntime().availableProcessors() : parallel);
  }

  private List<CellResult> run(Experiment experiment, CellExecutor executor, CellStore store) {
    try (ProgressDisplay display = session().progress()) {
      ExperimentWatcher watcher = new ExperimentWatcher(display, err(), experiment.name());
      session().interruption().explain(() -> interrupted(watcher));
      return new ExperimentRunner(store, executor, watcher, jobs.isWanted())
          .run(experiment, shard == null ? Shard.WHOLE : shard);
    }
  }

  private List<String> interrupted(ExperimentWatcher watcher) {
    return List.of(
        "interrupted. %s are stored in \"%s\".".formatted(watcher.stored(), folder()),
        "The same command resumes there. " + Interruption.FILES_UNCHANGED);
  }

  private static String sentence(IOException failure) {
    String reason = ErrorReport.reason(failure);
    return reason.endsWith(".") ? reason : reason + ".";
  }

  private Experiment load(Path path, Policies policies) {
    try {
      Path folder = parent(path);
      String text = InputFile.text(file, "FILE");
      ExperimentSpec wanted =
          ExperimentSpec.parse(path.toString(), text, folder, policies.registry());
      return ExperimentLoader.load(wanted, folder, policies.registry());
    } catch (ConfigException wrong) {
      requireExperiment(path);
      throw BadInputException.of("experiment %s: ".formatted(path), wrong);
    }
  }

  private static Path parent(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? path.toAbsolutePath() : parent;
  }

  /** Refuses a file that holds something else, which other commands and options take. */
  private static void requireExperiment(Path path) {
    Input input = Input.of(path.toString());
    FileKind kind = FileKind.of(input).orElse(FileKind.EXPERIMENT);
    if (kind != FileKind.EXPERIMENT) {
      throw kind.insteadOf(FileKind.EXPERIMENT, input);
    }
  }

  private CellStore store() {
    Path folder = folder();
    try {
      return CellStore.open(folder);
    } catch (IOException impossible) {
      throw new BadInputException(
          "results cannot be stored in \"%s\": %s. Maybe name another folder with --resume DIR."
              .formatted(folder, ErrorReport.reason(impossible)),
          impossible);
    }
  }

  private Path folder() {
    return Optional.ofNullable(cells).orElseGet(() -> beside(Path.of(file)));
  }

  private static Path beside(Path path) {
    String name = String.valueOf(path.getFileName());
    String stem = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    return path.resolveSibling(stem + ".cells");
  }
}
