package dev.berth.benchmarks.peer;

import dev.berth.benchmarks.peer.Task.Figures;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** The measurements as a Markdown table. */
record PeerTable(Map<PeerRun, List<Figures>> measured) {

  private static final int WANTED_HOSTS = 10_000;
  private static final int WANTED_REQUESTS = 10_000;

  /** Returns the table of some groups. */
  String of(List<Group> groups, boolean smoke) {
    StringBuilder text = new StringBuilder();
    header(text, "| group | hosts | requests | ours | per second | peer | per second | ratio |");
    for (Group group : groups) {
      for (PeerRun ours : group.ours(smoke)) {
        for (List<PeerRun> settings : group.theirs(smoke)) {
          PeerRun peer = best(settings);
          line(
              text,
              "| %s | %,d | %,d | %s | %s | %s | %s | %s |",
              group.name(),
              ours.size().hosts(),
              ours.size().requests(),
              ours.scheduler(),
              spread(rates(ours)),
              peer.scheduler() + (peer.oneCore() ? " on one core" : ""),
              spread(rates(peer)),
              spread(ratios(ours, peer)));
        }
      }
    }
    line(text, "");
    line(
        text, "Medians of forks (minimum to maximum); ratios are those of forks that ran in turn.");
    packing(text, groups, smoke);
    passes(text);
    extrapolation(text);
    return text.toString();
  }

  /** A peer that has threads counts as what it is at its best. */
  private PeerRun best(List<PeerRun> settings) {
    return settings.stream()
        .max(Comparator.comparingDouble(each -> median(rates(each))))
        .orElseThrow();
  }

  private void packing(StringBuilder text, List<Group> groups, boolean smoke) {
    List<PeerRun> packers =
        groups.stream()
            .flatMap(each -> each.runs(smoke))
            .distinct()
            .filter(each -> figures(each).get(0).values().containsKey("unplaced"))
            .filter(each -> !each.oneCore())
            .toList();
    if (packers.isEmpty()) {
      return;
    }
    line(text, "");
    header(
        text,
        "| hosts | requests | scheduler | unplaced | hosts used | share used of the fullest |");
    for (PeerRun each : packers) {
      line(
          text,
          "| %,d | %,d | %s | %,.0f | %,.0f | %.3f |",
          each.size().hosts(),
          each.size().requests(),
          each.scheduler(),
          median(values(each, "unplaced")),
          median(values(each, "hosts")),
          median(values(each, "fullest")));
    }
    line(text, "");
    line(text, "The fullest: the least number of hosts that the requests need.");
  }

  private void passes(StringBuilder text) {
    List<PeerRun> withPasses =
        measured.keySet().stream()
            .filter(each -> figures(each).get(0).values().containsKey("again"))
            .toList();
    if (withPasses.isEmpty()) {
      return;
    }
    line(text, "");
    header(
        text,
        "| hosts | pending | scheduler | pass, seconds | at the watchdog, seconds | unchanged,"
            + " seconds |");
    for (PeerRun each : withPasses) {
      line(
          text,
          "| %,d | %,d | %s | %s | %s | %s |",
          each.size().hosts(),
          each.size().requests(),
          each.scheduler(),
          spread(values(each, "first")),
          spread(values(each, "again")),
          spread(values(each, "idle")));
    }
    line(text, "");
    line(
        text,
        "At the watchdog: no event since the last pass, but time has changed the order of requests."
            + " Unchanged: at the same instant as a pass that decided nothing.");
  }

  /** The reference model cannot be brought into the state of the large pass in reasonable time. */
  private void extrapolation(StringBuilder text) {
    List<PeerRun> reference =
        measured.keySet().stream()
            .filter(each -> each.scheduler() == PeerScheduler.REFERENCE_CONTENDED)
            .sorted(Comparator.comparingInt(each -> each.size().hosts()))
            .toList();
    if (reference.size() < 2) {
      return;
    }
    PeerRun smaller = reference.get(0);
    PeerRun larger = reference.get(reference.size() - 1);
    double slower = median(rates(smaller)) / median(rates(larger));
    double power =
        Math.log(slower) / Math.log((double) larger.size().hosts() / smaller.size().hosts());
    double decision =
        Math.pow((double) WANTED_HOSTS / larger.size().hosts(), power) / median(rates(larger));
    line(text, "");
    line(
        text,
        "Extrapolated, not measured: a decision of the reference model takes as long as the number"
            + " of hosts to the power of %.2f; on %,d hosts %s seconds, and %s hours for a pass"
            + " over %,d requests.",
        power,
        WANTED_HOSTS,
        number(decision),
        number(decision * WANTED_REQUESTS / 3600),
        WANTED_REQUESTS);
    measured.keySet().stream()
        .filter(each -> each.scheduler() == PeerScheduler.BERTH_CONTENDED)
        .filter(each -> each.size().hosts() == WANTED_HOSTS)
        .findFirst()
        .ifPresent(
            ours ->
                line(
                    text,
                    "That is %s times as long as ours.",
                    number(decision * median(rates(ours)))));
  }

  private List<Figures> figures(PeerRun run) {
    List<Figures> figures = measured.get(run);
    if (figures == null) {
      throw new IllegalArgumentException(run + " was not measured.");
    }
    return figures;
  }

  private List<Double> rates(PeerRun run) {
    return values(run, "rate");
  }

  private List<Double> values(PeerRun run, String name) {
    return figures(run).stream().map(each -> each.get(name)).toList();
  }

  private List<Double> ratios(PeerRun ours, PeerRun peer) {
    List<Double> ourRates = rates(ours);
    List<Double> peerRates = rates(peer);
    return IntStream.range(0, ourRates.size())
        .mapToObj(i -> ourRates.get(i) / peerRates.get(i))
        .toList();
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  private static String spread(List<Double> values) {
    return "%s (%s to %s)"
        .formatted(
            number(median(values)),
            number(Collections.min(values)),
            number(Collections.max(values)));
  }

  /** Returns a positive number in about three digits. */
  static String number(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : value >= 10
            ? String.format(Locale.ROOT, "%.1f", value)
            : String.format(Locale.ROOT, "%.3g", value);
  }

  private static void header(StringBuilder text, String names) {
    line(text, names);
    line(text, names.replaceAll("[^|]+", " --- "));
  }

  private static void line(StringBuilder text, String format, Object... arguments) {
    text.append(arguments.length == 0 ? format : String.format(Locale.ROOT, format, arguments))
        .append('\n');
  }
}
