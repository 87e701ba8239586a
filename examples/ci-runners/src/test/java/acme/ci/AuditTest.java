package acme.ci;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Resources;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit finds what must not be. */
class AuditTest {

  @TempDir private Path root;

  @BeforeEach
  void makeFolders() throws IOException {
    Main.addHosts(root); // h1 has one core, h2 two
    Files.createDirectories(root.resolve("gone"));
    Files.createDirectories(root.resolve("drafts"));
  }

  @Test
  void findsNothingIfAllIsWell() throws IOException {
    run(1, "a", "h1", 1, 0, 10, Run.TRY_AGAIN);
    run(2, "a", "h1", 1, 10, 20, 0);
    run(3, "b", "h2", 2, 5, 15, 0);

    assertThat(Audit.of(root, List.of("a", "b"))).isEmpty();
  }

  @Test
  void findsAJobThatIsLost() throws IOException {
    run(1, "a", "h1", 1, 0, 10, Run.TRY_AGAIN);

    assertThat(Audit.of(root, List.of("a")))
        .containsExactly("a was submitted and completed 0 times");
  }

  @Test
  void findsAJobThatRanTwiceAtOnce() throws IOException {
    run(1, "a", "h1", 1, 0, 10, Run.TRY_AGAIN);
    run(2, "a", "h2", 1, 9, 20, 0);

    assertThat(Audit.of(root, List.of("a")))
        .singleElement()
        .asString()
        .startsWith("a ran twice at once");
  }

  @Test
  void findsAHostAboveItsCapacity() throws IOException {
    run(1, "a", "h2", 1, 0, 10, 0);
    run(2, "b", "h2", 2, 9, 20, 0);

    assertThat(Audit.of(root, List.of("a", "b")))
        .singleElement()
        .asString()
        .contains("h2 holds 3000000000 of 2000000000 cpu");
  }

  @Test
  void findsAStartThatTheFleetDidNotWriteDown() throws IOException {
    run(1, "a", "h1", 1, 0, 10, 0);
    Files.writeString(root.resolve("ledger"), "");

    assertThat(Audit.of(root, List.of("a")))
        .containsExactly("1-0 of attempt 1 of a began, but is not in the ledger");
  }

  private void run(int pass, String job, String host, int cores, long from, long to, int exit)
      throws IOException {
    Resources amounts = Resources.of(CPU, CPU.whole(cores), MEMORY, 1L);
    Attempt attempt = new Attempt(job, pass);
    Run run =
        Run.write(root.resolve("hosts"), new ActionId(pass, 0), attempt, host, amounts, "true");
    new Ledger(root).write(Ledger.Entry.STARTING, run, "");
    Files.writeString(run.folder().resolve("pid"), "1 1 " + from);
    Files.writeString(run.folder().resolve("exit"), exit + " " + to);
  }
}
