package dev.berth.traces.format.jsonl;

import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.ADMITTED;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.AFTER;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.ANTI_AFFINITY;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.APPLICATION;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.ATTRIBUTE;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.BAG;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.BEHAVIOUR;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.BUDGET;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.CLASS;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.CONSTRAINTS;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.DEADLINE;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.DEMAND;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.ESTIMATE;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.EXISTS;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.FACTOR;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.FROM;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.GROUP;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.GUARANTEED;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.ID;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.IN;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.JOB;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.KEEPS_PROGRESS;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.LABELS;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.LOSES_PROGRESS;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.MAX_DOWN;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.MAX_RUN_TIME;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.MEMORY;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.MEMORY_PROFILE;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.MIN_COUNT;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.MIN_UP;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.MOLDABILITY;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.NEED;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.ON_LOSS;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.OPERATOR;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.PERFORMANCE;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.RUN_TIME;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.SERVICE_TIME;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.SHARE;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.TIME_TO_LIVE;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.USER;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.VALUE;
import static dev.berth.traces.format.jsonl.JsonWorkloadFormat.VALUES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.GroupSpec;
import dev.berth.core.config.Durations;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.internal.Groups;
import dev.berth.traces.internal.HostEventNames;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Writes requests, hosts and host events as JSON objects, without members that have their default.
 */
record JsonEntryWriter(FieldWriter fields) {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  static String line(Arrival arrival) {
    return new JsonEntryWriter(new FieldWriter("request " + arrival.request().id()))
        .arrival(arrival)
        .toString();
  }

  static String line(HostSpec host) {
    return new JsonEntryWriter(new FieldWriter("host " + host.id())).host(host).toString();
  }

  static String line(HostEvent event) {
    return new JsonEntryWriter(new FieldWriter("event at %s ns".formatted(event.at())))
        .event(event)
        .toString();
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
    line.set(ADMITTED, time("admission", arrival.at()));
    line.put(ID, fields.name("id", request.id()));
    line.put(CLASS, fields.name("class", request.serviceClass()));
    line.set(SERVICE_TIME, time("service time", arrival.serviceTime()));
    line.set(DEMAND, amounts(request.demand()));
    if (!request.guaranteed().equals(request.demand())) {
      line.set(GUARANTEED, amounts(request.guaranteed()));
    }
    request.job().ifPresent(job -> line.put(JOB, fields.name("job", job)));
    if (request.antiAffinity()) {
      line.put(ANTI_AFFINITY, true);
    }
    if (!request.constraints().isEmpty()) {
      ArrayNode constraints = line.putArray(CONSTRAINTS);
      request.constraints().forEach(each -> constraints.add(constraint(each)));
    }
    JsonPlacement.write(line, request.placement(), fields, this::constraint);
    request
        .application()
        .ifPresent(name -> line.put(APPLICATION, fields.name("application", name)));
    request.user().ifPresent(user -> line.put(USER, fields.name("user", user)));
    pairs(line, LABELS, "label", request.labels());
    request.estimatedRunTime().ifPresent(nanos -> line.set(ESTIMATE, time("estimate", nanos)));
    request.deadline().ifPresent(nanos -> line.set(DEADLINE, time("deadline", nanos)));
    request.maxRunTime().ifPresent(nanos -> line.set(MAX_RUN_TIME, time("max run time", nanos)));
    if (request.losesProgress()) {
      line.put(LOSES_PROGRESS, true);
    }
    if (!request.after().isEmpty()) {
      ArrayNode ids = line.putArray(AFTER);
      request.after().forEach(each -> ids.add(fields.name(AFTER, each)));
    }
    arrival.bag().ifPresent(bag -> line.set(BAG, bag(bag)));
    arrival.group().ifPresent(group -> line.set(GROUP, group(group)));
    arrival.budget().ifPresent(budget -> line.set(BUDGET, budget(budget)));
    request.moldability().ifPresent(how -> line.set(MOLDABILITY, moldability(how)));
    request.memoryProfile().ifPresent(each -> line.set(MEMORY_PROFILE, profile(each)));
    request.performanceMemoryProfile().ifPresent(each -> line.set(PERFORMANCE, performance(each)));
    ActualBehaviour behaviour = arrival.behaviour();
    if (!behaviour.equals(ActualBehaviour.asSaid(request))) {
      ObjectNode actual = line.putObject(BEHAVIOUR);
      behaviour.memory().ifPresent(each -> actual.set(MEMORY_PROFILE, profile(each)));
      behaviour.performance().ifPresent(each -> actual.set(PERFORMANCE, performance(each)));
      if (behaviour.keepsProgress() == request.losesProgress()) {
        actual.put(KEEPS_PROGRESS, behaviour.keepsProgress());
      }
    }
    return line;
  }

  private ObjectNode host(HostSpec host) {
    ObjectNode line = NODES.objectNode();
    line.put(JsonInfrastructureFormat.ID, fields.name("id", host.id()));
    line.set(JsonInfrastructureFormat.CAPACITY, amounts(host.capacity()));
    pairs(line, JsonInfrastructureFormat.ATTRIBUTES, "attribute", host.attributes());
    if (host.timeShared()) {
      line.put(JsonInfrastructureFormat.TIME_SHARED, true);
    }
    JsonPlacement.write(line, host.taints(), fields);
    return line;
  }

  private void pairs(ObjectNode line, String member, String what, Map<String, String> values) {
    if (!values.isEmpty()) {
      ObjectNode object = line.putObject(member);
      values.forEach(
          (name, value) ->
              object.put(fields.text(what, name), fields.text(what + " " + name, value)));
    }
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
    object.put(ATTRIBUTE, fields.name("attribute of a constraint", constraint.attribute()));
    String operator = OPERATOR;
    String value = VALUE;
    if (constraint instanceof Constraint.Equal equal) {
      object.put(operator, "==").put(value, fields.text("constraint", equal.value()));
    } else if (constraint instanceof Constraint.NotEqual differs) {
      object.put(operator, "!=").put(value, fields.text("constraint", differs.value()));
    } else if (constraint instanceof Constraint.LessThan less) {
      object.put(operator, "<").put(value, less.bound());
    } else if (constraint instanceof Constraint.GreaterThan more) {
      object.put(operator, ">").put(value, more.bound());
    } else if (constraint instanceof Constraint.In in) {
      ArrayNode values = object.put(operator, IN).putArray(VALUES);
      in.values().forEach(each -> values.add(fields.text("constraint", each)));
    } else {
      object.put(operator, EXISTS);
    }
    return object;
  }

  private ObjectNode bag(Arrival.InBag bag) {
    ObjectNode object = NODES.objectNode();
    object.put(ID, fields.name("bag", bag.id()));
    bag.timeToLive()
        .ifPresent(
            time ->
                object.set(TIME_TO_LIVE, time("time to live", Durations.toNanosSaturated(time))));
    return object;
  }

  private ObjectNode group(Arrival.InGroup group) {
    ObjectNode object = NODES.objectNode();
    object.put(ID, fields.name("group", group.id()));
    group.minCount().ifPresent(least -> object.put(MIN_COUNT, least));
    if (group.onLoss() != GroupSpec.OnLoss.RESTORE) {
      object.put(ON_LOSS, Groups.word(group.onLoss()));
    }
    return object;
  }

  private static ObjectNode budget(DisruptionBudget budget) {
    String limit = budget.limit() == DisruptionBudget.Limit.MAX_DOWN ? MAX_DOWN : MIN_UP;
    return NODES.objectNode().put(limit, budget.members());
  }

  private static ArrayNode moldability(Moldability how) {
    ArrayNode points = NODES.arrayNode();
    for (Moldability.Point each : how.points()) {
      points.addObject().put(SHARE, each.share()).put(FACTOR, each.factor());
    }
    return points;
  }

  private ArrayNode profile(MemoryProfile profile) {
    ArrayNode steps = NODES.arrayNode();
    for (MemoryProfile.Step each : profile.steps()) {
      ObjectNode step = steps.addObject();
      step.set(FROM, time("step of the memory profile", each.from()));
      step.put(NEED, new BigDecimal(fields.amount(Dimension.MEMORY, each.need())));
    }
    return steps;
  }

  private ArrayNode performance(PerformanceMemoryProfile profile) {
    ArrayNode points = NODES.arrayNode();
    for (PerformanceMemoryProfile.Point each : profile.points()) {
      ObjectNode point = points.addObject();
      point.put(MEMORY, new BigDecimal(fields.amount(Dimension.MEMORY, each.memory())));
      point.set(RUN_TIME, time("run time", each.runTime()));
    }
    return points;
  }
}
