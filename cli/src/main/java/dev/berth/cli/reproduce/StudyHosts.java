package dev.berth.cli.reproduce;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.FormatNames;
import dev.berth.cli.input.InputFile;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.study.Study;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options for the hosts of studies that can run on others than their own. */
public final class StudyHosts {

  @Option(
      names = "--infrastructure",
      paramLabel = "[FORMAT:]FILE",
      arity = "1..*",
      description =
          "Hosts of your own, instead of those of google-samples: the study runs on each FILE. Put NAME "
              + "first. Formats: ${COMPLETION-CANDIDATES}.",
      completionCandidates = FormatNames.Infrastructures.class)
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--scale",
      paramLabel = "SHARE[,SHARE...]",
      hideParamSyntax = true,
      split = ",",
      description =
          "Shares of the hosts' capacity, in (0, 10], instead of those of google-samples; hosts are removed "
              + "or added at random. Default 1,0.9,0.8 of the peak demand N, and 1 with --infrastructure.")
  private List<Double> scales = new ArrayList<>();

  /** Returns whether no option was given. */
  public boolean arePublished() {
    return files.isEmpty() && scales.isEmpty();
  }

  /**
   * Returns the hosts.
   *
   * @param chosen the studies that run
   * @throws BadInputException if a study cannot run on other hosts, or an option is out of range
   */
  public Study.Hosts checked(List<Study> chosen) {
    if (arePublished()) {
      return Study.Hosts.PUBLISHED;
    }
    String option = files.isEmpty() ? "--scale" : "--infrastructure";
    for (Study each : chosen) {
      BadInputException.unless(
          each.takesHosts(),
          "%s was given, but %s runs on its own hosts. Maybe name google-samples alone."
              .formatted(option, each.name()));
    }
    BadInputException.unless(
        scales.stream().allMatch(each -> each > 0 && each <= ExperimentSpec.MOST_SCALE)
            && scales.stream().distinct().count() == scales.size(),
        "--scale was %s, must be different shares in (0, %s]."
            .formatted(scales, ExperimentSpec.MOST_SCALE));
    BadInputException.unless(
        files.stream().distinct().count() == files.size(),
        "--infrastructure was %s, must name different files.".formatted(String.join(" ", files)));
    return new Study.Hosts(files.stream().map(StudyHosts::absolute).toList(), scales);
  }

  /** Returns a location whose path does not depend on the folder of the study's input. */
  private static String absolute(String location) {
    int colon = location.indexOf(':');
    Path whole = InputFile.path(location, "--infrastructure");
    return colon > 0 && !Files.exists(whole)
        ? location.substring(0, colon + 1) + Path.of(location.substring(colon + 1)).toAbsolutePath()
        : whole.toAbsolutePath().toString();
  }
}
