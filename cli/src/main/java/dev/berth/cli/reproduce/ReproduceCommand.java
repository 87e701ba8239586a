package dev.berth.cli.reproduce;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.InputFile;
import dev.berth.cli.input.SeedOption;
import dev.berth.cli.output.OutputFile;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.output.ReportTarget;
import dev.berth.cli.session.Policies;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.core.config.Durations;
import dev.berth.core.error.NearestName;
import dev.berth.experiments.studies.PublishedStudies;
import dev.berth.experiments.study.StudiesMarkdown;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyPage;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.CsvText;
import dev.berth.report.Document;
import dev.berth.report.render.TextRenderer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth reproduce}: reproduces published studies. */
@Command(
    name = "reproduce",
    header = "Reproduces published studies: published figures beside ours.",
    description = {
      "Without NAME, lists the studies, how long each takes on two cores, and the input that it"
          + " needs.",
      "",
      "With --report, the page has the studies so far and names the outstanding ones. With"
          + " --resume, an interrupted command resumes where it stopped."
    },
    footer = {
      "  berth reproduce",
      "  berth reproduce memic-2 memic-4 --csv series",
      "  berth reproduce queues-cea --log CEA-Curie-2011-2.1-cln.swf.gz",
      "  berth reproduce google-samples --log google2011-part0 --infrastructure hosts.csv --scale"
          + " 1,0.7",
      "  berth reproduce all --data logs --report page --resume results"
    })
public final class ReproduceCommand extends SessionCommand implements Runnable {

  private static final String ALL = "all";

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description =
          "Names of studies, or all. With all, studies whose input is missing are skipped.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description =
          "The input of the named studies: a log in the Standard Workload Format, gzipped or not,"
              + " or a folder. The list of studies shows which one.")
  private @Nullable String log;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Folder with the inputs of the studies, found by name, gzipped or not, at most four"
              + " levels deep. Replaces --log.")
  private @Nullable Path data;

  @Option(
      names = "--csv",
      paramLabel = "DIR",
      description = "Writes the series behind the tables to DIR, which is created if missing.")
  private @Nullable Path csv;

  @Mixin private StudyHosts hosts = new StudyHosts();

  @Mixin private ReportTarget report = new ReportTarget();

  @Option(
      names = "--markdown",
      paramLabel = "FILE",
      description =
          "Writes a summary of all claims and all studies with their notes to FILE. Studies that do"
              + " not run keep the results that FILE has.")
  private @Nullable Path markdown;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description =
          "Stores results of studies in DIR as they end, and reuses those that are there. Results"
              + " of other inputs, settings or versions are never reused.")
  private @Nullable Path stored;

  @Mixin private SeedOption seed = new SeedOption();

  @Override
  public void run() {
    PrintWriter out = out();
    List<Study> studies = PublishedStudies.all();
    if (names.isEmpty()) {
      studies.forEach(each -> out.println(listed(each)));
      return;
    }
    List<Study> chosen = chosen(studies);
    Study.Hosts others = hosts.checked(chosen);
    StudyInputs inputs = StudyInputs.of(chosen, log, data, names.contains(ALL));
    checkSeries();
    report.check();
    StudiesMarkdown document = earlier(studies, chosen, inputs);
    try (Policies policies = session().policies();
        StudyResults results = StudyResults.open(stored);
        ProgressDisplay display = session().progress()) {
      List<Study> runnable = chosen.stream().filter(each -> inputs.path(each).isPresent()).toList();
      Reproduction reproduction = new Reproduction(runnable, results, display, err());
      session().interruption().explain(() -> interrupted(reproduction));
      reproduction.begin(study -> setting(study, inputs, others, policies, reproduction));
      StudyPage page = new StudyPage(seed.value());
      boolean first = true;
      for (Study each : chosen) {
        if (!first) {
          out.println();
        }
        first = false;
        if (inputs.path(each).isEmpty()) {
          out.println(inputs.skipped(each));
        } else {
          StudyResult result = reproduction.run(each);
          new TextRenderer().lines(StudyPage.section(each, result)).forEach(out::println);
          document.put(each, result);
          page.add(each, result);
          write(result.series(), page.document(reproduction.outstanding()));
        }
        out.flush();
      }
    }
    if (markdown != null) {
      try (OutputFiles files = new OutputFiles()) {
        files.add(OutputFile.at(markdown, "--markdown"), document.render(studies));
        files.commit();
      }
    }
  }

  private Study.Setting setting(
      Study study,
      StudyInputs inputs,
      Study.Hosts others,
      Policies policies,
      Reproduction reproduction) {
    return new Study.Setting(
        policies.registry(),
        inputs.path(study).orElseThrow(),
        seed.value(),
        others,
        reproduction.listener(study),
        reproduction.steps(),
        reproduction.cells());
  }

  private List<String> interrupted(Reproduction reproduction) {
    List<String> lines = new ArrayList<>();
    lines.add("interrupted after %s.".formatted(reproduction.done()));
    lines.add(
        stored == null
            ? "Nothing is stored. With --resume DIR, the same command can resume where it stopped."
            : "Results are stored in \"%s\". The same command resumes there.".formatted(stored));
    if (report.isWanted() && reproduction.hasEnded()) {
      lines.add("The page of --report has these studies, and names the outstanding ones.");
    }
    return lines;
  }

  private List<Study> chosen(List<Study> studies) {
    if (!names.contains(ALL)) {
      return names.stream().distinct().map(each -> known(studies, each)).toList();
    }
    BadInputException.unless(
        names.stream().allMatch(ALL::equals),
        "NAME was \"%s\", must be %s alone, or names of studies."
            .formatted(String.join(" ", names), ALL));
    return studies;
  }

  private static Study known(List<Study> studies, String name) {
    List<String> known = studies.stream().map(Study::name).toList();
    BadInputException.unless(
        known.contains(name),
        "there is no study \"%s\". %s Or %s."
            .formatted(name, NearestName.hintAndList(name, known), ALL));
    return studies.get(known.indexOf(name));
  }

  private static String listed(Study study) {
    return "%-19s %s%s%s"
        .formatted(
            study.name(),
            study.title(),
            study.duration().map(each -> "; about " + Durations.format(each)).orElse(""),
            study.input().map(each -> "; needs " + each).orElse(""));
  }

  // ---- Files

  private void checkSeries() {
    if (csv == null) {
      return;
    }
    try {
      Files.createDirectories(csv);
    } catch (IOException impossible) {
      throw new BadInputException(
          "--csv \"%s\" is not a folder and cannot be created.".formatted(csv), impossible);
    }
  }

  /**
   * Writes the series of a study and the page so far, so that they exist even if a later study
   * fails.
   */
  private void write(List<CsvText> series, Document page) {
    try (OutputFiles files = new OutputFiles()) {
      for (CsvText each : series) {
        String name = each.name() + ".csv";
        report.addTo(files, name, each.toString());
        if (csv != null) {
          files.add(OutputFile.at(csv.resolve(name), "--csv"), each.toString());
        }
      }
      report.addTo(files, () -> page);
      files.commit();
    }
  }

  /**
   * Returns the results that the Markdown file has. Checks before any run that the new file will be
   * complete.
   */
  private StudiesMarkdown earlier(List<Study> studies, List<Study> chosen, StudyInputs inputs) {
    if (markdown == null) {
      return new StudiesMarkdown();
    }
    BadInputException.unless(
        seed.value() == SeedOption.DEFAULT,
        "--seed was %s, must be %s for --markdown: the commands in the file name no seed."
            .formatted(seed.value(), SeedOption.DEFAULT));
    BadInputException.unless(
        hosts.arePublished(),
        "--markdown takes no --infrastructure and no --scale: the commands in the file name"
            + " neither.");
    OutputFile.at(markdown, "--markdown");
    StudiesMarkdown document =
        Files.exists(markdown)
            ? StudiesMarkdown.parse(InputFile.text(markdown.toString(), "--markdown"))
            : new StudiesMarkdown();
    List<String> missing =
        studies.stream()
            .filter(each -> !document.has(each.name()))
            .filter(each -> !chosen.contains(each) || inputs.path(each).isEmpty())
            .map(Study::name)
            .toList();
    BadInputException.unless(
        missing.isEmpty(),
        "--markdown \"%s\" lacks the results of studies that do not run now: %s. Maybe run all, with --data DIR."
            .formatted(markdown, String.join(", ", missing)));
    return document;
  }
}
