package dev.berth.cli.workload;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.Inputs;
import dev.berth.cli.input.SeedOption;
import dev.berth.cli.input.WorkloadParameter;
import dev.berth.cli.output.FormattedFile;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.output.OutTarget;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.report.Document;
import dev.berth.report.Numbers;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.render.JsonText;
import dev.berth.report.render.TextRenderer;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.prepare.UserClusters;
import dev.berth.traces.prepare.UserFeatures;
import dev.berth.traces.prepare.WorkloadSample;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth workload sample}: samples all requests of some users. */
@Command(
    name = "sample",
    header = "Draws users of a workload and writes all their requests.",
    description =
        "Each request must name its user. Groups users by k-means over four features: the number of "
            + "requests and the variances of CPU "
            + "demand, memory demand and service time. Draws the same share of each group (QoS-driven "
            + "scheduling, section 4.2).",
    footer = {
      "  berth workload sample trace.csv.gz --out sample.csv.gz",
      "  berth workload sample trace.csv.gz --out sample.csv.gz --count 10 --seed 7"
    })
final class WorkloadSampleCommand extends SessionCommand implements Runnable {

  @Mixin private OutTarget out = new OutTarget();

  @Option(
      names = "--groups",
      paramLabel = "N",
      defaultValue = "" + UserClusters.GROUPS,
      description = "Number of groups of users; default ${DEFAULT-VALUE}.")
  private int groups;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      defaultValue = "" + WorkloadSample.SHARE,
      description =
          "Share of the users of each group, rounded to whole users, at least one; default "
              + "${DEFAULT-VALUE}.")
  private double share;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of samples; default ${DEFAULT-VALUE}. With more than one, each file has its number: "
              + "sample-1.csv.")
  private int count;

  @Mixin private SeedOption seed = new SeedOption();

  @Mixin private JsonTarget json = new JsonTarget();

  @Mixin private WorkloadParameter input = new WorkloadParameter();

  @Override
  public void run() {
    json.check();
    BadInputException.unless(count > 0, "--count was %s, must be positive.".formatted(count));
    BadInputException.unless(groups > 0, "--groups was %s, must be positive.".formatted(groups));
    BadInputException.unless(
        share > 0 && share <= 1,
        "--share was %s, must be above 0 and at most 1.".formatted(Numbers.plain(share)));
    List<FormattedFile> targets = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      targets.add(count == 1 ? out.file() : out.file(Integer.toString(number)));
    }
    try (ProgressDisplay display = session().progress();
        OutputFiles files = new OutputFiles()) {
      Workload workload = input.read(session(), display);
      display.begin("grouping users");
      UserClusters clusters = Inputs.checked(() -> UserClusters.of(workload, groups, seed.value()));
      List<WorkloadSample> samples = samples(workload, clusters, display);
      for (int i = 0; i < count; i++) {
        FormattedFile target = targets.get(i);
        WorkloadSample sample = samples.get(i);
        display.begin("writing " + target.path());
        Inputs.checked(() -> target.addTo(files, sample));
      }
      display.end();
      Drawn drawn = new Drawn(workload, clusters, samples, targets);
      json.addTo(files, out(), () -> new TextRenderer().render(document(drawn)), asJson(drawn));
      files.commit();
    }
  }

  private List<WorkloadSample> samples(
      Workload workload, UserClusters clusters, ProgressDisplay display) {
    List<WorkloadSample> samples = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      int which = number;
      display.begin("sample %s of %s".formatted(number, count));
      samples.add(
          Inputs.checked(() -> WorkloadSample.of(workload, clusters, share, which, seed.value())));
    }
    return samples;
  }

  /** The samples of a workload and the files for them. */
  private record Drawn(
      Workload workload,
      UserClusters clusters,
      List<WorkloadSample> samples,
      List<FormattedFile> targets) {

    Map<String, Long> requests() {
      return clusters.users().stream()
          .collect(Collectors.toMap(UserFeatures::user, UserFeatures::requests));
    }
  }

  private Document document(Drawn drawn) {
    Table.Builder table =
        Table.builder("requests", "Requests by group of users and sample")
            .column(Column.unnamed("name"))
            .column(Column.ofNumbers("users"))
            .column(Column.ofNumbers("requests"))
            .column(Column.ofNumbers("share of requests"))
            .group("groups of users");
    Map<String, Long> requests = drawn.requests();
    long all = sum(requests.keySet(), requests);
    int number = 1;
    for (List<String> group : drawn.clusters.groups()) {
      table.row(row(Integer.toString(number++), group.size(), sum(group, requests), all));
    }
    table.row(row("all", drawn.clusters.users().size(), all, all));
    table.group("samples");
    for (int i = 0; i < drawn.samples.size(); i++) {
      table.row(
          row(
              drawn.targets.get(i).path().toString(),
              drawn.samples.get(i).users().size(),
              drawn.samples.get(i).size().orElseThrow(),
              all));
    }
    return Document.of("%s, seed %s".formatted(drawn.workload.name(), seed.value()), table.build());
  }

  private static List<Cell> row(String name, long users, long requests, long all) {
    return List.of(
        Cell.of(name),
        Cell.count(users),
        Cell.count(requests),
        Cell.number((double) requests / all, 3));
  }

  private static long sum(Collection<String> users, Map<String, Long> requests) {
    return users.stream().mapToLong(user -> requests.getOrDefault(user, 0L)).sum();
  }

  private ObjectNode asJson(Drawn drawn) {
    ObjectNode root =
        JsonText.object().put("workload", drawn.workload.name()).put("seed", seed.value());
    root.put("share", share).put("users", drawn.clusters.users().size());
    Map<String, Long> requests = drawn.requests();
    ArrayNode groupNodes = root.putArray("groups");
    for (List<String> group : drawn.clusters.groups()) {
      groupNodes.addObject().put("users", group.size()).put("requests", sum(group, requests));
    }
    long all = sum(requests.keySet(), requests);
    ArrayNode sampleNodes = root.putArray("samples");
    for (int i = 0; i < drawn.samples.size(); i++) {
      WorkloadSample sample = drawn.samples.get(i);
      ObjectNode node = sampleNodes.addObject().put("name", sample.name());
      node.put("file", drawn.targets.get(i).path().toString());
      node.put("requests", sample.size().orElseThrow());
      node.put("shareOfRequests", (double) sample.size().orElseThrow() / all);
      ArrayNode users = node.putArray("users");
      sample.users().forEach(users::add);
    }
    return root;
  }
}
