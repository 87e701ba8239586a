package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.option.Policies;
import dev.berth.cli.terminal.ExitCode;
import dev.berth.cli.terminal.Output;
import dev.berth.core.PolicyRegistry;
import dev.berth.report.Block;
import dev.berth.report.Details;
import dev.berth.report.render.JsonText;
import dev.berth.report.render.TextRenderer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code berth policies}: lists the available policies. */
@Command(
    name = "policies",
    header = "Lists the policies: id, summary and default configuration.",
    footer = {
      "  berth policies",
      "  berth policies --plugins build/libs",
      "  berth policies --json | jq -r '.policies[].id'"
    })
public final class PoliciesCommand implements Callable<Integer> {

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private Session session;

  @Option(names = "--json", description = "Prints one JSON object instead of text.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = output.out();
    try (Policies policies = session.policies()) {
      PolicyRegistry registry = policies.registry();
      List<PolicyListing> listings =
          registry.ids().stream().map(id -> PolicyListing.of(id, registry.get(id))).toList();
      if (json) {
        out.print(JsonText.pretty(asJson(listings)));
      } else {
        new TextRenderer().lines(blocks(listings)).forEach(out::println);
      }
    }
    return ExitCode.DONE;
  }

  private static List<Block> blocks(List<PolicyListing> listings) {
    List<Block> blocks = new ArrayList<>();
    for (PolicyListing each : listings) {
      String defaults = each.defaults().map(JsonText::pretty).orElse("");
      blocks.add(new Details(each.id(), each.summary() + "\n" + defaults));
    }
    return blocks;
  }

  private static ObjectNode asJson(List<PolicyListing> listings) {
    ObjectNode root = JsonText.object();
    ArrayNode policies = root.putArray("policies");
    for (PolicyListing each : listings) {
      ObjectNode policy = policies.addObject().put("id", each.id()).put("summary", each.summary());
      each.defaults().ifPresent(defaults -> policy.set("config", defaults));
    }
    return root;
  }
}
