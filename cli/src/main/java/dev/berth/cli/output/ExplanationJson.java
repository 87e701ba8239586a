package dev.berth.cli.output;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Dimension;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.core.config.Durations;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.explain.WhyHere;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.explain.WhyPreempted;
import dev.berth.experiments.RunSettings;
import dev.berth.report.render.JsonText;
import java.util.Locale;

/** An explanation as one JSON object; the same bytes for the same input and seed. */
public final class ExplanationJson {

  private static final double NANOS_PER_SECOND = 1e9;

  private ExplanationJson() {}

  /** Returns the object. */
  public static ObjectNode of(Explanation explanation, RunSettings settings) {
    ObjectNode root = JsonText.object();
    ComparisonJson.putSettings(root, settings);
    root.put("policy", explanation.policy());
    root.set("config", explanation.config());
    root.put("at", Durations.format(explanation.at()));
    putAccounting(root, explanation.accounting());
    explanation.whyPending().ifPresent(why -> put(root.putObject("whyPending"), why));
    explanation.whyHere().ifPresent(why -> put(root.putObject("whyHere"), why));
    explanation.whyPreempted().ifPresent(why -> put(root.putObject("whyPreempted"), why));
    explanation.whyMigrated().ifPresent(why -> put(root.putObject("whyMigrated"), why));
    explanation.whyAdjusted().ifPresent(why -> put(root.putObject("whyAdjusted"), why));
    return root;
  }

  private static void putAccounting(ObjectNode node, Accounting got) {
    node.put("instance", got.instance());
    node.put("state", got.state().name().toLowerCase(Locale.ROOT));
    got.host().ifPresent(host -> node.put("host", host));
    node.put("stateSinceSeconds", seconds(got.stateSince()));
    node.put("class", got.serviceClass().name());
    node.put("slo", got.serviceClass().slo().share());
    got.request().ifPresent(request -> putDemand(node.putObject("demand"), request));
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

  private static void putDemand(ObjectNode node, Request request) {
    for (Dimension each : request.demand().dimensions()) {
      node.put(each.name(), (double) request.demand().amount(each) / each.unitsPerWhole());
    }
  }

  private static void put(ObjectNode node, WhyPending why) {
    node.put("text", why.describe());
    node.put("hosts", why.hosts());
    node.put("roomyHosts", why.roomyHosts());
    node.put("contestedHosts", why.contestedHosts());
    ArrayNode obstacles = node.putArray("obstacles");
    for (WhyPending.Obstacle each : why.obstacles()) {
      obstacles
          .addObject()
          .put("code", each.code())
          .put("kind", each.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .put("hosts", each.hosts())
          .put("text", each.text());
    }
    ArrayNode victims = node.putArray("victims");
    for (WhyPending.VictimRefusal each : why.victims()) {
      victims
          .addObject()
          .put("code", each.code())
          .put("hosts", each.hosts())
          .put("text", each.text());
    }
    why.deferral().ifPresent(reason -> put(node.putObject("deferral"), reason));
  }

  private static void put(ObjectNode node, Reason reason) {
    node.put("code", reason.code()).put("text", reason.describe());
  }

  private static void put(ObjectNode node, WhyHere why) {
    node.put("text", why.describe());
    put(node, why.decision());
  }

  private static void put(ObjectNode node, WhyPreempted why) {
    node.put("text", why.describe());
    node.put("beneficiary", why.decision().instance());
    put(node, why.decision());
  }

  private static void put(ObjectNode node, ActionRecord why) {
    node.put("text", why.describe());
    node.put("pass", why.pass());
    node.put("timeSeconds", seconds(why.now()));
    node.put("action", why.action().describe());
    put(node.putObject("reason"), why.why());
  }

  private static void put(ObjectNode node, Decision decision) {
    node.put("pass", decision.pass());
    node.put("timeSeconds", seconds(decision.now()));
    node.put("host", decision.host());
    JsonText.put(node, "allocationScore", decision.allocationScore());
    if (decision.roomyHosts() >= 0) {
      node.put("roomyHosts", decision.roomyHosts());
    }
    if (decision.contestedHosts() >= 0) {
      node.put("contestedHosts", decision.contestedHosts());
    }
    ArrayNode victims = node.putArray("victims");
    for (Decision.Victim each : decision.victims()) {
      ObjectNode victim = victims.addObject().put("instance", each.instance());
      if (!each.rule().isEmpty()) {
        victim.put("rule", each.rule()).put("why", each.why());
      }
    }
  }

  private static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }
}
