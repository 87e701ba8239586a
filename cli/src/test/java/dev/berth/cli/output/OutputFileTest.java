package dev.berth.cli.output;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.error.BadInputException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {

  @TempDir private Path folder;

  @Test
  void refusesFoldersAndMissingParents() {
    assertThatThrownBy(() -> OutputFile.at(folder, "--json"))
        .isInstanceOf(BadInputException.class)
        .hasMessage("--json: \"%s\" is a directory, must be a file to write.", folder);
    Path missing = folder.resolve("missing/outcome.json");
    assertThatThrownBy(() -> OutputFile.at(missing, "--json"))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "--json: \"%s\": folder \"%s\" does not exist. Maybe create it first.",
            missing, missing.getParent());
  }
}
