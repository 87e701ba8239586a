package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.WorkloadFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A named pipe is refused at once, and never waited for. */
class FifoTest {

  private static final List<ServiceClass> CLASSES = ServiceClasses.goldSilverBronze(Duration.ZERO);

  @TempDir private Path folder;

  @Test
  void isRefusedByInput() throws Exception {
    Input pipe = Input.of(fifo("requests.csv"));
    assertRefused(pipe::open);
    assertRefused(pipe::firstLine);
  }

  @Test
  void isRefusedByEveryReader() throws Exception {
    String pipe = fifo("requests.csv");
    assertRefused(() -> Readers.workload(pipe, CLASSES));
    assertRefused(() -> Readers.infrastructure(pipe));
    assertRefused(() -> Readers.hostEvents(pipe));
    assertRefused(() -> Readers.serviceClasses(pipe, Duration.ZERO));
    for (WorkloadFormat each : Readers.workloadFormats()) {
      assertRefused(() -> Readers.workload(each, Input.of(pipe), CLASSES, new ReadOptions(1_000)));
    }
    for (InfrastructureFormat each : Readers.infrastructureFormats()) {
      assertRefused(() -> Readers.infrastructure(each, Input.of(pipe), new ReadOptions(1_000)));
    }
    for (HostEventsFormat each : Readers.hostEventsFormats()) {
      assertRefused(() -> Readers.hostEvents(each, Input.of(pipe), new ReadOptions(1_000)));
    }
  }

  @Test
  void isRefusedInAFolder() throws Exception {
    fifo("task_events/part-00000-of-00500.csv");
    fifo("machine_events/part-00000-of-00001.csv");
    fifo("1.csv");
    for (WorkloadFormat each : Readers.workloadFormats()) {
      assertRefused(
          () ->
              Readers.workload(each, Input.of(folder.toString()), CLASSES, new ReadOptions(1_000)));
    }
    for (InfrastructureFormat each : Readers.infrastructureFormats()) {
      assertRefused(
          () -> Readers.infrastructure(each, Input.of(folder.toString()), new ReadOptions(1_000)));
    }
  }

  private static void assertRefused(ThrowingCallable reading) {
    assertTimeoutPreemptively(
        Duration.ofMinutes(10),
        () -> assertThatThrownBy(reading).isInstanceOf(InputException.class));
  }

  private String fifo(String name) throws IOException, InterruptedException {
    Path pipe = folder.resolve(name);
    Files.createDirectories(pipe.getParent());
    int exitCode;
    try {
      exitCode = new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
    } catch (IOException missing) {
      exitCode = -1;
    }
    assumeTrue(exitCode == 0, "SKIPPED: there is no mkfifo");
    return pipe.toString();
  }
}
