package dev.berth.cli.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.input.Repeated;
import dev.berth.core.config.Durations;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.experiments.run.RunSettings;
import dev.berth.simulator.Scenario;
import java.time.Duration;
import java.util.List;

/** Everything but the policy that a run depends on, as JSON. */
public final class SettingsJson {

  private SettingsJson() {}

  /** Puts the settings. */
  public static void put(ObjectNode node, RunSettings settings) {
    Scenario scenario = settings.scenario();
    node.put("workload", scenario.workload().name());
    node.put("seed", settings.seed());
    node.putObject("infrastructure")
        .put("name", scenario.infrastructure().name())
        .put("hosts", scenario.infrastructure().hosts().size());
    node.put("until", Durations.format(scenario.until()));
    node.put("watchdog", Durations.format(settings.watchdog()));
    if (!settings.apart().isZero()) {
      node.put("apart", Durations.format(settings.apart()));
    }
    node.put("margin", Durations.format(settings.margin()));
    putList(node, "overheads", scenario.overheads().cold());
    putList(node, "hotOverheads", scenario.overheads().hot());
    node.put("crowding", Durations.format(scenario.overheads().crowding()));
    node.put("termination", Durations.format(scenario.overheads().termination()));
    putList(node, "decisionTimes", settings.decisionTimes().preempting());
    putList(node, "plainDecisionTimes", settings.decisionTimes().plain());
    node.put("hostEvents", settings.hostEvents().size());
    settings.faults().ifPresent(each -> node.set("faults", TreeBinder.toJson(each)));
  }

  private static void putList(ObjectNode node, String key, List<Duration> durations) {
    ArrayNode list = node.putArray(key);
    Repeated.words(durations).forEach(list::add);
  }
}
