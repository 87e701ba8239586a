package dev.berth.cli.compare;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The logs that the authors of QoS-driven scheduling published, read in place. The figures of
 * {@code published.json} are recomputed from them.
 */
public final class PublishedLogs {

  static final double END = 3600;

  private static final Path FOLDER = Path.of("..", "..", "shared", "data", "qos-validation");
  private static final Map<String, String> CLASSES =
      Map.of("prod", "gold", "batch", "silver", "free", "bronze");

  /** The service of one request: its class, final availability, and number of preemptions. */
  public record Got(String serviceClass, double availability, int preemptions) {}

  /** A time on a host, in seconds. */
  private record Residency(double length, double overhead) {}

  private PublishedLogs() {}

  /** Skips the test with a message if the data is missing. */
  static void requireData() {
    assumeTrue(
        Files.isDirectory(FOLDER.resolve("published")),
        () -> "SKIPPED: the published logs are missing: " + FOLDER);
  }

  /** Returns a file of the published data; skips the test with a message if it is missing. */
  static Path file(String name) {
    requireData();
    return FOLDER.resolve(name);
  }

  /** Returns the admission second and class of every request of a validation workload, by id. */
  private static Map<String, String[]> workload(int number) {
    Map<String, String[]> requests = new LinkedHashMap<>();
    String name =
        "synthetic-workload-validation%d-20hosts-10pods-per-host-experiment.csv".formatted(number);
    for (String line : lines(FOLDER.resolve(name))) {
      String[] columns = line.split(",", -1);
      requests.put(columns[1], new String[] {columns[0], CLASSES.get(columns[10])});
    }
    return requests;
  }

  /**
   * Computes the results of the authors' simulator: time on hosts until the end, minus the overhead
   * of every placement but the first.
   */
  static Map<String, Got> simulator(int validation, String scheduler) {
    Map<String, List<Residency>> stays = stays(validation, scheduler);
    Map<String, Got> got = new TreeMap<>();
    workload(validation)
        .forEach(
            (id, request) -> {
              List<Residency> own = stays.getOrDefault(id, List.of());
              double life = END - Double.parseDouble(request[0]);
              boolean runsAtEnd = terminations(validation, scheduler).containsKey(id);
              int preemptions = own.size() - (runsAtEnd ? 1 : 0);
              got.put(id, new Got(request[1], service(own) / life, preemptions));
            });
    return got;
  }

  /** Returns the service time of the requests that run at the end, by our accounting. */
  static Map<String, Double> serviceOfRunning(int validation, String scheduler) {
    Map<String, List<Residency>> stays = stays(validation, scheduler);
    Map<String, Double> service = new TreeMap<>();
    terminations(validation, scheduler)
        .keySet()
        .forEach(id -> service.put(id, service(stays.get(id))));
    return service;
  }

  /** Returns the service time of the requests that run at the end, by their Termination log. */
  static Map<String, Double> terminations(int validation, String scheduler) {
    Map<String, Double> stated = new TreeMap<>();
    for (String[] row : simulatorLog(validation, scheduler, "Termination")) {
      stated.put(row[1], Double.parseDouble(row[5]));
    }
    return stated;
  }

  private static double service(List<Residency> stays) {
    double service = stays.stream().mapToDouble(Residency::length).sum();
    return service - stays.stream().skip(1).mapToDouble(Residency::overhead).sum();
  }

  private static Map<String, List<Residency>> stays(int validation, String scheduler) {
    // Preemptions precede placements of the same second: a preempted instance is placed again in a
    // later pass.
    record Event(double at, boolean placed, String id, double overhead) {}
    List<Event> events = new ArrayList<>();
    for (String[] row : simulatorLog(validation, scheduler, "Preemption")) {
      events.add(new Event(Double.parseDouble(row[0]), false, row[1], 0));
    }
    for (String[] row : simulatorLog(validation, scheduler, "Allocation")) {
      double overhead = row.length > 6 ? Double.parseDouble(row[6]) : 0;
      events.add(new Event(Double.parseDouble(row[0]), true, row[1], overhead));
    }
    events.sort(
        (a, b) -> a.at != b.at ? Double.compare(a.at, b.at) : Boolean.compare(a.placed, b.placed));
    Map<String, Event> open = new LinkedHashMap<>();
    Map<String, List<Residency>> stays = new TreeMap<>();
    for (Event event : events) {
      Event since = event.placed ? open.put(event.id, event) : open.remove(event.id);
      if (!event.placed) {
        stays
            .computeIfAbsent(event.id, id -> new ArrayList<>())
            .add(new Residency(event.at - since.at, since.overhead));
      }
    }
    open.forEach(
        (id, since) ->
            stays
                .computeIfAbsent(id, key -> new ArrayList<>())
                .add(new Residency(END - since.at, since.overhead)));
    return stays;
  }

  /**
   * Computes the results of the Kubernetes run: a pod is in service from its allocation to its
   * termination or the end. It is preempted if it ends before the end and had a host: the scheduler
   * also deleted pods that were still waiting.
   */
  static Map<String, Got> kubernetes(String scheduler) {
    Map<String, Double> admitted = new LinkedHashMap<>();
    for (String[] row : kubernetesLog(scheduler, "waiting")) {
      admitted.merge(row[2], Double.parseDouble(row[0]), Math::min);
    }
    double end = admitted.values().stream().min(Double::compare).orElseThrow() + END;
    Set<String> bound = new HashSet<>();
    for (String[] row : kubernetesLog(scheduler, "allocation")) {
      if (!row[3].equals("NIL")) {
        bound.add(row[1]);
      }
    }
    Map<String, Double> service = new LinkedHashMap<>();
    Map<String, Integer> preemptions = new LinkedHashMap<>();
    for (String[] row : kubernetesLog(scheduler, "termination")) {
      double terminated = Double.parseDouble(row[0]);
      double from = terminated - Double.parseDouble(row[3]);
      service.merge(row[2], Math.max(0, Math.min(terminated, end) - from), Double::sum);
      boolean preempted = terminated <= end && bound.contains(row[1]);
      preemptions.merge(row[2], preempted ? 1 : 0, Integer::sum);
    }
    Map<String, Got> got = new TreeMap<>();
    admitted.forEach(
        (id, at) ->
            got.put(
                id,
                new Got(
                    CLASSES.get(id.substring(0, id.indexOf('-'))),
                    service.getOrDefault(id, 0.0) / (end - at),
                    preemptions.getOrDefault(id, 0))));
    return got;
  }

  private static List<String[]> simulatorLog(int validation, String scheduler, String log) {
    Path folder =
        FOLDER.resolve("published/validation%d-simulation-%s".formatted(validation, scheduler));
    return lines(folder.resolve(log + "_Infra_Manager_1.dat.gz")).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.strip().split("\\s+"))
        .toList();
  }

  private static List<String[]> kubernetesLog(String scheduler, String log) {
    Path folder = FOLDER.resolve("published/validation1-kubernetes-" + scheduler);
    return lines(folder.resolve(log + ".dat.gz")).stream()
        .map(line -> line.split(",", -1))
        .toList();
  }

  private static List<String> lines(Path file) {
    try (var bytes = Files.newInputStream(file);
        var plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
        var reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
