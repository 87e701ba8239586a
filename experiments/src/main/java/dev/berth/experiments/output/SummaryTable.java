package dev.berth.experiments.output;

import dev.berth.core.config.Durations;
import dev.berth.experiments.Contender;
import dev.berth.experiments.Contention;
import dev.berth.experiments.Experiment;
import dev.berth.experiments.Sample;
import dev.berth.experiments.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What an experiment came to, as text: a block for each kind of hosts and scale. */
public final class SummaryTable {

  private static final int DIGITS = 4;

  private final Experiment experiment;
  private final Summary summary;

  public SummaryTable(Experiment experiment, Summary summary) {
    this.experiment = experiment;
    this.summary = summary;
  }

  /** Returns the lines, each without its end. */
  public List<String> render() {
    List<String> lines = new ArrayList<>();
    lines.add(experiment.name());
    if (!experiment.description().isBlank()) {
      lines.add(experiment.description());
    }
    experiment.notes().forEach(each -> lines.add("note: " + each));
    for (Summary.Group each : summary.groups()) {
      lines.add("");
      lines.addAll(group(each));
    }
    lines.add("");
    lines.add(
        "Means over the cases, ± half of the 95 % confidence interval (Student's t). fulfil:");
    lines.add(
        "share that has what was promised; deficit: SLO - availability of those that have not;");
    lines.add("penalty: what that costs in core-hours, with the bonus that is due.");
    return lines;
  }

  private List<String> group(Summary.Group group) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s x %s, %s case%s"
            .formatted(
                group.infrastructure(),
                Numbers.plain(group.scale()),
                group.cases(),
                group.cases() == 1 ? "" : "s"));
    lines.addAll(classes(group));
    lines.add("");
    lines.addAll(totals(group));
    experiment.reference().ifPresent(reference -> lines.addAll(against(group, reference)));
    return lines;
  }

  private static List<String> classes(Summary.Group group) {
    TextTable table = new TextTable(2, 2, 2, 2, 2);
    table.row(List.of("", "fulfil", "mean avail.", "min avail.", "deficit", "never ran"));
    List<String> names =
        group.rows().stream()
            .flatMap(each -> each.classes().stream())
            .map(Summary.ClassFigures::name)
            .distinct()
            .toList();
    for (String name : names) {
      table.across(name);
      for (Summary.Row row : group.rows()) {
        row.classes().stream()
            .filter(each -> each.name().equals(name))
            .forEach(each -> table.row(classRow(row.contender(), each)));
      }
    }
    return table.render();
  }

  private static List<String> classRow(Contender contender, Summary.ClassFigures figures) {
    return List.of(
        "  " + contender.label(),
        estimate(figures.fulfilment(), DIGITS),
        estimate(figures.mean(), DIGITS),
        estimate(figures.min(), DIGITS),
        estimate(figures.deficit(), DIGITS),
        estimate(figures.neverRan(), 1));
  }

  private static List<String> totals(Summary.Group group) {
    TextTable table = new TextTable(2, 2, 2, 2, 2);
    table.row(List.of("", "penalty core h", "preemptions", "waiting s", "pending", "restarts h"));
    for (Summary.Row row : group.rows()) {
      table.row(
          List.of(
              row.contender().label() + (row.failed() == 0 ? "" : " (" + row.failed() + " failed)"),
              estimate(row.penalty(), 2),
              estimate(row.preemptions(), 0),
              estimate(row.waiting(), 1),
              estimate(row.pending(), 1),
              estimate(row.restartOverhead(), 2)));
    }
    return table.render();
  }

  private List<String> against(Summary.Group group, String reference) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    Summary.Row theirs = group.row(reference);
    for (Summary.Row row : group.rows()) {
      if (row.contender().role() == Contender.Role.POLICY
          && !row.contender().label().equals(reference)) {
        Optional<Double> excess = Summary.excess(theirs, row);
        lines.add(
            "penalties of %s over those of %s: %s"
                .formatted(
                    reference,
                    row.contender().label(),
                    excess
                        .map(share -> String.format(Locale.ROOT, "%+.1f %%", 100 * share))
                        .orElse("undefined, it has none")));
      }
    }
    lines.add(
        "intervals of %s by what %s delivers: %s none, %s low, %s medium, %s high"
            .formatted(
                Durations.format(experiment.metrics().interval()),
                reference,
                group.intervals().getOrDefault(Contention.NONE, 0L),
                group.intervals().getOrDefault(Contention.LOW, 0L),
                group.intervals().getOrDefault(Contention.MEDIUM, 0L),
                group.intervals().getOrDefault(Contention.HIGH, 0L)));
    lines.addAll(intervals(group));
    return lines;
  }

  private static List<String> intervals(Summary.Group group) {
    TextTable table = new TextTable(2, 2, 2, 2);
    table.row(List.of("smallest availability of active requests", "", "low", "medium", "high"));
    boolean any = false;
    for (Summary.Row row : group.rows()) {
      if (row.contender().role() == Contender.Role.UPPER_BOUND) {
        continue;
      }
      List<String> names =
          row.active().values().stream()
              .flatMap(List::stream)
              .map(Summary.ActiveFigures::name)
              .distinct()
              .toList();
      for (String name : names) {
        any = true;
        table.row(
            List.of(
                "  " + row.contender().label(),
                name,
                smallest(row, Contention.LOW, name),
                smallest(row, Contention.MEDIUM, name),
                smallest(row, Contention.HIGH, name)));
      }
    }
    return any ? table.render() : List.of();
  }

  private static String smallest(Summary.Row row, Contention level, String serviceClass) {
    return row.active().getOrDefault(level, List.of()).stream()
        .filter(each -> each.name().equals(serviceClass))
        .findFirst()
        .map(each -> estimate(each.min(), 3))
        .orElse(Numbers.NONE);
  }

  private static String estimate(Sample sample, int digits) {
    return switch (sample.size()) {
      case 0 -> Numbers.NONE;
      case 1 -> Numbers.share(sample.mean(), digits);
      default -> Numbers.estimate(sample, digits);
    };
  }
}
