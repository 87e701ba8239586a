package acme.ci;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;

import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import java.util.List;
import java.util.stream.IntStream;

/** The jobs of the demonstration. */
final class Jobs {

  private Jobs() {}

  static ServiceClass[] classes() {
    return new ServiceClass[] {
      ServiceClass.builder("urgent").slo(0.95).importance(1).build(),
      ServiceClass.builder("nightly").slo(0.5).importance(2).build()
    };
  }

  /** Makes a request of a job: half cores, tenths of a gigabyte, and what its shell runs. */
  static Request request(
      String id, String serviceClass, int halfCores, int memory, String command) {
    return Request.builder(id, serviceClass)
        .demand(Resources.of(CPU, CPU.whole(halfCores) / 2, MEMORY, memory * 100_000_000L))
        .losesProgress(true)
        .payload(command)
        .build();
  }

  static String command(Request request) {
    return request.payload().orElseThrow();
  }

  /** Returns the first jobs of an endless list: each fourth is urgent, each ninth fails once. */
  static List<Request> first(int count) {
    return IntStream.range(0, count).mapToObj(Jobs::job).toList();
  }

  private static Request job(int number) {
    String id = "job-" + number;
    String work = "sleep 0.%02d".formatted(5 + number * 7 % 60);
    String flaky = "test -e ../../../tried-%s || { touch ../../../tried-%s; exit 75; }";
    return request(
        id,
        number % 4 == 3 ? "urgent" : "nightly",
        1 + number % 3,
        1 + number % 5,
        number % 9 == 8 ? flaky.formatted(id, id) + "; " + work : work);
  }
}
