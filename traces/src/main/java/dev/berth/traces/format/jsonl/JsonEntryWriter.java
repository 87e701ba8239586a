package dev.berth.traces.format.jsonl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.GroupSpec;
import dev.berth.api.HostSpec;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.config.Durations;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.internal.Groups;
import dev.berth.traces.internal.HostEventNames;
import java.math.BigDecimal;

/**
 * Writes requests, hosts and host events as JSON objects, without members that have their default.
 */
final class JsonEntryWriter {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final FieldWriter fields;

  private JsonEntryWriter(String subject) {
    this.fields = new FieldWriter(subject);
  }

  static String line(Arrival arrival) {
    return new JsonEntryWriter("request " + arrival.request().id()).arrival(arrival).toString();
  }

  static String line(HostSpec host) {
    return new JsonEntryWriter("host " + host.id()).host(host).toString();
  }

  static String line(HostEvent event) {
    return new JsonEntryWriter("event at %s ns".formatted(event.at())).event(event).toString();
  }

  private ObjectNode event(HostEvent event) {
    ObjectNode line = NODES.objectNode();
    line.set(JsonHostEventsFormat.TIME, time("time", event.at()));
    line.put(JsonHostEventsFormat.EVENT, HostEventNames.word(event));
    if (event instanceof HostEvent.OfHost ofHost) {
      line.put(JsonHostEventsFormat.HOST, fields.name("host", ofHost.hostId()));
    }
    if (event instanceof HostEvent.Tainted tainted) {
      JsonPlacement.write(line, tainted.taints(), fields);
    } else if (event instanceof HostEvent.LimitSet set) {
      line.put(JsonHostEventsFormat.LIMIT, fields.name("limit", set.limit()));
      line.put(JsonHostEventsFormat.AMOUNT, set.amount());
    }
    return line;
  }

  private ObjectNode arrival(Arrival arrival) {
    Request request = arrival.request();
    ObjectNode line = NODES.objectNode();
    line.set(JsonWorkloadFormat.ADMITTED, time("admission", arrival.at()));
    line.put(JsonWorkloadFormat.ID, fields.name("id", request.id()));
    line.put(JsonWorkloadFormat.CLASS, fields.name("class", request.serviceClass()));
    line.set(JsonWorkloadFormat.SERVICE_TIME, time("service time", arrival.serviceTime()));
    line.set(JsonWorkloadFormat.DEMAND, amounts(request.demand()));
    if (!request.guaranteed().equals(request.demand())) {
      line.set(JsonWorkloadFormat.GUARANTEED, amounts(request.guaranteed()));
    }
    request.job().ifPresent(job -> line.put(JsonWorkloadFormat.JOB, fields.name("job", job)));
    if (request.antiAffinity()) {
      line.put(JsonWorkloadFormat.ANTI_AFFINITY, true);
    }
    if (!request.constraints().isEmpty()) {
      ArrayNode constraints = line.putArray(JsonWorkloadFormat.CONSTRAINTS);
      request.constraints().forEach(each -> constraints.add(constraint(each)));
    }
    JsonPlacement.write(line, request.placement(), fields, this::constraint);
    request
        .application()
        .ifPresent(
            name -> line.put(JsonWorkloadFormat.APPLICATION, fields.name("application", name)));
    request.user().ifPresent(user -> line.put(JsonWorkloadFormat.USER, fields.name("user", user)));
    if (!request.labels().isEmpty()) {
      ObjectNode labels = line.putObject(JsonWorkloadFormat.LABELS);
      request
          .labels()
          .forEach(
              (name, value) ->
                  labels.put(fields.text("label", name), fields.text("label " + name, value)));
    }
    request
        .estimatedRunTime()
        .ifPresent(nanos -> line.set(JsonWorkloadFormat.ESTIMATE, time("estimate", nanos)));
    request
        .deadline()
        .ifPresent(nanos -> line.set(JsonWorkloadFormat.DEADLINE, time("deadline", nanos)));
    arrival.bag().ifPresent(bag -> line.set(JsonWorkloadFormat.BAG, bag(bag)));
    arrival.group().ifPresent(group -> line.set(JsonWorkloadFormat.GROUP, group(group)));
    arrival.budget().ifPresent(budget -> line.set(JsonWorkloadFormat.BUDGET, budget(budget)));
    request
        .moldability()
        .ifPresent(how -> line.set(JsonWorkloadFormat.MOLDABILITY, moldability(how)));
    request
        .memoryProfile()
        .ifPresent(each -> line.set(JsonWorkloadFormat.MEMORY_PROFILE, profile(each)));
    request
        .performanceMemoryProfile()
        .ifPresent(each -> line.set(JsonWorkloadFormat.PERFORMANCE, performance(each)));
    ActualBehaviour behaviour = arrival.behaviour();
    if (!behaviour.equals(ActualBehaviour.asSaid(request))) {
      ObjectNode actual = line.putObject(JsonWorkloadFormat.BEHAVIOUR);
      behaviour
          .memory()
          .ifPresent(each -> actual.set(JsonWorkloadFormat.MEMORY_PROFILE, profile(each)));
      behaviour
          .performance()
          .ifPresent(each -> actual.set(JsonWorkloadFormat.PERFORMANCE, performance(each)));
      if (!behaviour.keepsProgress()) {
        actual.put(JsonWorkloadFormat.KEEPS_PROGRESS, false);
      }
    }
    return line;
  }

  private ObjectNode host(HostSpec host) {
    ObjectNode line = NODES.objectNode();
    line.put(JsonInfrastructureFormat.ID, fields.name("id", host.id()));
    line.set(JsonInfrastructureFormat.CAPACITY, amounts(host.capacity()));
    if (!host.attributes().isEmpty()) {
      ObjectNode attributes = line.putObject(JsonInfrastructureFormat.ATTRIBUTES);
      host.attributes()
          .forEach(
              (name, value) ->
                  attributes.put(
                      fields.text("attribute", name), fields.text("attribute " + name, value)));
    }
    if (host.timeShared()) {
      line.put(JsonInfrastructureFormat.TIME_SHARED, true);
    }
    JsonPlacement.write(line, host.taints(), fields);
    return line;
  }

  private JsonNode time(String what, long nanos) {
    return NODES.numberNode(new BigDecimal(fields.time(what, nanos)));
  }

  private ObjectNode amounts(Resources resources) {
    ObjectNode amounts = NODES.objectNode();
    for (Dimension each : resources.dimensions()) {
      amounts.put(
          fields.text("dimension", each.name()),
          new BigDecimal(fields.amount(each, resources.amount(each))));
    }
    return amounts;
  }

  private ObjectNode constraint(Constraint constraint) {
    ObjectNode object = NODES.objectNode();
    object.put(
        JsonWorkloadFormat.ATTRIBUTE,
        fields.name("attribute of a constraint", constraint.attribute()));
    String operator = JsonWorkloadFormat.OPERATOR;
    String value = JsonWorkloadFormat.VALUE;
    if (constraint instanceof Constraint.Equal equal) {
      object.put(operator, "==").put(value, fields.text("constraint", equal.value()));
    } else if (constraint instanceof Constraint.NotEqual differs) {
      object.put(operator, "!=").put(value, fields.text("constraint", differs.value()));
    } else if (constraint instanceof Constraint.LessThan less) {
      object.put(operator, "<").put(value, less.bound());
    } else if (constraint instanceof Constraint.GreaterThan more) {
      object.put(operator, ">").put(value, more.bound());
    } else if (constraint instanceof Constraint.In in) {
      ArrayNode values =
          object.put(operator, JsonWorkloadFormat.IN).putArray(JsonWorkloadFormat.VALUES);
      in.values().forEach(each -> values.add(fields.text("constraint", each)));
    } else {
      object.put(operator, JsonWorkloadFormat.EXISTS);
    }
    return object;
  }

  private ObjectNode bag(Arrival.InBag bag) {
    ObjectNode object = NODES.objectNode();
    object.put(JsonWorkloadFormat.ID, fields.name("bag", bag.id()));
    bag.timeToLive()
        .ifPresent(
            time ->
                object.set(
                    JsonWorkloadFormat.TIME_TO_LIVE,
                    time("time to live", Durations.toNanosSaturated(time))));
    return object;
  }

  private ObjectNode group(Arrival.InGroup group) {
    ObjectNode object = NODES.objectNode();
    object.put(JsonWorkloadFormat.ID, fields.name("group", group.id()));
    group.minCount().ifPresent(least -> object.put(JsonWorkloadFormat.MIN_COUNT, least));
    if (group.onLoss() != GroupSpec.OnLoss.RESTORE) {
      object.put(JsonWorkloadFormat.ON_LOSS, Groups.word(group.onLoss()));
    }
    return object;
  }

  private static ObjectNode budget(DisruptionBudget budget) {
    String limit =
        budget.limit() == DisruptionBudget.Limit.MAX_DOWN
            ? JsonWorkloadFormat.MAX_DOWN
            : JsonWorkloadFormat.MIN_UP;
    return NODES.objectNode().put(limit, budget.members());
  }

  private static ArrayNode moldability(Moldability how) {
    ArrayNode points = NODES.arrayNode();
    for (Moldability.Point each : how.points()) {
      points
          .addObject()
          .put(JsonWorkloadFormat.SHARE, each.share())
          .put(JsonWorkloadFormat.FACTOR, each.factor());
    }
    return points;
  }

  private ArrayNode profile(MemoryProfile profile) {
    ArrayNode steps = NODES.arrayNode();
    for (MemoryProfile.Step each : profile.steps()) {
      ObjectNode step = steps.addObject();
      step.set(JsonWorkloadFormat.FROM, time("step of the memory profile", each.from()));
      step.put(
          JsonWorkloadFormat.NEED, new BigDecimal(fields.amount(Dimension.MEMORY, each.need())));
    }
    return steps;
  }

  private ArrayNode performance(PerformanceMemoryProfile profile) {
    ArrayNode points = NODES.arrayNode();
    for (PerformanceMemoryProfile.Point each : profile.points()) {
      ObjectNode point = points.addObject();
      point.put(
          JsonWorkloadFormat.MEMORY,
          new BigDecimal(fields.amount(Dimension.MEMORY, each.memory())));
      point.set(JsonWorkloadFormat.RUN_TIME, time("run time", each.runTime()));
    }
    return points;
  }
}
