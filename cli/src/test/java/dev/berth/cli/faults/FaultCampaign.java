package dev.berth.cli.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.CellLogs;
import dev.berth.cli.Cli;
import dev.berth.cli.TrialExperiment;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Runs one experiment again and again, each time with another operation on files that fails, and
 * checks what is left. {@link FaultyExperimentTest} starts it in a JVM whose file system is {@link
 * FaultyFiles}.
 */
final class FaultCampaign {

  /** One of so many operations that only read fails, unless all do. */
  private static final int READING = 36;

  /** One of so many other operations. */
  private static final int WRITING = 2;

  private static final long NO_PROCESS = 999_999_999;

  private final Path folder;
  private final TrialExperiment experiment;
  private final Path out;
  private final Random random;
  private final boolean everyFault;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> findings = new ArrayList<>();
  private Map<Path, byte[]> expected = Map.of();
  private Map<Path, byte[]> stored = Map.of();
  private Set<String> runs = Set.of(); // that are stored

  private FaultCampaign(Path folder, long seed, boolean everyFault) throws IOException {
    this.folder = folder;
    this.experiment = TrialExperiment.write(folder, false);
    this.out = folder.resolve("out");
    this.random = new Random(seed);
    this.everyFault = everyFault;
  }

  /**
   * Runs the campaign and prints how often what happened, a line each.
   *
   * @param args the folder to work in, the seed, and whether every operation fails in every way;
   *     otherwise half of those that write and some that read fail in one way
   */
  public static void main(String[] args) throws IOException {
    FaultCampaign campaign =
        new FaultCampaign(Path.of(args[0]), Long.parseLong(args[1]), Boolean.parseBoolean(args[2]));
    campaign.run();
    campaign.counts.forEach((what, count) -> System.out.println(what + "=" + count));
  }

  private void run() throws IOException {
    Files.createDirectories(out);
    experiment.succeed(outputs());
    expected = contents(out);
    stored = contents(experiment.cells());
    runs = CellLogs.records(experiment.cells());
    assertThat(expected).hasSizeGreaterThan(3);

    Map<Path, byte[]> left = new TreeMap<>(); // by a killed process
    for (Path each :
        List.of(
            experiment.cells().resolve("0.jobs.draft"),
            out.resolve(".outcome.json." + NO_PROCESS + ".0.tmp"))) {
      left.put(each, former(each));
    }
    fail("fresh", left);
    fail("resumed", stored);
    assertThat(findings).as("%s findings", findings.size()).isEmpty();
  }

  private String[] outputs() {
    return new String[] {
      "--json", out.resolve("outcome.json").toString(), "--report", out.resolve("page").toString()
    };
  }

  /** Makes each operation of a run fail that starts with some stored experiment.cells(). */
  private void fail(String name, Map<Path, byte[]> initial) throws IOException {
    prepare(initial);
    Faults.watch(folder);
    experiment.succeed(outputs());
    List<Operation> operations = Faults.stop();
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      count(name + "." + operation);
      int oneOf = operation.isCommon() ? READING : WRITING;
      if (!everyFault && random.nextInt(oneOf) != 0) {
        continue;
      }
      List<Fault> faults =
          Stream.of(Fault.values()).filter(each -> each.appliesTo(operation)).toList();
      for (Fault fault : everyFault ? faults : List.of(faults.get(random.nextInt(faults.size())))) {
        prepare(initial);
        try {
          fail(fault, i, operation, initial.keySet());
        } catch (AssertionError | RuntimeException broken) {
          findings.add(
              "%s, operation %s of %s (%s): %s: %s"
                  .formatted(name, i, operations.size(), operation, fault, broken));
        }
      }
    }
  }

  private void fail(Fault fault, int number, Operation operation, Set<Path> initial)
      throws IOException {
    Faults.inject(folder, fault, number);
    Cli.Result result = experiment.run(outputs());
    List<Operation> done = Faults.stop();
    assertThat(done).hasSizeGreaterThan(number);
    assertThat(done.get(number)).as("the runs are the same").isEqualTo(operation);
    count("faults." + fault);
    count(result.exitCode() == ExitCode.DONE ? "harmless" : "reported");

    requireClear(result, fault, operation);
    requireWholeOutputs(result, fault);
    if (fault != Fault.CRASH && operation != Operation.DELETE && operation != Operation.LIST) {
      assertThat(drafts()).as("drafts, after " + result).isSubsetOf(initial);
    }
    Cli.Result again = experiment.run(outputs());
    assertThat(again.exitCode()).as("resumed: " + again).isEqualTo(ExitCode.DONE);
    requireSame(contents(out), expected);
    assertThat(CellLogs.records(experiment.cells())).containsAll(runs);
    assertThat(drafts()).as("drafts, at the end").isEmpty();
  }

  private void requireClear(Cli.Result result, Fault fault, Operation operation) {
    assertThat(result.err()).doesNotContain("    at ", "unexpected failure", "null");
    if (result.exitCode() == ExitCode.DONE || fault == Fault.CRASH) {
      return;
    }
    List<String> errors = result.err().lines().filter(line -> line.startsWith("berth: ")).toList();
    assertThat(errors).as(result.err()).hasSize(1);
    assertThat(errors.get(0)).contains(folder.toString());
    if (operation != Operation.LOOK) { // what cannot be looked at may be reported as missing
      assertThat(errors.get(0))
          .containsAnyOf(Faults.NO_SPACE, Faults.ERROR, "AccessDenied", "may not be read");
    }
  }

  private void requireWholeOutputs(Cli.Result result, Fault fault) throws IOException {
    Map<Path, byte[]> now = contents(out);
    List<Path> replaced = new ArrayList<>();
    for (Map.Entry<Path, byte[]> each : expected.entrySet()) {
      byte[] content = now.get(each.getKey());
      if (content != null && Arrays.equals(content, each.getValue())) {
        replaced.add(each.getKey());
      } else {
        assertThat(content)
            .as("%s after %s", each.getKey(), result)
            .isEqualTo(former(each.getKey()));
      }
    }
    if (result.exitCode() == ExitCode.DONE) {
      assertThat(replaced).hasSameSizeAs(expected.keySet());
    } else if (!replaced.isEmpty() && replaced.size() < expected.size() && fault != Fault.CRASH) {
      count("partly-replaced");
      assertThat(result.err())
          .contains("replaced already")
          .contains(replaced.stream().map(each -> "\"" + each + "\"").toList());
    }
  }

  private static void requireSame(Map<Path, byte[]> actual, Map<Path, byte[]> wanted) {
    assertThat(actual.keySet()).isEqualTo(wanted.keySet());
    wanted.forEach(
        (path, content) -> assertThat(actual.get(path)).as("%s", path).isEqualTo(content));
  }

  private static byte[] former(Path path) {
    return ("former " + path.getFileName()).getBytes(StandardCharsets.UTF_8);
  }

  /** Puts former outputs and some stored cells into place, and nothing else. */
  private void prepare(Map<Path, byte[]> initial) throws IOException {
    for (Path each : files(folder)) {
      if (each.startsWith(out) || each.startsWith(experiment.cells())) {
        Files.delete(each);
      }
    }
    for (Path each : expected.keySet()) {
      Files.write(each, former(each));
    }
    for (Map.Entry<Path, byte[]> each : initial.entrySet()) {
      Files.write(each.getKey(), each.getValue());
    }
  }

  private List<Path> drafts() throws IOException {
    return files(folder).stream()
        .filter(each -> each.toString().endsWith(".tmp") || each.toString().endsWith(".draft"))
        .toList();
  }

  private static List<Path> files(Path under) throws IOException {
    try (Stream<Path> all = Files.walk(under)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Map<Path, byte[]> contents(Path under) throws IOException {
    Map<Path, byte[]> contents = new TreeMap<>();
    for (Path each : files(under)) {
      contents.put(each, Files.readAllBytes(each));
    }
    return contents;
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }
}
