package dev.berth.cli.option;

import dev.berth.cli.terminal.BadInputException;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.Study.Input;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the experiments that are to be made find what they need. */
public final class StudyInputs {

  private final @Nullable Path data;
  private final Map<String, String> paths = new LinkedHashMap<>(); // by name of the experiment

  private StudyInputs(@Nullable Path data) {
    this.data = data;
  }

  /**
   * Finds everything, before anything is run.
   *
   * @param chosen the experiments
   * @param log what they need, whatever its name is, or null
   * @param data a folder in which it has the name that the experiment calls it, or null
   * @param all whether experiments whose input is not there are left out, instead of refused
   * @throws BadInputException if something is missing, or given and not needed
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

  /** One log cannot be that of two machines, and is not to be passed over in silence. */
  private static void check(List<Study> chosen, @Nullable String log, @Nullable Path data) {
    List<String> needed =
        chosen.stream()
            .flatMap(each -> each.input().stream())
            .map(Input::toString)
            .distinct()
            .toList();
    if (log != null && data != null) {
      throw new BadInputException("--log and --data were both given, must be one of them.");
    }
    if (needed.isEmpty() && (log != null || data != null)) {
      throw new BadInputException(
          "--%s was \"%s\", but no experiment that was named needs anything of it."
              .formatted(log == null ? "data" : "log", log == null ? data : log));
    }
    if (log != null && needed.size() > 1) {
      throw new BadInputException(
          "--log was \"%s\", but the experiments need different logs: %s. Maybe put them into a folder, for --data."
              .formatted(log, String.join("; ", needed)));
    }
    if (log != null) {
      requireThere(log);
    }
  }

  private static void requireThere(String log) {
    try {
      if (Files.exists(Path.of(log))) {
        return;
      }
    } catch (InvalidPathException malformed) {
      throw new BadInputException("--log: \"%s\" is no path.".formatted(log), malformed);
    }
    throw new BadInputException("--log: \"%s\" does not exist.".formatted(log));
  }

  private String missing(Study experiment) {
    return data == null
        ? "%s needs %s. Maybe add --log FILE, or --data DIR."
            .formatted(experiment.name(), experiment.input().orElseThrow())
        : "%s needs %s, which is not in --data \"%s\", nor up to four levels below."
            .formatted(experiment.name(), experiment.input().orElseThrow(), data);
  }

  /** Returns the path of what an experiment reads, empty if it reads nothing; absent: skip it. */
  public Optional<String> path(Study experiment) {
    return Optional.ofNullable(paths.get(experiment.name()));
  }

  /** Returns the line that says why an experiment was skipped. */
  public String skipped(Study experiment) {
    return "%s: skipped, it needs %s%s"
        .formatted(
            experiment.name(),
            experiment.input().orElseThrow(),
            data == null ? ". Maybe add --data DIR." : ", which is not in \"%s\".".formatted(data));
  }
}
