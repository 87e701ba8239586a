package dev.berth.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.run.SettingsJson;
import dev.berth.core.config.Durations;
import dev.berth.experiments.run.RunSettings;
import dev.berth.json.BerthModule;
import dev.berth.report.render.JsonText;
import java.util.Locale;

/** An explanation as one JSON object; the same bytes for the same input and seed. */
public final class ExplanationJson {

  private static final double NANOS_PER_SECOND = 1e9;

  private static final ObjectMapper SHAPES =
      JsonMapper.builder().addModule(new BerthModule()).build();

  private ExplanationJson() {}

  /** Returns the object for an explanation that comes from a simulation. */
  public static ObjectNode of(Explanation explanation, RunSettings settings) {
    ObjectNode root = JsonText.object();
    SettingsJson.put(root, settings);
    putExplanation(root, explanation);
    return root;
  }

  /** Returns the object for an explanation that comes from a journal. */
  public static ObjectNode ofJournal(Explanation explanation, String journal) {
    ObjectNode root = JsonText.object();
    root.put("journal", journal);
    putExplanation(root, explanation);
    return root;
  }

  private static void putExplanation(ObjectNode root, Explanation explanation) {
    root.put("policy", explanation.policy());
    root.set("config", explanation.config());
    root.put("at", Durations.format(explanation.at()));
    putAccounting(root, explanation.accounting());
    explanation.whyPending().ifPresent(why -> root.set("whyPending", shape(why)));
    explanation.whyHere().ifPresent(why -> root.set("whyHere", shape(why)));
    explanation.whyPreempted().ifPresent(why -> root.set("whyPreempted", shape(why)));
    explanation.whyMigrated().ifPresent(why -> root.set("whyMigrated", shape(why)));
    explanation.whyAdjusted().ifPresent(why -> root.set("whyAdjusted", shape(why)));
    explanation.whyProtected().ifPresent(why -> root.set("whyProtected", shape(why)));
  }

  private static void putAccounting(ObjectNode node, InstanceAccount got) {
    node.put("instance", got.instance());
    node.put("state", got.state().name().toLowerCase(Locale.ROOT));
    got.host().ifPresent(host -> node.put("host", host));
    node.put("stateSinceSeconds", seconds(got.stateSince()));
    node.put("class", got.serviceClass().name());
    node.put("slo", got.serviceClass().slo().share());
    got.request().ifPresent(request -> node.set("demand", shape(request.demand())));
    node.put("admittedAtSeconds", seconds(got.admittedAt()));
    node.put("serviceSeconds", seconds(got.serviceTime()));
    node.put("waitingSeconds", seconds(got.waitingTime()));
    JsonText.put(node, "availability", got.availability());
    got.spare().ifPresent(spare -> node.put("spareSeconds", seconds(spare)));
    got.catchUp().ifPresent(catchUp -> node.put("catchUpSeconds", seconds(catchUp)));
    node.put("placements", got.placements());
    node.put("preemptions", got.preemptions());
    node.put("migrations", got.migrations());
    node.put("restartOverheadSeconds", seconds(got.restartOverhead()));
  }

  /** Returns what {@link BerthModule} makes of a value, so that programs read one shape of it. */
  private static JsonNode shape(Object value) {
    return SHAPES.valueToTree(value);
  }

  private static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }
}
