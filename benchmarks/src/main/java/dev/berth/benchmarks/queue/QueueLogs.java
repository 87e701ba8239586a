package dev.berth.benchmarks.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs whole logs under queue disciplines, each in a virtual machine of its own, and prints a table
 * of their cost. The digest stands for the schedule: two engines with the same digest start and end
 * each request at the same nanosecond.
 *
 * <pre>{@code
 * java -cp benchmarks/target/benchmarks.jar dev.berth.benchmarks.queue.QueueLogs
 * }</pre>
 */
@Command(
    name = "queue-logs",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Runs whole logs under queue disciplines, and prints a table of their cost.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class QueueLogs implements Callable<Integer> {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BURSTS = "bursts";
  private static final long SEED = 1;
  private static final String HEADER =
      """
      | log | hosts | policy | CPU s | elapsed s | heap MB | passes | placements | mean wait s | schedule |
      | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
      """;

  /**
   * A log of the data folder.
   *
   * @param file the begin of the path of the log, in the data folder
   * @param hosts the path of its hosts in the data folder; or their number and cores, like 1x100
   * @param isQueue whether its jobs wait in a batch queue; otherwise it is a trace of tasks
   */
  private record Log(String file, String hosts, boolean isQueue) {}

  private static final List<Log> LOGS =
      List.of(
          new Log("swf/LCG", "1x1500", true),
          new Log("swf/KTH", "1x100", true),
          new Log("swf/HPC2N", "1x240", true),
          new Log("swf/METACENTRUM", "1x1500", true),
          new Log("swf/CEA", "1x93312", true),
          new Log(
              "metacentrum-zewura-2013/hpc2n-first3170.swf",
              "metacentrum-zewura-2013/hpc2n.swf.machines",
              true),
          new Log(
              "metacentrum-zewura-2013/wagap-2013.swf.gz",
              "metacentrum-zewura-2013/wagap-2013.swf.machines",
              true),
          new Log(
              "google2011-part0/task_events",
              "google2011-part0/machine_events-part-00000-of-00001.csv.gz",
              false),
          new Log(
              "alibaba-openb-2023/openb_pod_list_default",
              "alibaba-openb-2023/openb_node_list_all_node.csv.gz",
              false));

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "<folder>",
      description = "Folder of the logs; default ${DEFAULT-VALUE}.")
  private Path data = Path.of("..", "shared", "data");

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "<name>",
      description = "Logs to run: parts of their paths, or bursts; default: all.")
  private List<String> only = List.of("");

  @Option(
      names = "--log",
      paramLabel = "<file>",
      description = "Runs this log instead; requires --hosts.")
  private @Nullable String log;

  @Option(
      names = "--hosts",
      paramLabel = "<hosts>",
      description = "Hosts of --log: a file, or their number and cores, like 1x100.")
  private @Nullable String hosts;

  @Option(
      names = "--order",
      split = ",",
      description = "Orders of batch queues: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private Set<QueueDiscipline> orders = EnumSet.of(QueueDiscipline.FIFO);

  @Option(
      names = "--backfill",
      split = ",",
      description = "Backfilling of batch queues: ${COMPLETION-CANDIDATES}; default: all.")
  private Set<Backfill> backfills = EnumSet.allOf(Backfill.class);

  @Option(
      names = "--default-passes",
      description =
          "Keeps the default elasticity of batch queues, with passes every 5 s, and a watchdog of"
              + " 30 s for tasks. Otherwise only events make passes due.")
  private boolean defaultPasses;

  @Option(
      names = "--limit",
      paramLabel = "<seconds>",
      description = "Greatest CPU time of each run; default ${DEFAULT-VALUE}.")
  private int limit = 600;

  @Option(
      names = "--heap",
      paramLabel = "<size>",
      description = "Greatest heap of each run; default ${DEFAULT-VALUE}.")
  private String heap = "3g";

  /** Runs the logs. Exits with 0 if each run ends or reaches its limit. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new QueueLogs()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    out.print(HEADER);
    out.flush();
    for (Log each : logs()) {
      for (QueueMeasurement cell : cells(each)) {
        out.println(row(cell, measure(cell)));
        out.flush();
      }
    }
    return 0;
  }

  private List<Log> logs() throws IOException {
    if (log != null) {
      if (hosts == null) {
        throw new ParameterException(spec.commandLine(), "--log requires --hosts.");
      }
      return List.of(new Log(log, hosts, true));
    }
    List<Log> found = new ArrayList<>();
    if (only.stream().anyMatch(BURSTS::contains)) {
      Path file = Files.createTempDirectory("berth").resolve(BURSTS + ".swf");
      Bursts.write(file, SEED);
      found.add(new Log(file.toString(), "1x" + Bursts.CORES, true));
    }
    for (Log each : LOGS) {
      if (only.stream().anyMatch(each.file::contains)) {
        Path file = find(data.resolve(each.file));
        if (file == null) {
          spec.commandLine().getErr().printf("SKIPPED: there is no %s*%n", data.resolve(each.file));
        } else {
          boolean isFile = each.hosts.contains("/");
          String on = isFile ? data.resolve(each.hosts).toString() : each.hosts;
          found.add(new Log(file.toString(), on, each.isQueue));
        }
      }
    }
    return found;
  }

  /** Returns the file whose path begins with another, or null. */
  private static @Nullable Path find(Path begin) throws IOException {
    Path folder = begin.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      return null;
    }
    String name = begin.getFileName().toString();
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(each -> each.getFileName().toString().startsWith(name))
          .sorted()
          .findFirst()
          .orElse(null);
    }
  }

  private List<QueueMeasurement> cells(Log it) {
    List<QueueMeasurement> cells = new ArrayList<>();
    if (!it.isQueue) {
      for (String policy : List.of("qos-driven", "priority")) {
        cells.add(
            new QueueMeasurement(it.file, it.hosts, policy, "{}", defaultPasses ? "30s" : ""));
      }
      return cells;
    }
    for (QueueDiscipline order : orders) {
      for (Backfill backfill : backfills) {
        String elasticity =
            defaultPasses ? "" : ", \"elasticity\": {\"control\": false, \"migration\": false}";
        String config =
            "{\"queue\": \"%s\", \"backfill\": \"%s\"%s}".formatted(order, backfill, elasticity);
        cells.add(new QueueMeasurement(it.file, it.hosts, "first-fit", config, ""));
      }
    }
    return cells;
  }

  /** Runs a cell; returns its figures, which are none if it reached the limit. */
  private JsonNode measure(QueueMeasurement cell) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + heap, "-XX:+UseG1GC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(QueueLogFork.class.getName(), Integer.toString(limit)));
    command.addAll(cell.arguments());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    String last = output.substring(output.lastIndexOf('\n') + 1);
    if (process.waitFor() != 0 || !last.startsWith(QueueLogFork.RESULT)) {
      throw new IOException("%s failed:%n%s".formatted(cell, output));
    }
    return JSON.readTree(last.substring(QueueLogFork.RESULT.length()));
  }

  private String row(QueueMeasurement cell, JsonNode figures) throws IOException {
    JsonNode config = JSON.readTree(cell.config());
    String policy = cell.policy();
    if (config.has("queue")) {
      policy += " " + config.get("queue").asText() + " " + config.get("backfill").asText();
    }
    String begin = "| %s | %s | %s |".formatted(name(cell.log()), name(cell.hosts()), policy);
    if (figures.isEmpty()) {
      return begin + " not done in %s s | | | | | | |".formatted(limit);
    }
    return begin
        + " %.1f | %.1f | %.0f | %d | %d | %.1f | %s |"
            .formatted(
                figures.get("cpu").asDouble(),
                figures.get("elapsed").asDouble(),
                figures.get("heap").asLong() / 1e6,
                figures.get("passes").asLong(),
                figures.get("placements").asLong(),
                figures.get("wait").asDouble(),
                figures.get("digest").asText());
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
