package dev.berth.cli.output;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.output.TextTable;
import dev.berth.traces.prepare.DemandSample;
import dev.berth.traces.prepare.Distribution;
import dev.berth.traces.prepare.WorkloadDescription;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The description of a workload for people. */
public final class DescriptionText {

  private static final MathContext DIGITS = new MathContext(4);
  private static final int BAR = 30;

  private final WorkloadDescription description;
  private final List<DemandSample> series;
  private final Map<String, WorkloadDescription.Figures> groups = new LinkedHashMap<>();

  public DescriptionText(WorkloadDescription description, List<DemandSample> series) {
    this.description = description;
    this.series = series;
    groups.putAll(description.byClass());
    groups.put("all", description.all());
  }

  /** Returns the lines, each without its end. */
  public List<String> render() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: admitted from %s to %s; if all run at once, done at %s"
            .formatted(
                description.workload(),
                TimeText.of(description.firstAdmission()),
                TimeText.of(description.lastAdmission()),
                TimeText.of(description.lastEnd())));
    lines.add("");
    lines.addAll(counts());
    lines.add("");
    lines.addAll(distributions());
    if (description.all().serviceTime().estimated()) {
      lines.add(
          "percentiles estimated from a random sample of %s requests".formatted(Distribution.KEPT));
    }
    lines.add("");
    lines.addAll(peaks());
    for (Dimension each : description.all().demand().keySet()) {
      lines.add("");
      lines.addAll(overTime(each));
    }
    return lines;
  }

  private List<String> counts() {
    TextTable table = new TextTable(2, 2, 2, 2, 2);
    table.row(List.of("", "requests", "jobs", "users", "anti-affinity", "constraints"));
    groups.forEach(
        (name, figures) ->
            table.row(
                List.of(
                    name,
                    Long.toString(figures.requests()),
                    Long.toString(figures.jobs()),
                    Long.toString(figures.users()),
                    share(figures.antiAffine(), figures.requests()),
                    share(figures.constrained(), figures.requests()))));
    return table.render();
  }

  private static String share(long part, long whole) {
    return Numbers.share((double) part / whole, 3);
  }

  private List<String> distributions() {
    TextTable table = new TextTable(2, 2, 2, 2, 2, 2, 2);
    table.row(List.of("of a request", "least", "5 %", "median", "mean", "95 %", "99 %", "most"));
    table.across("service time, s");
    groups.forEach((name, figures) -> table.row(row("  " + name, figures.serviceTime())));
    for (Dimension each : description.all().demand().keySet()) {
      table.across(each.name());
      groups.forEach(
          (name, figures) -> table.row(row("  " + name, of(figures, each).perRequest())));
    }
    return table.render();
  }

  private static List<String> row(String name, Distribution values) {
    return List.of(
        name,
        number(values.min()),
        number(values.p5()),
        number(values.median()),
        number(values.mean()),
        number(values.p95()),
        number(values.p99()),
        number(values.max()));
  }

  private List<String> peaks() {
    TextTable table = new TextTable(2, 2, 2);
    table.row(List.of("in use at once", "mean", "peak", "at"));
    for (Dimension each : description.all().demand().keySet()) {
      table.across(each.name());
      groups.forEach(
          (name, figures) -> {
            WorkloadDescription.Demand demand = of(figures, each);
            table.row(
                List.of(
                    "  " + name,
                    number(demand.mean()),
                    each.format(demand.peak()),
                    demand.peak() == 0 ? Numbers.NONE : TimeText.of(demand.peakAt())));
          });
    }
    return table.render();
  }

  private List<String> overTime(Dimension dimension) {
    List<String> classes = List.copyOf(description.byClass().keySet());
    double most = series.stream().mapToDouble(sample -> total(sample, dimension)).max().orElse(0);
    TextTable table = new TextTable(gaps(classes.size() + 2));
    List<String> heading = new ArrayList<>(List.of(dimension + " over time"));
    heading.addAll(classes);
    heading.add("all");
    heading.add("");
    table.row(heading);
    for (DemandSample sample : series) {
      List<String> row = new ArrayList<>(List.of("  " + TimeText.of(sample.at())));
      StringBuilder bar = new StringBuilder();
      double sum = 0;
      for (String each : classes) {
        double amount = amount(sample, each, dimension);
        sum += amount;
        row.add(number(amount / dimension.unitsPerWhole()));
        long until = most == 0 ? 0 : Math.round(BAR * sum / most);
        bar.append(each.substring(0, 1).repeat((int) until - bar.length()));
      }
      row.add(number(sum / dimension.unitsPerWhole()));
      row.add(bar + " ".repeat(BAR - bar.length()));
      table.row(row);
    }
    return table.render();
  }

  private static Integer[] gaps(int count) {
    Integer[] gaps = new Integer[count];
    Arrays.fill(gaps, 2);
    return gaps;
  }

  private static double total(DemandSample sample, Dimension dimension) {
    return sample.byClass().values().stream().mapToDouble(each -> each.amount(dimension)).sum();
  }

  private static double amount(DemandSample sample, String serviceClass, Dimension dimension) {
    return sample.byClass().getOrDefault(serviceClass, Resources.none()).amount(dimension);
  }

  private static WorkloadDescription.Demand of(
      WorkloadDescription.Figures figures, Dimension dimension) {
    WorkloadDescription.Demand demand = figures.demand().get(dimension);
    if (demand == null) {
      throw new IllegalStateException(dimension + " is not told of all classes.");
    }
    return demand;
  }

  /** Returns a number with four significant digits. */
  private static String number(double value) {
    if (value == 0) {
      return "0";
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return (rounded.scale() > 0 ? rounded.stripTrailingZeros() : rounded).toPlainString();
  }
}
