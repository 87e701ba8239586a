package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.journal.RecordedJournal;
import dev.berth.test.Chromium;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages that commands write have no defect in a browser. */
class PagesInBrowserTest {

  @TempDir private Path folder;

  @BeforeEach
  void requireABrowser() {
    Chromium.require();
  }

  private void opens(String... command) throws Exception {
    Path report = folder.resolve("report");
    String[] all = java.util.Arrays.copyOf(command, command.length + 2);
    all[command.length] = "--report";
    all[command.length + 1] = report.toString();
    Cli.Result result = Cli.run(all);
    assertThat(result.exitCode()).as(result.err()).isZero();
    ReportBrowser.requireAllDrawn(report.resolve("index.html"), folder);
  }

  @Test
  void comparison() throws Exception {
    opens("compare", "--workload", "validation-1", "--until", "12m");
  }

  @Test
  void studies() throws Exception {
    opens("reproduce", "memic-1");
  }

  @Test
  void replayOfJournal() throws Exception {
    Path journal = RecordedJournal.story(folder.resolve("journal"), "priority");
    opens("replay", journal.toString());
  }
}
