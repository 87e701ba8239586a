package dev.berth.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.Cli;
import dev.berth.cli.Fifo;
import dev.berth.cli.TrialExperiment;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Experiments whose stored results were changed between two runs. The second run gives the bytes of
 * an undisturbed one, or a clear error.
 */
class TamperedExperimentTest {

  private static final String[] TO_STDOUT = {"--json", "-"};
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** What happens to a stored file. */
  private enum Tampering {
    FLIP_A_BIT,
    TRUNCATE,
    EXTEND,
    SWAP_WITH_ANOTHER,
    COPY_OF_ANOTHER,
    DELETE,
    EMPTY_FOLDER,
    FULL_FOLDER,
    LINK_TO_A_FILE,
    LINK_TO_ITSELF,
    DANGLING_LINK,
    FIFO
  }

  @TempDir private Path folder;
  private final Random random = new Random(150);
  private TrialExperiment experiment;
  private Path victim;
  private String undisturbed = "";
  private Map<Path, byte[]> stored = Map.of();
  private final Map<Tampering, Integer> counts = new EnumMap<>(Tampering.class);
  private int refused;

  @Test
  void givesTheSameBytesOrAClearError() throws Exception {
    tamper(60);
    assertThat(counts).containsOnlyKeys(Tampering.values());
    assertThat(refused).isBetween(1, 20);
  }

  @Test
  @Tag("long")
  void givesTheSameBytesOrAClearErrorManyTimes() throws Exception {
    tamper(600);
    assertThat(counts).containsOnlyKeys(Tampering.values());
    assertThat(refused).isBetween(1, 200);
  }

  private void tamper(int times) throws Exception {
    assumeTrue(Fifo.available(), "SKIPPED: there is no mkfifo");
    writeFiles();
    for (int i = 0; i < times; i++) {
      Tampering tampering = Tampering.values()[i % Tampering.values().length];
      List<Path> files = List.copyOf(stored.keySet());
      Path file = files.get(random.nextInt(files.size()));
      restore();
      apply(tampering, file, files);
      counts.merge(tampering, 1, Integer::sum);
      String what = "%s of %s".formatted(tampering, file.getFileName());
      Cli.Result result = assertTimeoutPreemptively(LONGEST, () -> experiment.run(TO_STDOUT), what);
      assertThat(victim).as(what).hasContent("precious");
      if (result.exitCode() == ExitCode.DONE) {
        assertThat(result.out()).as(what).isEqualTo(undisturbed);
        continue;
      }
      refused++;
      List<String> errors =
          result.err().lines().filter(line -> line.startsWith("berth: ")).toList();
      assertThat(errors).as(what + ": " + result).hasSize(1);
      assertThat(errors.get(0)).as(what).contains(file.toString()).doesNotContain("unexpected");
      assertThat(result.err()).as(what).doesNotContain("    at ");
      assertThat(result.out()).as(what).isEmpty();
    }
  }

  private void writeFiles() throws IOException {
    experiment = TrialExperiment.write(folder, true);
    victim = Files.writeString(folder.resolve("victim"), "precious");
    // Three logs: of two parts, and of a process that has stored everything once more.
    experiment.succeed("--shard", "1/2");
    experiment.succeed("--shard", "2/2");
    experiment.succeed("--jobs", folder.resolve("jobs.csv").toString());
    undisturbed = experiment.succeed(TO_STDOUT).out();
    Map<Path, byte[]> contents = new TreeMap<>();
    for (Path each : members(experiment.cells())) {
      contents.put(each, Files.readAllBytes(each));
    }
    stored = contents;
    assertThat(stored).as("the lock and three logs").hasSize(4);
  }

  private void apply(Tampering tampering, Path file, List<Path> files)
      throws IOException, InterruptedException {
    byte[] content = Files.readAllBytes(file);
    Path other = another(file, files);
    switch (tampering) {
      case FLIP_A_BIT -> {
        if (content.length > 0) {
          content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
        }
        Files.write(file, content);
      }
      case TRUNCATE ->
          Files.write(file, Arrays.copyOf(content, random.nextInt(Math.max(1, content.length))));
      case EXTEND -> Files.write(file, Arrays.copyOf(content, content.length + 1 + bytes()));
      case SWAP_WITH_ANOTHER -> {
        Files.write(file, Files.readAllBytes(other));
        Files.write(other, content);
      }
      case COPY_OF_ANOTHER -> Files.write(file, Files.readAllBytes(other));
      default -> {
        Files.delete(file);
        replace(tampering, file, other);
      }
    }
  }

  private void replace(Tampering tampering, Path file, Path other)
      throws IOException, InterruptedException {
    switch (tampering) {
      case EMPTY_FOLDER -> Files.createDirectory(file);
      case FULL_FOLDER -> Files.writeString(Files.createDirectory(file).resolve("x"), "x");
      case LINK_TO_A_FILE -> Files.createSymbolicLink(file, random.nextBoolean() ? victim : other);
      case LINK_TO_ITSELF -> Files.createSymbolicLink(file, file.getFileName());
      case DANGLING_LINK -> Files.createSymbolicLink(file, folder.resolve("nothing"));
      case FIFO -> Fifo.create(file);
      default -> assertThat(tampering).isEqualTo(Tampering.DELETE);
    }
  }

  private int bytes() {
    return random.nextInt(10) == 0 ? 1 << 20 : random.nextInt(8);
  }

  /** Returns another file, of the same kind where there is one. */
  private Path another(Path file, List<Path> files) {
    String kind = kind(file);
    List<Path> same = files.stream().filter(each -> kind(each).equals(kind)).toList();
    return same.get(random.nextInt(same.size()));
  }

  private static String kind(Path file) {
    String name = file.getFileName().toString();
    return name.substring(name.lastIndexOf('.'));
  }

  private void restore() throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(experiment.cells())) {
      walk.filter(each -> !each.equals(experiment.cells()))
          .sorted(Comparator.reverseOrder())
          .forEach(all::add);
    }
    for (Path each : all) {
      Files.delete(each);
    }
    for (Map.Entry<Path, byte[]> each : stored.entrySet()) {
      Files.write(each.getKey(), each.getValue());
    }
    assertThat(folder.resolve("nothing")).doesNotExist();
  }

  private static List<Path> members(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }
}
