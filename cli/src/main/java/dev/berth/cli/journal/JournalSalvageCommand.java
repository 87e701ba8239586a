package dev.berth.cli.journal;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ErrorReport;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.input.InputFile;
import dev.berth.cli.session.SessionCommand;
import dev.berth.core.error.Printable;
import dev.berth.runtime.Replay;
import dev.berth.runtime.Salvage;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth journal salvage}: copies what can be replayed. */
@Command(
    name = "salvage",
    header = "Copies a journal up to the first pass that is planned differently now.",
    description =
        "For a scheduler that does not start, because a pass differs from its journal. Prints what "
            + "the copy lacks: a scheduler that starts from it asks its fleet about that. The journal "
            + "stays as it is.",
    footer = {
      "  berth journal salvage journal/",
      "  berth journal salvage journal/ --to salvaged/ --plugins build/libs"
    })
final class JournalSalvageCommand extends SessionCommand implements Runnable {

  private static final int MOST_NAMES = 20;

  @Mixin private JournalParameter parameter = new JournalParameter();

  @Option(
      names = "--to",
      paramLabel = "FOLDER",
      description = "Folder of the copy, new or empty; default: JOURNAL-salvaged.")
  private @Nullable String to;

  @Override
  public void run() {
    JournalFolder folder = parameter.folder();
    Path path = folder.path().toAbsolutePath().normalize();
    Path target =
        to == null
            ? path.resolveSibling(path.getFileName() + "-salvaged")
            : InputFile.path(to, "--to").toAbsolutePath().normalize();
    Salvage salvage =
        new JournalReplay(folder, session(), err())
            .run(replay -> salvage(replay, target))
            .orElseThrow(
                () ->
                    new BadInputException(
                        folder.problem(
                            "replays as recorded up to its end, so there is nothing to salvage.")));
    out().printf("%s%n", Printable.line(salvage.why()));
    out().printf("%s: %s records were copied%n", target, salvage.kept());
    out()
        .printf(
            "left out: %s records, %s of them passes, from %s on (%s ns)%n",
            salvage.leftOut(),
            salvage.passes(),
            Instant.EPOCH.plusNanos(salvage.since()),
            salvage.since());
    print("instances", salvage.instances());
    print("actions carried out or rejected", salvage.actions());
  }

  private static Optional<Salvage> salvage(Replay replay, Path target) throws IOException {
    try {
      return replay.salvage(target);
    } catch (FileAlreadyExistsException taken) {
      throw new BadInputException(
          "--to: \"%s\" exists, must be new or an empty folder.".formatted(taken.getFile()), taken);
    } catch (FileSystemException failed) {
      if (String.valueOf(failed.getFile()).startsWith(target.toString())) {
        throw new RunFailedException(
            "--to: \"%s\" cannot be written: %s".formatted(target, ErrorReport.reason(failed)),
            failed);
      }
      throw failed;
    }
  }

  private void print(String what, Collection<?> values) {
    out()
        .printf(
            "  %s %s%s%s%n",
            values.size(),
            what,
            values.isEmpty() ? "" : ": ",
            Printable.line(
                values.stream()
                        .limit(MOST_NAMES)
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "))
                    + (values.size() > MOST_NAMES ? ", …" : "")));
  }
}
