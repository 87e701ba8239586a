package dev.berth.cli.command;

import dev.berth.cli.option.Inputs;
import dev.berth.cli.option.Policies;
import dev.berth.cli.option.StudyInputs;
import dev.berth.cli.output.OutputFile;
import dev.berth.cli.output.ReportTarget;
import dev.berth.cli.terminal.BadInputException;
import dev.berth.cli.terminal.ErrorReport;
import dev.berth.cli.terminal.ExitCode;
import dev.berth.cli.terminal.RunFailedException;
import dev.berth.experiments.output.CsvText;
import dev.berth.experiments.studies.PublishedStudies;
import dev.berth.experiments.studies.qos.SamplesStudy;
import dev.berth.experiments.study.StudiesDocument;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code berth reproduce}: published experiments, made again. */
@Command(
    name = "reproduce",
    header = "Makes published experiments again: published figures beside ours.",
    description = "Without NAME, lists the experiments and what they need.",
    footer = {
      "  berth reproduce",
      "  berth reproduce memic-2 memic-4 --csv series",
      "  berth reproduce queues-cea --log CEA-Curie-2011-2.1-cln.swf.gz",
      "  berth reproduce all --data logs --report page"
    })
public final class ReproduceCommand implements Callable<Integer> {

  private static final long DEFAULT_SEED = 1;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private Session session;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description =
          "Names of experiments, or all: then those are skipped of which what they need is not "
              + "there.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description =
          "What the experiments that are named need, which the list tells: the log of a real machine "
              + "in the Standard Workload Format, gzipped or not, or a folder.")
  private @Nullable String log;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "A folder in which each experiment finds what it needs by its name, gzipped or not, at "
              + "most four levels deep; instead of --log.")
  private @Nullable Path data;

  @Option(
      names = "--csv",
      paramLabel = "DIR",
      description =
          "Writes the series behind the tables to DIR, which is made if it is missing, too.")
  private @Nullable Path csv;

  @Mixin private ReportTarget report = new ReportTarget();

  @Option(
      names = "--markdown",
      paramLabel = "FILE",
      description =
          "Writes all experiments, with what is to be said of them, to FILE, too. Of those that are "
              + "not run now FILE keeps what it has.")
  private @Nullable Path markdown;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "" + DEFAULT_SEED,
      description = "Seed of everything that is left to chance; default ${DEFAULT-VALUE}.")
  private long seed;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (names.isEmpty()) {
      PublishedStudies.all().forEach(each -> out.println(listed(each)));
      return ExitCode.DONE;
    }
    List<Study> chosen = Inputs.checked(() -> PublishedStudies.named(names));
    StudyInputs inputs =
        StudyInputs.of(chosen, log, data, names.contains(PublishedStudies.ALL));
    checkSeries();
    report.check();
    Map<String, String> printed = printedBefore(chosen, inputs);
    StudyPage page = new StudyPage(seed);
    try (Policies policies = session.policies()) {
      boolean first = true;
      for (Study each : chosen) {
        if (!first) {
          out.println();
        }
        first = false;
        Optional<String> input = inputs.path(each);
        if (input.isEmpty()) {
          out.println(inputs.skipped(each));
        } else {
          Study.Report made =
              each.run(
                  new Study.Setting(
                      policies.registry(),
                      input.get(),
                      seed,
                      session.experimentWatcher(SamplesStudy.threads(), err)));
          made.lines().forEach(out::println);
          for (CsvText series : made.series()) {
            write(series);
            report.keep(series.name() + ".csv", series.toString());
          }
          printed.put(each.name(), String.join("\n", made.lines()));
          page.add(each, made);
        }
        out.flush();
      }
    }
    report.write(page::page);
    writeMarkdown(printed);
    return ExitCode.DONE;
  }

  private static String listed(Study experiment) {
    return "%-18s %s%s"
        .formatted(
            experiment.name(),
            experiment.title(),
            experiment.input().map(each -> "; needs " + each).orElse(""));
  }

  // ---- What is written

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

  /**
   * Returns what the document has of before, and checks before anything is run that nothing will be
   * missing in it.
   *
   * @param chosen what is run now, or skipped
   */
  private Map<String, String> printedBefore(List<Study> chosen, StudyInputs inputs) {
    if (markdown == null) {
      return new LinkedHashMap<>();
    }
    if (seed != DEFAULT_SEED) {
      throw new BadInputException(
          "--seed was %s, must be %s for --markdown: the commands in it name none."
              .formatted(seed, DEFAULT_SEED));
    }
    OutputFile.at(markdown, "--markdown");
    Map<String, String> printed;
    try {
      printed =
          Files.exists(markdown)
              ? StudiesDocument.printed(Files.readString(markdown))
              : new LinkedHashMap<>();
    } catch (IOException unreadable) {
      throw new BadInputException(
          "--markdown \"%s\" is there and cannot be read: %s"
              .formatted(markdown, ErrorReport.describe(unreadable)),
          unreadable);
    }
    List<String> missing =
        PublishedStudies.all().stream()
            .filter(each -> !printed.containsKey(each.name()))
            .filter(each -> !chosen.contains(each) || inputs.path(each).isEmpty())
            .map(Study::name)
            .toList();
    if (!missing.isEmpty()) {
      throw new BadInputException(
          "--markdown \"%s\" lacks what these print, which are not run now: %s. Maybe name all, with --data DIR."
              .formatted(markdown, String.join(", ", missing)));
    }
    return printed;
  }

  private void writeMarkdown(Map<String, String> printed) {
    if (markdown == null) {
      return;
    }
    try {
      OutputFile.at(markdown, "--markdown")
          .write(StudiesDocument.of(PublishedStudies.all(), printed));
    } catch (IOException failure) {
      throw new RunFailedException(
          "--markdown \"%s\" cannot be written: %s"
              .formatted(markdown, ErrorReport.describe(failure)),
          failure);
    }
  }
}
