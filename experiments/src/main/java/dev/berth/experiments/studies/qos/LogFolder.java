package dev.berth.experiments.studies.qos;

import dev.berth.core.config.Durations;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A folder with published logs, which are found by the beginning of their names. */
record LogFolder(Input folder, List<Input> members) {

  private static final String ENDING = "\\.dat(\\.[a-z0-9]+)?";

  /**
   * Lists a folder.
   *
   * @throws InputException if it is not a folder or may not be read
   */
  static LogFolder open(Input folder) {
    if (!folder.isFolder()) {
      throw folder.error(
          folder.exists() ? "is a file, must be a folder with logs" : "does not exist");
    }
    return new LogFolder(folder, folder.members());
  }

  /** Returns the name of the folder. */
  String name() {
    return folder.name();
  }

  /**
   * Returns a log, if it exists.
   *
   * @param name a regular expression for its name without the ending
   * @throws InputException if several files match
   */
  Optional<Input> find(String name) {
    Pattern pattern = Pattern.compile("(?:" + name + ")" + ENDING);
    List<Input> found =
        members.stream().filter(each -> pattern.matcher(each.name()).matches()).toList();
    if (found.size() > 1) {
      throw folder.error(
          "holds %s and %s, must hold only one of them"
              .formatted(found.get(0).name(), found.get(1).name()));
    }
    return found.stream().findFirst();
  }

  /**
   * Returns a log.
   *
   * @param name as {@link #find}
   * @param shown its name for the message
   * @throws InputException if none or several files match
   */
  Input require(String name, String shown) {
    return find(name).orElseThrow(() -> folder.error("must hold %s".formatted(shown)));
  }

  /**
   * Checks that the logs last long enough.
   *
   * @param length time from the first request to the last entry, in nanoseconds
   * @param until when our runs end, in nanoseconds
   * @throws InputException if the logs end before
   */
  void requireUntil(long length, long until) {
    if (length < until) {
      throw folder.error(
          "holds logs of %s, must last as long as the runs, %s"
              .formatted(text(length), text(until)),
          "set --until %s".formatted(text(length)));
    }
  }

  private static String text(long nanos) {
    return Durations.format(Duration.ofNanos(nanos));
  }
}
