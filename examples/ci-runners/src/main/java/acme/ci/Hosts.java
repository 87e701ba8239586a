package acme.ci;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action.Place;
import dev.berth.api.plan.ActionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The folders of the fleet: its hosts with the runs there, and the runs that are gone. */
final class Hosts {

  final Path gone;
  private final Path root;
  private final Path hosts;

  /** Has a folder {@code hosts/NAME} for each host, with {@code capacity}: cores and bytes. */
  Hosts(Path root) {
    this.root = root;
    this.hosts = root.resolve("hosts");
    this.gone = root.resolve("gone");
    try {
      Files.createDirectories(gone);
      Files.createDirectories(root.resolve("drafts"));
      try (var runner = Hosts.class.getResourceAsStream("runner.sh")) {
        Path draft = Files.createTempFile(root, "runner", ".sh");
        Files.copy(runner, draft, StandardCopyOption.REPLACE_EXISTING);
        Files.move(draft, root.resolve("runner.sh"), StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  List<HostSpec> specs() {
    try (var folders = Files.list(hosts)) {
      List<HostSpec> all = new ArrayList<>();
      for (Path each : folders.sorted().toList()) {
        String[] capacity = Files.readString(each.resolve("capacity")).strip().split(" ");
        Resources amounts =
            Resources.of(
                CPU, CPU.whole(Long.parseLong(capacity[0])), MEMORY, Long.parseLong(capacity[1]));
        all.add(new HostSpec(each.getFileName().toString(), amounts));
      }
      return all;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  List<Run> runs() {
    return specs().stream().flatMap(it -> Run.readAll(hosts.resolve(it.id())).stream()).toList();
  }

  Run write(ActionId id, Place place, Resources amounts, String command) {
    return Run.write(hosts, id, place.toAttempt(), place.host(), amounts, command);
  }

  /** Starts a runner; the runner sees to it that the job begins only once. */
  void spawn(Run run) {
    try {
      new ProcessBuilder(
              "setsid", "sh", root.resolve("runner.sh").toString(), run.folder().toString())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
