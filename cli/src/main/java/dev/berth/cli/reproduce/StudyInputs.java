package dev.berth.cli.reproduce;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.InputFile;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.Study.Input;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The inputs of studies, located before any study runs. */
public final class StudyInputs {

  private final @Nullable Path data;
  private final Map<String, String> paths = new LinkedHashMap<>(); // by name of the experiment

  private StudyInputs(@Nullable Path data) {
    this.data = data;
  }

  /**
   * Finds the inputs.
   *
   * @param chosen the studies
   * @param log their input, under any name, or null
   * @param data folder that has the inputs under their names, or null
   * @param all whether studies without their input are skipped instead of refused
   * @throws BadInputException if an input is missing, or given but not needed
   */
  public static StudyInputs of(
      List<Study> chosen, @Nullable String log, @Nullable Path data, boolean all) {
    check(chosen, log, data);
    StudyInputs inputs = new StudyInputs(data);
    Optional<DataFolder> folder = Optional.ofNullable(data).map(DataFolder::open);
    for (Study each : chosen) {
      Optional<String> path =
          each.input().isEmpty()
              ? Optional.of("")
              : log == null
                  ? folder.flatMap(it -> it.find(each.input().get())).map(Path::toString)
                  : Optional.of(log);
      path.ifPresent(it -> inputs.paths.put(each.name(), it));
      if (path.isEmpty() && !all) {
        throw new BadInputException(inputs.missing(each));
      }
    }
    return inputs;
  }

  /** Refuses inputs that no study needs, and one log for studies with different inputs. */
  private static void check(List<Study> chosen, @Nullable String log, @Nullable Path data) {
    List<String> needed =
        chosen.stream()
            .flatMap(each -> each.input().stream())
            .map(Input::toString)
            .distinct()
            .toList();
    BadInputException.unless(
        log == null || data == null, "--log and --data were both given, must be one of them.");
    BadInputException.unless(
        !needed.isEmpty() || (log == null && data == null),
        "--%s was \"%s\", but none of the named studies needs input."
            .formatted(log == null ? "data" : "log", log == null ? data : log));
    BadInputException.unless(
        log == null || needed.size() <= 1,
        "--log was \"%s\", but the studies need different inputs: %s. Maybe use --data with a folder that has them."
            .formatted(log, String.join("; ", needed)));
    BadInputException.unless(
        log == null || Files.exists(InputFile.path(log, "--log")),
        "--log: \"%s\" does not exist.".formatted(log));
  }

  private String missing(Study experiment) {
    return data == null
        ? "%s needs %s. Maybe add --log FILE, or --data DIR."
            .formatted(experiment.name(), experiment.input().orElseThrow())
        : "%s needs %s, which is not in --data \"%s\", nor up to four levels below."
            .formatted(experiment.name(), experiment.input().orElseThrow(), data);
  }

  /** Returns the path of the input, {@code ""} if the study needs none; empty: skip it. */
  public Optional<String> path(Study experiment) {
    return Optional.ofNullable(paths.get(experiment.name()));
  }

  /** Returns why a study was skipped, one line. */
  public String skipped(Study experiment) {
    return "%s: skipped, it needs %s%s"
        .formatted(
            experiment.name(),
            experiment.input().orElseThrow(),
            data == null ? ". Maybe add --data DIR." : ", which is not in \"%s\".".formatted(data));
  }
}
