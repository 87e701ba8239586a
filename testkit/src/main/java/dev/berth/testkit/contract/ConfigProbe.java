package dev.berth.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.Scheduler;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.testkit.TestCluster;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sets every key of a configuration to extreme values of its type (P13). A rejected value must be
 * rejected with a message and its path. An accepted value must make a policy that completes a pass.
 */
record ConfigProbe<C extends Record>(List<ServiceClass> serviceClasses, PolicyFactory<C> factory) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  void run() {
    ObjectNode defaults = defaults(Rule.P13, factory);
    refused(JSON.objectNode().put("no-such-key", 1), "config.no-such-key");
    walk(defaults, List.of());
  }

  /** Returns the default configuration as JSON, which a rule requires to exist. */
  static ObjectNode defaults(Rule rule, PolicyFactory<?> policy) {
    try {
      return TreeBinder.toJson(policy.defaults());
    } catch (RuntimeException unwritten) {
      throw new RuleBroken(
          rule, "the defaults cannot be written as JSON: " + unwritten.getMessage(), unwritten);
    }
  }

  private void walk(JsonNode defaults, List<String> path) {
    for (Map.Entry<String, JsonNode> each : defaults.properties()) {
      List<String> here = new ArrayList<>(path);
      here.add(each.getKey());
      if (each.getValue().isObject() && !each.getValue().isEmpty()) {
        walk(each.getValue(), here);
      } else {
        refused(at(here, wrongType(each.getValue())), "config." + String.join(".", here));
        extremes(each.getValue())
            .forEach(value -> probe(at(here, value), "config." + String.join(".", here)));
      }
    }
  }

  private static ObjectNode at(List<String> path, JsonNode value) {
    ObjectNode root = JSON.objectNode();
    ObjectNode inner = root;
    for (String key : path.subList(0, path.size() - 1)) {
      inner = inner.putObject(key);
    }
    inner.set(path.get(path.size() - 1), value);
    return root;
  }

  private static JsonNode wrongType(JsonNode usual) {
    return usual.isObject() ? JSON.numberNode(1) : JSON.objectNode();
  }

  private static JsonNode extremes(JsonNode usual) {
    String values = "[]";
    if (usual.isIntegralNumber()) {
      values = "[0, -1, 2147483647, -9223372036854775808, 9223372036854775807]";
    } else if (usual.isNumber()) {
      values = "[0.0, -1.0, 1e300, -1e300, 1e-300]";
    } else if (usual.isTextual()) {
      values = "[\"\", \"no such value\", \"0s\", \"1ns\", \"36500d\"]";
    } else if (usual.isArray()) {
      values = "[[]]";
    }
    return TreeBinder.parse("probe", values);
  }

  private void refused(ObjectNode config, String path) {
    try {
      TreeBinder.bind(factory, config);
    } catch (ConfigException expected) {
      checkMessage(expected, config, path);
      return;
    }
    throw Rule.P13.broken("%s is invalid, but it is accepted", config);
  }

  private void probe(ObjectNode config, String path) {
    C bound;
    try {
      bound = TreeBinder.bind(factory, config);
    } catch (ConfigException refused) {
      checkMessage(refused, config, path);
      return;
    }
    try {
      Scheduler scheduler =
          Scheduler.builder().policy(factory, bound).serviceClasses(serviceClasses).build();
      playPasses(scheduler);
    } catch (Throwable thrown) {
      if (thrown instanceof OutOfMemoryError fatal) {
        throw fatal;
      }
      throw new RuleBroken(
          Rule.P13, "%s is accepted, but then it throws %s".formatted(config, thrown), thrown);
    }
  }

  /**
   * Plays enough for every part to be queried: a free host, then full hosts and a waiting request.
   */
  private void playPasses(Scheduler scheduler) {
    long later = Duration.ofHours(1).toNanos();
    scheduler.addHost(new HostSpec("h1", TestCluster.cpu(1)), 0);
    scheduler.addHost(new HostSpec("h2", TestCluster.cpu(1)), 0);
    ServiceClass last = serviceClasses.get(serviceClasses.size() - 1);
    for (String id : List.of("r1", "r2")) {
      scheduler.submit(request(id, last), 0);
    }
    for (Action.Place each : scheduler.schedule(0).placements()) {
      scheduler.started(each.instance(), 0);
    }
    scheduler.submit(request("r3", serviceClasses.get(0)), later);
    scheduler.schedule(later);
  }

  private static Request request(String id, ServiceClass serviceClass) {
    return Request.builder(id, serviceClass.name()).demand(TestCluster.cpu(1)).build();
  }

  private static void checkMessage(ConfigException refused, ObjectNode config, String path) {
    boolean reported =
        refused.problems().stream()
            .anyMatch(
                each ->
                    each.path().equals(path)
                        && !each.rule().isBlank()
                        && !each.rule().equals("null"));
    if (!reported) {
      throw Rule.P13.broken(
          "%s is rejected, but the message does not state the rule for %s: %s",
          config, path, refused.getMessage());
    }
  }
}
