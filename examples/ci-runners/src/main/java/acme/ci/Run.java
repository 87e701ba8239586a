package acme.ci;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;

import dev.berth.api.Resources;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * A start of a job, as a folder. It has the name of the action that began it: the number of an
 * attempt may be used again once its action was taken back.
 *
 * <table>
 *   <caption>Its files</caption>
 *   <tr><td>{@code start}, {@code command}</td><td>written by the fleet before the start</td></tr>
 *   <tr><td>{@code pid}</td><td>the process and when it began, written by the runner; or a dash, by
 *       which the fleet prevents that it begins</td></tr>
 *   <tr><td>{@code stop}</td><td>why the fleet stops it; written before the first signal</td></tr>
 *   <tr><td>{@code exit}</td><td>the exit code and when it ended; written by the runner</td></tr>
 * </table>
 *
 * <p>Each is written as a whole, so a kill at any moment leaves all of it or nothing.
 *
 * @param folder where it is now: on its host, or with those that are gone
 */
record Run(Path folder, ActionId id, Attempt attempt, String host, Resources amounts) {

  /** The exit code of a job that is to be tried again: EX_TEMPFAIL. */
  static final int TRY_AGAIN = 75;

  /** How a job began: its processes, and when in nanoseconds since 1970. */
  record Began(ProcessGroup processes, long at) {}

  /** How a job ended by itself, and when in nanoseconds since 1970. */
  record Exit(int code, long at) {

    boolean isFinal() {
      return code != TRY_AGAIN;
    }
  }

  static String name(ActionId id) {
    return id.pass() + "-" + id.index();
  }

  static ActionId id(String name) {
    String[] numbers = name.split("-");
    return new ActionId(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
  }

  String instance() {
    return attempt.instance();
  }

  /** Writes a run as a whole: it is there with all its files or not at all. */
  static Run write(
      Path hosts, ActionId id, Attempt attempt, String host, Resources amounts, String command) {
    try {
      Path folder = hosts.resolve(host).resolve(name(id));
      Path draft = Files.createTempDirectory(hosts.getParent().resolve("drafts"), name(id));
      String start =
          "%s\n%d\n%s\n%d\n%d\n"
              .formatted(
                  attempt.instance(),
                  attempt.number(),
                  host,
                  amounts.amount(CPU),
                  amounts.amount(MEMORY));
      Files.writeString(draft.resolve("start"), start);
      Files.writeString(draft.resolve("command"), command);
      Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
      return new Run(folder, id, attempt, host, amounts);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Reads all runs in a folder. */
  static List<Run> readAll(Path parent) {
    try (var folders = Files.list(parent)) {
      return folders.filter(Files::isDirectory).sorted().map(Run::read).toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Run read(Path folder) {
    try {
      List<String> start = Files.readAllLines(folder.resolve("start"));
      return new Run(
          folder,
          id(folder.getFileName().toString()),
          new Attempt(start.get(0), Integer.parseInt(start.get(1))),
          start.get(2),
          Resources.of(CPU, Long.parseLong(start.get(3)), MEMORY, Long.parseLong(start.get(4))));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  Optional<Began> began() {
    return words("pid")
        .filter(it -> it.length > 1)
        .map(
            it ->
                new Began(
                    new ProcessGroup(Long.parseLong(it[0]), Long.parseLong(it[1])),
                    Long.parseLong(it[2])));
  }

  Optional<Exit> exit() {
    return words("exit").map(it -> new Exit(Integer.parseInt(it[0]), Long.parseLong(it[1])));
  }

  /** Returns why it is stopped; empty if it is not. */
  Optional<String> stop() {
    return words("stop").map(it -> it[0]);
  }

  private Optional<String[]> words(String file) {
    try {
      return Optional.of(Files.readString(folder.resolve(file)).strip().split(" "));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  void noteStop(String why) {
    write("stop", why);
  }

  void forgetStop() {
    try {
      Files.deleteIfExists(folder.resolve("stop"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Returns whether no runner has begun it, so that from now on none can. */
  boolean preventsBegin() {
    write("prevented", "-");
    try {
      Files.createLink(folder.resolve("pid"), folder.resolve("prevented"));
      return true;
    } catch (FileAlreadyExistsException begun) {
      return began().isEmpty(); // prevented before
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void write(String file, String content) {
    try {
      Path draft = Files.writeString(folder.resolve(file + ".new"), content);
      Files.move(draft, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Moves its folder; what its processes still write follows. */
  Run moveTo(Path parent) {
    try {
      Path moved = Files.move(folder, parent.resolve(name(id)), StandardCopyOption.ATOMIC_MOVE);
      return new Run(moved, id, attempt, host, amounts);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
