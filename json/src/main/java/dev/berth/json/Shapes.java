package dev.berth.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.LimitUse;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.SchedulerStats;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.explain.GroupRoom;
import dev.berth.core.explain.WhyHere;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.explain.WhyPreempted;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/** The JSON of each type: names and order of its members. */
final class Shapes {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Shapes() {}

  static JsonNode of(Plan plan) {
    ObjectNode node = object();
    node.put("pass", plan.pass());
    node.set("timeSeconds", seconds(plan.now()));
    node.set("triggers", list(plan.triggers(), each -> NODES.textNode(word(each))));
    node.set("actions", list(plan.actions(), Shapes::of));
    node.set("deferrals", map(plan.deferrals(), Shapes::of));
    node.set("bagDeferrals", map(plan.bagDeferrals(), Shapes::of));
    plan.blockedHead().ifPresent(head -> node.put("blockedHead", head));
    node.set("endedBags", list(plan.endedBags(), Shapes::of));
    node.set(
        "policyErrors",
        list(
            plan.policyErrors(),
            each -> {
              ObjectNode error = object().put("subject", each.subject());
              error.set("reason", of(each.why()));
              return error;
            }));
    return node;
  }

  static JsonNode of(Action action) {
    ObjectNode node = object().put("action", word(action.getClass().getSimpleName()));
    if (action instanceof Action.OnInstance onInstance) {
      node.put("instance", onInstance.instance());
    }
    if (action instanceof Action.Migrate migrate) {
      node.put("from", migrate.from());
    }
    if (action instanceof Action.OnHost onHost) {
      node.put("host", onHost.host());
    }
    if (action instanceof Action.Starts starts) {
      node.put("attempt", starts.attempt());
    }
    if (action instanceof Action.Stop stop) {
      node.set("report", of(stop.report()));
    }
    if (action instanceof Action.Place place) {
      node.set("victims", texts(place.victims()));
      place.grant().ifPresent(grant -> node.set("grant", of(grant)));
    } else if (action instanceof Action.Preempt preempt) {
      node.put("beneficiary", preempt.beneficiary());
    } else if (action instanceof Action.Resize resize) {
      node.set("grant", of(resize.grant()));
    } else if (action instanceof Action.Resume resume) {
      node.set("grant", of(resume.grant()));
    } else if (action instanceof Action.Migrate migrate) {
      node.set("grant", of(migrate.grant()));
    } else if (action instanceof Action.Evict evict) {
      node.set("reason", of(evict.why()));
    } else if (action instanceof Action.Ends ends) {
      node.set("reason", of(ends.why()));
    } else if (action instanceof Action.Provision provision) {
      node.put("pool", provision.pool()).set("hosts", texts(provision.hosts()));
      provision.cluster().ifPresent(cluster -> node.put("cluster", cluster));
      putSeconds(node, "expiresAtSeconds", provision.expiresAt());
    } else if (action instanceof Action.Release release) {
      node.put("host", release.host()).put("pool", release.pool());
    } else if (action instanceof Action.Assign assign) {
      node.put("bag", assign.bag()).put("cluster", assign.cluster());
      putSeconds(node, "expiresAtSeconds", assign.expiresAt());
    } else if (action instanceof Action.Cancel cancel) {
      node.put("bag", cancel.bag()).set("instances", texts(cancel.instances()));
      node.set("reason", of(cancel.why()));
    }
    return node;
  }

  static JsonNode of(Reason reason) {
    return object()
        .put("code", reason.code())
        .put("kind", word(reason.kind()))
        .put("text", reason.describe());
  }

  static JsonNode of(Decision decision) {
    ObjectNode node = object();
    node.put("instance", decision.instance());
    put(node, decision);
    return node;
  }

  /** Puts all but the instance, which explanations have under another name. */
  private static void put(ObjectNode node, Decision decision) {
    node.put("pass", decision.pass());
    node.set("timeSeconds", seconds(decision.now()));
    node.put("host", decision.host());
    putNumber(node, "allocationScore", decision.allocationScore());
    if (decision.roomyHosts() >= 0) {
      node.put("roomyHosts", decision.roomyHosts());
    }
    if (decision.contestedHosts() >= 0) {
      node.put("contestedHosts", decision.contestedHosts());
    }
    node.set("victims", list(decision.victims(), Shapes::of));
    if (!decision.top().isEmpty()) {
      node.set("topHosts", list(decision.top(), Shapes::of));
    }
  }

  private static JsonNode of(Decision.Victim victim) {
    ObjectNode node = object().put("instance", victim.instance());
    if (!victim.rule().isEmpty()) {
      node.put("rule", victim.rule()).put("why", victim.why());
      node.put("value", victim.value()).put("beneficiaryValue", victim.beneficiaryValue());
    }
    return node;
  }

  private static JsonNode of(Decision.HostScore score) {
    ObjectNode node = object().put("host", score.host());
    if (!score.cost().isEmpty()) {
      node.set("preemptionCost", list(score.cost(), NODES::numberNode));
    }
    return node.put("allocationScore", score.allocationScore());
  }

  static JsonNode of(ActionRecord adjusted) {
    ObjectNode node = object().put("text", adjusted.describe()).put("pass", adjusted.pass());
    node.set("timeSeconds", seconds(adjusted.now()));
    node.set("action", of(adjusted.action()));
    node.set("reason", of(adjusted.why()));
    return node;
  }

  static JsonNode of(WhyPending why) {
    ObjectNode node = object().put("text", why.describe()).put("instance", why.instance());
    node.set("timeSeconds", seconds(why.now()));
    node.put("state", word(why.state()));
    why.host().ifPresent(host -> node.put("host", host));
    node.put("hosts", why.hosts());
    node.put("roomyHosts", why.roomyHosts());
    node.put("contestedHosts", why.contestedHosts());
    node.set("obstacles", list(why.obstacles(), Shapes::of));
    node.set(
        "victims",
        list(
            why.victims(),
            each ->
                object()
                    .put("code", each.code())
                    .put("hosts", each.hosts())
                    .put("text", each.text())));
    why.deferral().ifPresent(reason -> node.set("deferral", of(reason)));
    node.set("policyErrors", list(why.policyErrors(), Shapes::of));
    why.group().ifPresent(room -> node.set("group", of(room)));
    return node;
  }

  private static JsonNode of(WhyPending.Obstacle obstacle) {
    return object()
        .put("code", obstacle.code())
        .put("kind", word(obstacle.kind()))
        .put("hosts", obstacle.hosts())
        .put("text", obstacle.text());
  }

  private static JsonNode of(GroupRoom room) {
    ObjectNode node =
        object()
            .put("text", room.describe())
            .put("group", room.group())
            .put("needed", room.needed())
            .put("waiting", room.waiting())
            .put("heldBack", room.heldBack());
    node.set("now", of(room.now()));
    node.set("emptied", of(room.emptied()));
    return node;
  }

  private static JsonNode of(GroupRoom.Room room) {
    ObjectNode node = object().put("members", room.members()).put("exact", room.exact());
    node.set("obstacles", list(room.obstacles(), Shapes::of));
    return node;
  }

  static JsonNode of(WhyHere why) {
    ObjectNode node = object().put("text", why.describe());
    node.put("instance", why.decision().instance()).put("hosts", why.hosts());
    put(node, why.decision());
    return node;
  }

  static JsonNode of(WhyPreempted why) {
    ObjectNode node = object().put("text", why.describe());
    node.put("instance", why.victim().instance());
    node.put("beneficiary", why.decision().instance());
    put(node, why.decision());
    return node;
  }

  static JsonNode of(InstanceReport report) {
    ObjectNode node = object().put("instance", report.id());
    node.put("class", report.serviceClass().name());
    node.set("admittedAtSeconds", seconds(report.admittedAt()));
    node.set("endedAtSeconds", seconds(report.endedAt()));
    node.set("serviceSeconds", seconds(report.serviceTime()));
    node.set("waitingSeconds", seconds(report.waitingTime()));
    putNumber(node, "availability", report.availability());
    node.put("sloMet", report.sloMet());
    node.put("preemptions", report.preemptions());
    node.put("placements", report.placements());
    node.set("restartOverheadSeconds", seconds(report.restartOverhead()));
    return node;
  }

  static JsonNode of(BagReport report) {
    ObjectNode node = object().put("bag", report.bag());
    node.put("size", report.size()).put("completed", report.completed());
    node.set("cancelled", list(report.cancelled(), Shapes::of));
    report.why().ifPresent(why -> node.set("reason", of(why)));
    node.set("submittedAtSeconds", seconds(report.submittedAt()));
    putSeconds(node, "assignedAtSeconds", report.assignedAt());
    node.set("endedAtSeconds", seconds(report.endedAt()));
    report.cluster().ifPresent(cluster -> node.put("cluster", cluster));
    node.set("serviceSeconds", seconds(report.serviceTime()));
    return node;
  }

  static JsonNode of(Rejection rejection) {
    ObjectNode node = object();
    node.put("pass", rejection.action().pass()).put("index", rejection.action().index());
    node.put("why", rejection.why());
    node.set(
        "undone",
        list(
            rejection.undone(),
            each -> {
              ObjectNode one = object();
              one.put("pass", each.id().pass()).put("index", each.id().index());
              return one.set("action", of(each.action()));
            }));
    return node;
  }

  static JsonNode of(SchedulerStats stats) {
    ObjectNode node = object();
    if (stats.now() != Long.MIN_VALUE) { // before the first event
      node.set("timeSeconds", seconds(stats.now()));
    }
    node.put("hosts", stats.hosts());
    ObjectNode classes = node.putObject("instances");
    stats
        .instances()
        .forEach(
            (name, states) -> {
              ObjectNode byState = classes.putObject(name);
              states.forEach((state, count) -> byState.put(word(state), count));
            });
    node.put("passes", stats.passes()).put("passesUndone", stats.passesUndone());
    putSeconds(node, "lastPassAtSeconds", stats.lastPassAt());
    ObjectNode actions = node.putObject("actions");
    stats.actions().forEach(actions::put);
    return node.put("eventsRefused", stats.eventsRefused())
        .put("staleReports", stats.staleReports())
        .put("actionsUndone", stats.actionsUndone());
  }

  static JsonNode of(Request request) {
    ObjectNode node = object().put("id", request.id()).put("class", request.serviceClass());
    node.set("demand", of(request.demand()));
    if (!request.guaranteed().equals(request.demand())) {
      node.set("guaranteed", of(request.guaranteed()));
    }
    request.job().ifPresent(job -> node.put("job", job));
    if (request.antiAffinity()) {
      node.put("antiAffinity", true);
    }
    if (!request.constraints().isEmpty()) {
      node.set("constraints", list(request.constraints(), each -> NODES.textNode(each.describe())));
    }
    put(node, request.placement());
    request.application().ifPresent(name -> node.put("application", name));
    request.user().ifPresent(user -> node.put("user", user));
    if (!request.labels().isEmpty()) {
      node.set("labels", map(request.labels(), NODES::textNode));
    }
    request.payload().ifPresent(text -> node.put("payload", text));
    putSeconds(node, "estimateSeconds", request.estimatedRunTime());
    putSeconds(node, "deadlineSeconds", request.deadline());
    putSeconds(node, "maxRunSeconds", request.maxRunTime());
    if (request.losesProgress()) {
      node.put("losesProgress", true);
    }
    request.maxFailures().ifPresent(most -> node.put("maxFailures", most));
    putWords(node, "after", request.after(), each -> each);
    return node;
  }

  static JsonNode of(HostSpec host) {
    ObjectNode node = object().put("id", host.id());
    node.set("capacity", of(host.capacity()));
    node.set("attributes", map(host.attributes(), NODES::textNode));
    node.put("timeShared", host.timeShared());
    putWords(node, "taints", host.taints(), Taint::describe);
    return node;
  }

  private static void put(ObjectNode node, PlacementSpec placement) {
    putWords(node, "tolerations", placement.tolerations(), Toleration::describe);
    putWords(node, "rules", placement.rules(), PlacementRule::describe);
    putWords(node, "preferences", placement.preferences(), Preference::describe);
    putWords(node, "limits", placement.limits(), LimitUse::describe);
  }

  private static <T> void putWords(
      ObjectNode node, String name, Collection<T> values, Function<T, String> words) {
    if (!values.isEmpty()) {
      node.set(name, list(values, each -> NODES.textNode(words.apply(each))));
    }
  }

  static JsonNode of(Resources resources) {
    ObjectNode node = object();
    for (Dimension each : resources.dimensions()) {
      node.set(
          each.name(), DecimalNode.valueOf(new BigDecimal(each.format(resources.amount(each)))));
    }
    return node;
  }

  // ---- Parts

  private static ObjectNode object() {
    return NODES.objectNode();
  }

  private static JsonNode seconds(long nanos) {
    BigDecimal exact = BigDecimal.valueOf(nanos, 9).stripTrailingZeros();
    return DecimalNode.valueOf(exact.scale() < 0 ? exact.setScale(0) : exact); // 100, not 1E+2
  }

  private static void putSeconds(ObjectNode node, String name, OptionalLong nanos) {
    if (nanos.isPresent()) {
      node.set(name, seconds(nanos.getAsLong()));
    }
  }

  private static void putNumber(ObjectNode node, String name, OptionalDouble number) {
    if (number.isPresent()) {
      node.put(name, number.getAsDouble());
    }
  }

  private static String word(Enum<?> constant) {
    return word(constant.name());
  }

  private static String word(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static JsonNode texts(Collection<String> texts) {
    return list(texts, NODES::textNode);
  }

  private static <T> JsonNode list(Collection<T> values, Function<T, JsonNode> shape) {
    ArrayNode list = NODES.arrayNode(values.size());
    values.forEach(each -> list.add(shape.apply(each)));
    return list;
  }

  private static <T> JsonNode map(Map<String, T> values, Function<T, JsonNode> shape) {
    ObjectNode map = object();
    values.forEach((name, value) -> map.set(name, shape.apply(value)));
    return map;
  }
}
