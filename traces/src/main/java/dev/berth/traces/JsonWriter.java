package dev.berth.traces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.config.Durations;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import java.math.BigDecimal;

/** Writes requests and hosts as JSON objects, without members that say what is so anyway. */
final class JsonWriter {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Written written;

  private JsonWriter(String subject) {
    this.written = new Written(subject);
  }

  static String line(Arrival arrival) {
    return new JsonWriter("request " + arrival.request().id()).arrival(arrival).toString();
  }

  static String line(HostSpec host) {
    return new JsonWriter("host " + host.id()).host(host).toString();
  }

  private ObjectNode arrival(Arrival arrival) {
    Request request = arrival.request();
    ObjectNode line = NODES.objectNode();
    line.set(JsonWorkload.ADMITTED, time("admission", arrival.at()));
    line.put(JsonWorkload.ID, written.name("id", request.id()));
    line.put(JsonWorkload.CLASS, written.name("class", request.serviceClass()));
    line.set(JsonWorkload.SERVICE_TIME, time("service time", arrival.serviceTime()));
    line.set(JsonWorkload.DEMAND, amounts(request.demand()));
    if (!request.guaranteed().equals(request.demand())) {
      line.set(JsonWorkload.GUARANTEED, amounts(request.guaranteed()));
    }
    request.job().ifPresent(job -> line.put(JsonWorkload.JOB, written.name("job", job)));
    if (request.antiAffinity()) {
      line.put(JsonWorkload.ANTI_AFFINITY, true);
    }
    if (!request.constraints().isEmpty()) {
      ArrayNode constraints = line.putArray(JsonWorkload.CONSTRAINTS);
      request.constraints().forEach(each -> constraints.add(constraint(each)));
    }
    request
        .application()
        .ifPresent(name -> line.put(JsonWorkload.APPLICATION, written.name("application", name)));
    arrival.user().ifPresent(user -> line.put(JsonWorkload.USER, written.name("user", user)));
    request
        .estimatedRunTime()
        .ifPresent(nanos -> line.set(JsonWorkload.ESTIMATE, time("estimate", nanos)));
    request.deadline().ifPresent(nanos -> line.set(JsonWorkload.DEADLINE, time("deadline", nanos)));
    arrival.bag().ifPresent(bag -> line.set(JsonWorkload.BAG, bag(bag)));
    request.moldability().ifPresent(how -> line.set(JsonWorkload.MOLDABILITY, moldability(how)));
    request.memoryProfile().ifPresent(each -> line.set(JsonWorkload.MEMORY_PROFILE, profile(each)));
    request
        .performanceMemoryProfile()
        .ifPresent(each -> line.set(JsonWorkload.PERFORMANCE, performance(each)));
    ActualBehaviour behaviour = arrival.behaviour();
    if (!behaviour.equals(ActualBehaviour.asSaid(request))) {
      ObjectNode really = line.putObject(JsonWorkload.BEHAVIOUR);
      behaviour.memory().ifPresent(each -> really.set(JsonWorkload.MEMORY_PROFILE, profile(each)));
      behaviour
          .performance()
          .ifPresent(each -> really.set(JsonWorkload.PERFORMANCE, performance(each)));
    }
    return line;
  }

  private ObjectNode host(HostSpec host) {
    ObjectNode line = NODES.objectNode();
    line.put(JsonInfrastructure.ID, written.name("id", host.id()));
    line.set(JsonInfrastructure.CAPACITY, amounts(host.capacity()));
    if (!host.attributes().isEmpty()) {
      ObjectNode attributes = line.putObject(JsonInfrastructure.ATTRIBUTES);
      host.attributes()
          .forEach(
              (name, value) ->
                  attributes.put(
                      written.text("attribute", name), written.text("attribute " + name, value)));
    }
    if (host.timeShared()) {
      line.put(JsonInfrastructure.TIME_SHARED, true);
    }
    return line;
  }

  private JsonNode time(String what, long nanos) {
    return NODES.numberNode(new BigDecimal(written.time(what, nanos)));
  }

  private ObjectNode amounts(Resources resources) {
    ObjectNode amounts = NODES.objectNode();
    for (Dimension each : resources.dimensions()) {
      amounts.put(
          written.text("dimension", each.name()),
          new BigDecimal(written.amount(each, resources.amount(each))));
    }
    return amounts;
  }

  private ObjectNode constraint(Constraint constraint) {
    ObjectNode object = NODES.objectNode();
    object.put(
        JsonWorkload.ATTRIBUTE, written.name("attribute of a constraint", constraint.attribute()));
    String operator = JsonWorkload.OPERATOR;
    String value = JsonWorkload.VALUE;
    if (constraint instanceof Constraint.Equal equal) {
      object.put(operator, "==").put(value, written.text("constraint", equal.value()));
    } else if (constraint instanceof Constraint.NotEqual differs) {
      object.put(operator, "!=").put(value, written.text("constraint", differs.value()));
    } else if (constraint instanceof Constraint.LessThan less) {
      object.put(operator, "<").put(value, less.bound());
    } else if (constraint instanceof Constraint.GreaterThan more) {
      object.put(operator, ">").put(value, more.bound());
    } else if (constraint instanceof Constraint.In in) {
      ArrayNode values = object.put(operator, JsonWorkload.IN).putArray(JsonWorkload.VALUES);
      in.values().forEach(each -> values.add(written.text("constraint", each)));
    } else {
      object.put(operator, JsonWorkload.EXISTS);
    }
    return object;
  }

  private ObjectNode bag(Arrival.InBag bag) {
    ObjectNode object = NODES.objectNode();
    object.put(JsonWorkload.ID, written.name("bag", bag.id()));
    bag.timeToLive()
        .ifPresent(
            time ->
                object.set(
                    JsonWorkload.TIME_TO_LIVE,
                    time("time to live", Durations.toNanosSaturated(time))));
    return object;
  }

  private static ArrayNode moldability(Moldability how) {
    ArrayNode points = NODES.arrayNode();
    for (Moldability.Point each : how.points()) {
      points
          .addObject()
          .put(JsonWorkload.SHARE, each.share())
          .put(JsonWorkload.FACTOR, each.factor());
    }
    return points;
  }

  private ArrayNode profile(MemoryProfile profile) {
    ArrayNode steps = NODES.arrayNode();
    for (MemoryProfile.Step each : profile.steps()) {
      ObjectNode step = steps.addObject();
      step.set(JsonWorkload.FROM, time("step of the memory profile", each.from()));
      step.put(JsonWorkload.NEED, new BigDecimal(written.amount(Dimension.MEMORY, each.need())));
    }
    return steps;
  }

  private ArrayNode performance(PerformanceMemoryProfile profile) {
    ArrayNode points = NODES.arrayNode();
    for (PerformanceMemoryProfile.Point each : profile.points()) {
      ObjectNode point = points.addObject();
      point.put(
          JsonWorkload.MEMORY, new BigDecimal(written.amount(Dimension.MEMORY, each.memory())));
      point.set(JsonWorkload.RUN_TIME, time("run time", each.runTime()));
    }
    return points;
  }
}
