package dev.berth.cli.policies;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.session.Policies;
import dev.berth.cli.session.SessionCommand;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.config.ConfigKey;
import dev.berth.core.error.Printable;
import dev.berth.report.Block;
import dev.berth.report.Details;
import dev.berth.report.render.JsonText;
import dev.berth.report.render.TextRenderer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth policies}: lists the available policies, or explains their configurations. */
@Command(
    name = "policies",
    header = "Lists the policies, or explains the configuration of some.",
    footer = {
      "  berth policies",
      "  berth policies qos-driven priority",
      "  berth policies --plugins build/libs",
      "  berth policies --json | jq -r '.policies[].id'"
    })
public final class PoliciesCommand extends SessionCommand implements Runnable {

  private static final int WIDTH = 90;

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "Policies whose configuration is explained, key by key; default: lists all.")
  private List<String> ids = new ArrayList<>();

  @Option(names = "--json", description = "Prints one JSON object instead of text.")
  private boolean json;

  @Override
  public void run() {
    try (Policies policies = session().policies()) {
      PolicyRegistry registry = policies.registry();
      requireKnown(registry);
      List<PolicyListing> listings =
          (ids.isEmpty() ? registry.ids() : ids)
              .stream().map(id -> PolicyListing.of(id, registry.get(id))).toList();
      if (json) {
        out().print(JsonText.pretty(asJson(listings)));
      } else if (ids.isEmpty()) {
        list(listings);
      } else {
        new TextRenderer().lines(blocks(listings)).forEach(out()::println);
      }
    }
  }

  private void requireKnown(PolicyRegistry registry) {
    List<String> problems = new ArrayList<>();
    ids.stream()
        .filter(id -> !registry.ids().contains(id))
        .forEach(id -> problems.add("no policy %s. %s".formatted(id, Policies.hint(id, registry))));
    if (!problems.isEmpty()) {
      problems.add("'berth policies' lists all.");
      throw new BadInputException(problems);
    }
  }

  private void list(List<PolicyListing> listings) {
    int width = listings.stream().mapToInt(each -> each.id().length()).max().orElse(1);
    listings.forEach(
        each -> out().printf("%-" + width + "s  %s%n", each.id(), Printable.line(each.summary())));
    out().printf("%n'berth policies ID' explains the configuration of a policy.%n");
  }

  private static List<Block> blocks(List<PolicyListing> listings) {
    return listings.stream()
        .<Block>map(each -> new Details(each.id(), each.summary() + "\n\n" + keys(each.keys())))
        .toList();
  }

  private static String keys(List<ConfigKey> keys) {
    return keys.isEmpty()
        ? "Its configuration has no keys."
        : keys.stream().map(PoliciesCommand::text).collect(Collectors.joining("\n"));
  }

  /** Returns the values of a key in one line, and its meaning indented below. */
  private static String text(ConfigKey key) {
    String values =
        Stream.of(key.type(), key.unit().isEmpty() ? "" : "of " + key.unit(), key.range())
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining(", "))
            .replace(", of ", " of ");
    StringBuilder text =
        new StringBuilder("%s: %s; default %s".formatted(key.path(), values, key.defaultValue()));
    int length = WIDTH;
    for (String word : key.meaning().isEmpty() ? new String[0] : key.meaning().split(" ")) {
      boolean next = length + 1 + word.length() > WIDTH;
      text.append(next ? "\n    " : " ").append(word);
      length = next ? 4 + word.length() : length + 1 + word.length();
    }
    return text.toString();
  }

  private static ObjectNode asJson(List<PolicyListing> listings) {
    ObjectNode root = JsonText.object();
    ArrayNode policies = root.putArray("policies");
    for (PolicyListing each : listings) {
      ObjectNode policy = policies.addObject().put("id", each.id()).put("summary", each.summary());
      each.defaults().ifPresent(defaults -> policy.set("config", defaults));
      ArrayNode keys = policy.putArray("keys");
      for (ConfigKey key : each.keys()) {
        keys.addObject()
            .put("key", key.path())
            .put("type", key.type())
            .put("range", key.range())
            .put("unit", key.unit())
            .put("default", key.defaultValue())
            .put("meaning", key.meaning());
      }
    }
    return root;
  }
}
