package dev.berth.benchmarks.peer;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.benchmarks.peer.Task.Figures;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures Berth and its peers in turn, each fork in a virtual machine of its own, and prints how
 * many times as fast Berth is.
 *
 * <pre>{@code
 * java -cp benchmarks/target/benchmarks.jar dev.berth.benchmarks.peer.Peers
 * }</pre>
 */
@Command(
    name = "peers",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures Berth and its peers in turn, and prints a table of ratios.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class Peers implements Callable<Integer> {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Spec private CommandSpec spec;

  @Option(
      names = "--forks",
      description = "Number of measurements of each scheduler; default ${DEFAULT-VALUE}.")
  private int forks = 5;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "<group>",
      completionCandidates = GroupNames.class,
      description = "Groups to compare: ${COMPLETION-CANDIDATES}; default: all.")
  private Set<String> only = Set.copyOf(new GroupNames().names());

  @Option(names = "--smoke", description = "Runs a smoke test with tiny sizes.")
  private boolean smoke;

  @Option(
      names = "--out",
      paramLabel = "<folder>",
      description = "Folder for peers.md and peers.json; default ${DEFAULT-VALUE}.")
  private Path out = Path.of("benchmarks", "target", "peers");

  private static final class GroupNames implements Iterable<String> {

    List<String> names() {
      return Group.ALL.stream().map(Group::name).toList();
    }

    @Override
    public Iterator<String> iterator() {
      return names().iterator();
    }
  }

  /** Runs the comparison. Exits with 0 if every fork succeeds. */
  public static void main(String[] args) {
    CommandLine command = new CommandLine(new Peers());
    command.setExecutionExceptionHandler(
        (failure, line, parsed) -> {
          if (!(failure instanceof ForkFailedException)) {
            throw failure;
          }
          line.getErr().println(failure.getMessage());
          return line.getCommandSpec().exitCodeOnExecutionException();
        });
    System.exit(command.execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (forks < 1) {
      throw new ParameterException(
          spec.commandLine(), "--forks was %s, must be 1 or more.".formatted(forks));
    }
    for (String each : only) {
      if (!new GroupNames().names().contains(each)) {
        throw new ParameterException(
            spec.commandLine(),
            "--only was %s, must be some of %s."
                .formatted(each, String.join(", ", new GroupNames().names())));
      }
    }
    List<Group> groups = Group.ALL.stream().filter(each -> only.contains(each.name())).toList();
    List<PeerRun> runs = groups.stream().flatMap(each -> each.runs(smoke)).distinct().toList();
    Map<PeerRun, List<Figures>> measured = new LinkedHashMap<>();
    PrintWriter progress = spec.commandLine().getErr();
    for (int fork = 1; fork <= forks; fork++) {
      for (PeerRun each : runs) {
        Figures figures = measure(each);
        progress.printf("fork %s of %s: %s: %s%n", fork, forks, each, figures.values());
        progress.flush();
        measured.computeIfAbsent(each, run -> new ArrayList<>()).add(figures);
      }
    }
    String table = new PeerTable(measured).of(groups, smoke);
    spec.commandLine().getOut().print(table);
    spec.commandLine().getOut().flush();
    Files.createDirectories(out);
    Files.writeString(out.resolve("peers.md"), table);
    Map<String, List<Map<String, Double>>> json = new LinkedHashMap<>();
    measured.forEach(
        (run, figures) -> json.put(run.toString(), figures.stream().map(Figures::values).toList()));
    JSON.writerWithDefaultPrettyPrinter().writeValue(out.resolve("peers.json").toFile(), json);
    return 0;
  }

  private static Figures measure(PeerRun run) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (run.oneCore() && isOnPath("taskset")) {
      command.addAll(List.of("taskset", "-c", "0"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx6g");
    if (run.oneCore()) {
      command.add("-XX:ActiveProcessorCount=1");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), PeerFork.class.getName()));
    Task.Size size = run.size();
    command.add(run.scheduler().toString());
    for (long each :
        new long[] {
          size.hosts(), size.requests(), size.batch(), size.warmUpNanos(), size.measuredNanos()
        }) {
      command.add(Long.toString(each));
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    String last = output.substring(output.lastIndexOf('\n') + 1);
    if (process.waitFor() != 0 || !last.startsWith(PeerFork.RESULT)) {
      throw new ForkFailedException("%s failed:%n%s".formatted(run, output));
    }
    return new Figures(
        JSON.readValue(
            last.substring(PeerFork.RESULT.length()),
            new TypeReference<LinkedHashMap<String, Double>>() {}));
  }

  /** A fork failed; the message has its output. */
  private static final class ForkFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ForkFailedException(String message) {
      super(message);
    }
  }

  private static boolean isOnPath(String command) {
    String path = System.getenv("PATH");
    return path != null
        && Stream.of(path.split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }
}
