package dev.berth.runtime;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/** A {@link LoopStatus} as JSON. Times are in seconds; what is absent there is absent here. */
final class StatusJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private StatusJson() {}

  static String of(LoopStatus status) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("taken", status.taken().toString());
    json.put("nowNanos", status.now());
    json.put("phase", status.phase().name().toLowerCase(java.util.Locale.ROOT));
    status.failure().ifPresent(why -> json.put("failure", why));
    json.put("policy", status.policy());
    json.put("waiting", status.totalWaiting());
    ObjectNode waiting = json.putObject("waitingByClassAndReason");
    status.waiting().forEach((name, reasons) -> reasons.forEach(waiting.putObject(name)::put));
    status.longestWait().ifPresent(it -> json.put("longestWaitSeconds", seconds(it)));
    ObjectNode instances = json.putObject("instancesByClassAndState");
    status
        .instances()
        .forEach(
            (name, states) -> {
              ObjectNode ofClass = instances.putObject(name);
              states.forEach(
                  (state, count) ->
                      ofClass.put(state.name().toLowerCase(java.util.Locale.ROOT), count));
            });
    status.fulfilment().forEach(json.putObject("sloFulfilmentByClass")::put);
    status.hosts().forEach(json.putObject("hostsByState")::put);
    json.set("inputs", MAPPER.valueToTree(status.inputs()));
    putPasses(json.putObject("passes"), status.passes());
    json.set("actions", MAPPER.valueToTree(status.actions()));
    status
        .journal()
        .ifPresent(
            journal ->
                json.putObject("journal")
                    .put("bytes", journal.bytes())
                    .put("lastRecord", journal.lastRecord())
                    .put("forces", journal.forces())
                    .put("forceSeconds", seconds(journal.forceTime()))
                    .put("longestForceSeconds", seconds(journal.longestForce()))
                    .put("failedSnapshots", journal.failedSnapshots()));
    json.set("reconciliations", MAPPER.valueToTree(status.reconciliations()));
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    } catch (JsonProcessingException impossible) { // a tree in memory
      throw new IllegalStateException(impossible);
    }
  }

  private static void putPasses(ObjectNode json, LoopStatus.Passes passes) {
    json.put("count", passes.count());
    json.put("failed", passes.failed());
    json.put("seconds", seconds(passes.time()));
    json.put("decisions", passes.decisions());
    passes.preemptions().forEach(json.putObject("preemptionsByClass")::put);
    ObjectNode waits = json.putObject("firstWaitsByClass");
    passes.firstWaits().forEach((name, ofClass) -> putWaits(waits.putObject(name), ofClass));
    ArrayNode latest = json.putArray("latest");
    for (LoopStatus.Pass each : passes.latest()) {
      latest
          .addObject()
          .put("number", each.number())
          .put("atNanos", each.at())
          .put("seconds", seconds(each.time()))
          .put("decisions", each.decisions())
          .put("waiting", each.waiting());
    }
  }

  private static void putWaits(ObjectNode json, LoopStatus.Waits waits) {
    json.put("count", waits.count());
    json.put("seconds", seconds(waits.total()));
    ObjectNode within = json.putObject("withinSeconds");
    waits.within().forEach((bound, count) -> within.put(Double.toString(seconds(bound)), count));
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }
}
