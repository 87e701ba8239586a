package acme.ci;

import dev.berth.core.event.Event;
import dev.berth.runtime.Fleet;
import dev.berth.testkit.fleet.FleetContractTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;

/** The contract of fleets, with jobs that sleep. */
class ProcessFleetContractTest extends FleetContractTest {

  @TempDir private Path root;

  @Override
  protected Fleet open(Consumer<Event<?>> reports) {
    try {
      Main.addHosts(root);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    String sleep = "echo >>../../../begun-%s; exec sleep 600";
    ProcessFleet fleet =
        new ProcessFleet(
            root,
            Duration.ofSeconds(1),
            job ->
                CompletableFuture.supplyAsync(
                    () -> Jobs.request(job, "nightly", 1, 1, sleep.formatted(job)),
                    CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)));
    fleet.reportTo(
        new ProcessFleet.Reports() {
          @Override
          public <R> CompletionStage<R> apply(Event<R> report) {
            reports.accept(report);
            return CompletableFuture.completedFuture(null);
          }
        });
    return fleet;
  }

  @Override
  protected void close(Fleet fleet) {
    ((ProcessFleet) fleet).close();
  }

  @Override
  protected int begun(String instance) {
    Path file = root.resolve("begun-" + instance);
    try {
      return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
