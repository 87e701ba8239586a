package dev.berth.experiments.page;

import dev.berth.core.config.Durations;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.RunSettings;
import dev.berth.report.Block;
import dev.berth.report.Facts;
import dev.berth.report.Facts.Fact;
import dev.berth.report.Numbers;
import dev.berth.report.Table;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.DecisionTimes;
import dev.berth.simulator.execution.Overheads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The settings of an experiment for its readers: what was run, on which hosts, and how. */
record RunFacts(Experiment experiment) {

  private static final int MOST_VALUES = 8;

  /** Returns what all policies have in common. */
  Block shared() {
    List<Fact> facts = new ArrayList<>();
    add(facts, "workload", each -> each.workload());
    add(
        facts,
        "hosts",
        each ->
            each.scale() == 1
                ? each.infrastructure()
                : "%s × %s".formatted(each.infrastructure(), Numbers.plain(each.scale())));
    add(facts, "seed", each -> Long.toString(each.seed()));
    add(facts, "until", each -> Durations.format(scenario(each).until()));
    add(facts, "watchdog", each -> Durations.format(each.settings().watchdog()));
    add(facts, "margin", each -> Durations.format(each.settings().margin()));
    add(facts, "overheads", each -> overheads(scenario(each).overheads()));
    add(facts, "decision times", each -> decisionTimes(each.settings().decisionTimes()));
    add(facts, "host events", each -> hostEvents(each.settings()));
    return new Facts(facts);
  }

  private void add(List<Fact> facts, String name, Function<Case, String> of) {
    List<String> values =
        experiment.cases().stream().map(of).filter(each -> !each.isEmpty()).distinct().toList();
    if (!values.isEmpty()) {
      int others = values.size() - MOST_VALUES;
      String text =
          values.stream().limit(MOST_VALUES).collect(Collectors.joining(", "))
              + (others > 0 ? " and %s others".formatted(others) : "");
      facts.add(new Fact(name, name, Table.Cell.of(text)));
    }
  }

  private static Scenario scenario(Case each) {
    return each.settings().scenario();
  }

  private static String overheads(Overheads overheads) {
    String cold = shares(overheads.cold());
    String hot = shares(overheads.hot());
    return cold
        + (hot.equals(cold) ? "" : "; where it ran before: " + hot)
        + more("; for each other instance that starts there: ", overheads.crowding())
        + more("; after a preemption: ", overheads.termination());
  }

  private static String more(String words, Duration time) {
    return time.isZero() ? "" : words + Durations.format(time) + " more";
  }

  private static String decisionTimes(DecisionTimes times) {
    String plain = shares(times.plain());
    String preempting = shares(times.preempting());
    return times.areZero()
        ? ""
        : preempting + (plain.equals(preempting) ? "" : "; without a preemption: " + plain);
  }

  private static String hostEvents(RunSettings settings) {
    return settings.hostEvents().isEmpty() ? "" : Integer.toString(settings.hostEvents().size());
  }

  /** Returns each value with the share of the draws that give it; one value alone has none. */
  private static String shares(List<Duration> draws) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    draws.stream().sorted().forEach(each -> counts.merge(Durations.format(each), 1, Integer::sum));
    return counts.size() == 1
        ? counts.keySet().iterator().next()
        : counts.entrySet().stream()
            .map(
                each ->
                    "%s (%s %%)"
                        .formatted(
                            each.getKey(),
                            Numbers.fixed(100.0 * each.getValue() / draws.size(), 1)))
            .collect(Collectors.joining(", "));
  }

  /** Returns a table of the policies and their effective configurations. */
  Table policies() {
    return new Columns<ComparedPolicy>()
        .text("Policy", ComparedPolicy::label)
        .text("Id", each -> each.choice().id())
        .text(
            "Role",
            each ->
                switch (each.role()) {
                  case POLICY -> "compared";
                  case LOWER_BOUND -> "bound: preempts nothing";
                  case UPPER_BOUND -> "bound: room for all";
                })
        .text("Configuration", each -> JsonText.line(each.choice().configJson()))
        .table("policies", "Policies and their configurations", experiment.configured());
  }
}
