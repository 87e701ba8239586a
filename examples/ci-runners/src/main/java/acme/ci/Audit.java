package acme.ci;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares what the ledger says with what the processes have noted themselves: each job has
 * completed once, no job ran twice at once, and no host was ever above its capacity.
 */
final class Audit {

  /** When a job was on a host, and with what. */
  private record Stay(String job, Run run, long from, long to) {}

  private final Path root;
  private final List<String> findings = new ArrayList<>();
  private final List<Stay> stays = new ArrayList<>();
  private final Map<String, Integer> completions = new TreeMap<>();

  private Audit(Path root) {
    this.root = root;
  }

  /** Returns what is wrong, in words; empty if nothing is. Call it while no service runs. */
  static List<String> of(Path root, Collection<String> submitted) {
    Audit audit = new Audit(root);
    audit.read();
    audit.checkCompletions(submitted);
    audit.checkJobs();
    audit.hosts().forEach(audit::checkHost);
    return audit.findings;
  }

  private List<Path> hosts() {
    try (var folders = Files.list(root.resolve("hosts"))) {
      return folders.sorted().toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void read() {
    Map<String, Long> goneAt = new HashMap<>();
    Set<String> starting = new LinkedHashSet<>();
    for (Ledger.Line each : new Ledger(root).read()) {
      if (each.entry() == Ledger.Entry.GONE) {
        goneAt.putIfAbsent(each.run(), each.at());
      } else if (each.entry() == Ledger.Entry.STARTING) {
        starting.add(each.run());
      }
    }
    List<Run> runs = new ArrayList<>(Run.readAll(root.resolve("gone")));
    hosts().forEach(each -> runs.addAll(Run.readAll(each)));
    for (Run each : runs) {
      String name = Run.name(each.id());
      Optional<Run.Exit> exit = each.exit();
      if (exit.filter(Run.Exit::isFinal).isPresent()) {
        completions.merge(each.attempt().instance(), 1, Integer::sum);
      }
      if (each.began().isEmpty()) {
        continue;
      }
      if (!starting.contains(name)) {
        findings.add("%s of %s began, but is not in the ledger".formatted(name, each.attempt()));
      }
      long from = each.began().get().at();
      long to = exit.map(Run.Exit::at).orElse(goneAt.getOrDefault(name, Long.MAX_VALUE));
      stays.add(new Stay(each.attempt().instance(), each, from, to));
    }
    stays.sort(Comparator.comparingLong(Stay::from));
  }

  private void checkCompletions(Collection<String> submitted) {
    Set<String> all = new LinkedHashSet<>(submitted);
    all.addAll(completions.keySet());
    for (String each : all) {
      int count = completions.getOrDefault(each, 0);
      if (count != 1 || !submitted.contains(each)) {
        findings.add("%s was submitted and completed %d times".formatted(each, count));
      }
    }
  }

  private void checkJobs() {
    Map<String, Stay> latest = new HashMap<>();
    for (Stay each : stays) {
      Stay before = latest.put(each.job(), each);
      if (before != null && each.from() < before.to()) {
        findings.add("%s ran twice at once: %s, %s".formatted(each.job(), before, each));
        latest.put(each.job(), before.to() > each.to() ? before : each);
      }
    }
  }

  private void checkHost(Path host) {
    String[] words;
    try {
      words = Files.readString(host.resolve("capacity")).strip().split(" ");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    Map<Dimension, Long> capacity =
        Map.of(
            Dimension.CPU, Dimension.CPU.whole(Long.parseLong(words[0])),
            Dimension.MEMORY, Long.parseLong(words[1]));
    List<Stay> there =
        stays.stream()
            .filter(each -> each.run().host().equals(host.getFileName().toString()))
            .toList();
    for (Stay each : there) { // the most is held when one begins
      List<Stay> others =
          there.stream().filter(it -> it.from() <= each.from() && each.from() < it.to()).toList();
      capacity.forEach(
          (dimension, most) -> {
            long held = others.stream().mapToLong(it -> amounts(it).amount(dimension)).sum();
            if (held > most) {
              findings.add(
                  "%s holds %d of %d %s: %s".formatted(host, held, most, dimension, others));
            }
          });
    }
  }

  private static Resources amounts(Stay stay) {
    return stay.run().amounts();
  }
}
