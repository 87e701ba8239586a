package dev.berth.experiments.studies.qos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.traces.input.Input;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The samples of the authors of QoS-driven scheduling, in a copy of their repository. */
final class AuthorsSamples {

  /** The repository, and its folder. */
  static final String REPOSITORY = "qos-driven-scheduling-experiments";

  private static final Path PACKED =
      Path.of("workloads", "google-samples", "google-samples.tar.gz");

  private static final Pattern FILE =
      Pattern.compile("(?:google-workload-)?sample(\\d+)(-infra-N)?\\.[a-z.]+");

  private static final int DEPTH = 4;

  private AuthorsSamples() {}

  /**
   * Returns the experiments of the samples: each has its own hosts at N, and runs for 29 days once.
   *
   * @param published the experiment on other samples
   * @param folder of the repository
   * @return by number of the sample; empty if the folder is another one
   * @throws dev.berth.traces.input.InputException if the samples are not unpacked, or one has no
   *     hosts
   */
  static List<ExperimentSpec> in(Path folder, ExperimentSpec published) {
    SortedMap<Integer, Path> requests = new TreeMap<>();
    Map<Integer, Path> hosts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder, DEPTH)) {
      files.forEach(
          each -> {
            Matcher name = FILE.matcher(each.getFileName().toString());
            if (name.matches()) {
              (name.group(2) == null ? requests : hosts).put(Integer.valueOf(name.group(1)), each);
            }
          });
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    Path packed = folder.resolve(PACKED);
    Input.of(packed.toString())
        .refuseIf(
            requests.isEmpty() && Files.exists(packed),
            "must be unpacked where it is: tar -xzf %s",
            packed.getFileName());
    List<ExperimentSpec> samples = new ArrayList<>();
    requests.forEach(
        (number, file) -> {
          Path its = hosts.get(number);
          Input.of(file.toString())
              .refuseIf(its == null, "has no hosts in sample%s-infra-N.txt", number);
          samples.add(sample(published, number, file, String.valueOf(its)));
        });
    return samples;
  }

  private static ExperimentSpec sample(
      ExperimentSpec published, int number, Path file, String hosts) {
    ObjectNode its = published.toJson();
    its.putArray("workloads")
        .addObject()
        .put("from", file.toAbsolutePath().toString())
        .put("label", "sample " + number);
    its.putArray("infrastructures")
        .addObject()
        .put("from", Path.of(hosts).toAbsolutePath().toString())
        .put("label", "of the authors");
    its.putArray("seeds").add(1);
    its.put("description", "The samples of the authors, 29 days, on the hosts that they drew");
    return ExperimentSpec.parse(published.name(), its.put("until", "29d").toString());
  }

  /** Returns one experiment with the cases of several, which are alike otherwise. */
  static Experiment together(
      List<ExperimentSpec> samples, Function<ExperimentSpec, Experiment> load) {
    List<Case> cases = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Experiment any = null;
    for (ExperimentSpec each : samples) {
      any = load.apply(each);
      notes.addAll(any.notes());
      for (Case its : any.cases()) {
        cases.add(
            new Case(
                cases.size(),
                its.workload(),
                its.infrastructure(),
                its.scale(),
                its.variant(),
                its.settings(),
                its.identity()));
      }
    }
    if (any == null) {
      throw new IllegalArgumentException("there were no samples");
    }
    return new Experiment(
        any.name(),
        any.description(),
        cases,
        any.policies(),
        any.reference(),
        any.metrics(),
        any.effective(),
        notes);
  }
}
