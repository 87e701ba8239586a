package dev.berth.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code berth reproduce}: published experiments, made again. */
@Command(
    name = "reproduce",
    header = "Makes published experiments again: published figures beside ours.",
    description =
        "Without NAME, lists the experiments. The two validations of the QoS-driven scheduling "
            + "paper are made by 'berth compare'.",
    footer = {
      "  berth reproduce",
      "  berth reproduce memic-2 memic-4 --csv series",
      "  berth reproduce queues-cea --log CEA-Curie-2011-2.1-cln.swf.gz"
    })
final class ReproduceCommand implements Callable<Integer> {

  private static final List<Reproduction> EXPERIMENTS =
      List.of(
          MemoryExperiment.first(),
          MemoryExperiment.second(),
          MemoryExperiment.fourth(),
          new SensitivityExperiment(),
          QueueExperiment.cea(),
          QueueExperiment.hpc2n(),
          QueueExperiment.zewura(),
          QueueExperiment.molding(),
          ElasticTables.first(),
          ElasticTables.second(),
          new ElasticSweep(),
          new ElasticTrace(),
          new MetaExperiment());

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private Berth berth;

  @Parameters(paramLabel = "NAME", arity = "0..*", description = "Names of experiments.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description =
          "The log of a real machine, for the experiments that need one: Standard Workload Format, "
              + "gzipped or not.")
  private @Nullable String log;

  @Option(
      names = "--csv",
      paramLabel = "DIR",
      description =
          "Writes the series behind the tables to DIR, which is made if it is missing, too.")
  private @Nullable Path csv;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of everything that is left to chance; default ${DEFAULT-VALUE}.")
  private long seed;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (names.isEmpty()) {
      EXPERIMENTS.forEach(each -> out.println("%-18s %s".formatted(each.name(), each.title())));
      return ExitCode.DONE;
    }
    List<Reproduction> chosen = names.stream().map(this::find).toList();
    checkLog(chosen);
    checkSeries();
    try (Policies policies = berth.policies()) {
      Reproduction.Setting setting =
          new Reproduction.Setting(policies.registry(), log == null ? "" : log, seed);
      boolean first = true;
      for (Reproduction each : chosen) {
        Reproduction.Report report = each.run(setting);
        if (!first) {
          out.println();
        }
        first = false;
        report.lines().forEach(out::println);
        out.flush();
        for (CsvText series : report.series()) {
          write(series);
        }
      }
    }
    return ExitCode.DONE;
  }

  private Reproduction find(String name) {
    Reproduction found =
        EXPERIMENTS.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new BadInputException(
                        "there is no experiment \"%s\". Known: %s."
                            .formatted(
                                name,
                                EXPERIMENTS.stream()
                                    .map(Reproduction::name)
                                    .collect(Collectors.joining(", ")))));
    if (!found.log().isEmpty() && log == null) {
      throw new BadInputException(
          "%s needs the log of a real machine: %s. Maybe add --log FILE."
              .formatted(name, found.log()));
    }
    return found;
  }

  /** One log cannot be that of two machines, and is not to be passed over in silence. */
  private void checkLog(List<Reproduction> chosen) {
    List<String> logs =
        chosen.stream().map(Reproduction::log).filter(each -> !each.isEmpty()).distinct().toList();
    if (logs.size() > 1) {
      throw new BadInputException(
          "the experiments need different logs: %s. Maybe make one after the other."
              .formatted(String.join("; ", logs)));
    }
    if (log != null && logs.isEmpty()) {
      throw new BadInputException(
          "--log was \"%s\", but no experiment that was named needs a log.".formatted(log));
    }
  }

  private void checkSeries() {
    if (csv == null) {
      return;
    }
    try {
      Files.createDirectories(csv);
    } catch (IOException impossible) {
      throw new BadInputException(
          "--csv \"%s\" is no folder and cannot be made one.".formatted(csv), impossible);
    }
  }

  private void write(CsvText series) {
    if (csv == null) {
      return;
    }
    Path file = csv.resolve(series.name() + ".csv");
    try {
      OutputFile.at(file, "--csv").write(series.toString());
    } catch (IOException failure) {
      throw new RunFailedException(
          "--csv \"%s\" cannot be written: %s".formatted(file, ErrorReport.describe(failure)),
          failure);
    }
  }
}
