package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.page.RunJson;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.studies.qos.PublishedResults;
import dev.berth.experiments.studies.qos.PublishedRun;
import dev.berth.report.render.JsonText;
import dev.berth.report.render.TextRenderer;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.metrics.DimensionUsage;
import dev.berth.simulator.metrics.MetricsSettings;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.metrics.Timeline;
import dev.berth.simulator.result.Adjustments;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.InvalidActions;
import dev.berth.simulator.result.PoolUsage;
import dev.berth.simulator.result.RunResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonDocumentTest {

  @TempDir private static Path cells;

  private static final Duration PERIOD = Duration.ofSeconds(30);

  @Test
  void showsPublishedRowsBelowTheirPolicy() {
    assertThat(
            render(
                settings("validation-2", List.of()),
                List.of(
                    finished("qos-driven", silver(0.8964, 0.8995, 0.9055, 0.285, 0.0024, 2547)),
                    finished("priority", silver(0, 0.9044, 0.9994, 0.905, 0.9, 0))),
                PublishedResults.on("validation-2", Set.of("qos-driven", "priority")),
                false))
        .isEqualTo(
            """
            validation-2 (221 requests) on 20 hosts of 3.75 cpu, 3.75 memory
            until 1h, watchdog 30s, margin 30s, seed 1
            overheads 2s,2s,3s

                                  --- availability ---    SLO  -- deficit --  never    pre-
                                     min   mean    max    met    mean    max    ran  empted
            silver (SLO 0.9), 221 requests
              qos-driven          0.8964 0.8995 0.9055  0.285  0.0024 0.0048      0    2547
                their simulator   0.8964 0.8997 0.9053  0.321  0.0022 0.0036      0    2545
                their Kubernetes  0.8728 0.8954 0.9079  0.348       –      –      –    1457
              priority            0.0000 0.9044 0.9994  0.905  0.9000 1.8000      0       0
                their simulator   0.0000 0.9047 0.9997  0.905  0.9000 0.9000     21       0

                        penalty  waiting   pending   restart    lost  hosts
                         core h   mean s  mean max        h  work h   used
            qos-driven     1.50     12.3   2.5   7     1.00    1.50  0.500
            priority       1.50     12.3   2.5   7     1.00    1.50  0.500

            verdict
              Class silver is nearer to its SLO under qos-driven: 0.0017 short on average, 0.0855 \
            under priority. More of its requests meet the SLO under priority: 90.5 %, 28.5 % under \
            qos-driven.
              Cost: Penalty 1.50 core-hours under both; preemptions 0 under priority, 2,547 under \
            qos-driven; lost work 1.50 h under both.
              Policy qos-driven never runs.
              Policy priority never runs.
              Next: berth explain silver-7 --at 1h --policy priority

            availability: time in service / time since admission; SLO met: share that reach it;
            deficit: SLO - availability, of those that do not; –: undefined or not published;
            never ran: requests never in service; preempted: how often instances were preempted;
            penalty: what the deficits cost, summed; waiting: mean time not in service;
            pending: requests that wait for a host; restart: starts after a preemption;
            lost work: starts that a preemption preceded or ended, and service that it undid;
            hosts used: mean share of the hosts that was granted, in the most used dimension;
            short: SLO - availability, 0 for a request that meets the SLO; mean over all requests.
            Theirs: what the authors of QoS-driven scheduling published, at 1h, watchdog 30s; their
            simulator counts the first start of an instance as service.
            Of published runs, SLO met is the share that reaches the SLO itself.
            """);
  }

  @Test
  void showsUndefinedFiguresAndFailedRuns() {
    assertThat(
            render(
                settings("validation-2", List.of(new HostEvent.Fails(1, "host-1"))),
                List.of(
                    finished("acme.fine", silver(0.95, 0.96, 0.97, 1, Double.NaN, 0)),
                    failed("acme.broken", "policy acme.broken failed in pass 3: out of ideas")),
                List.of(),
                true))
        .isEqualTo(
            """
            validation-2 (221 requests) on 20 hosts of 3.75 cpu, 3.75 memory
            until 1h, watchdog 30s, margin 30s, seed 1, 1 host event
            overheads 2s,2s,3s

                         --- availability ---    SLO  -- deficit --  never    pre-
                            min   mean    max    met    mean    max    ran  empted
            silver (SLO 0.9), 221 requests
              acme.fine  0.9500 0.9600 0.9700  1.000       –      –      0       0

                       penalty  waiting   pending   restart    lost  hosts
                        core h   mean s  mean max        h  work h   used
            acme.fine     1.50     12.3   2.5   7     1.00    1.50  0.500

            policy acme.broken failed in pass 3: out of ideas

            verdict
              Failed: acme.broken.
              Class silver: 100 % meet the SLO.
              Cost: Penalty 1.50 core-hours; preemptions 0; lost work 1.50 h.
              Policy acme.fine never runs.
              Policy acme.broken never runs.

            availability: time in service / time since admission; SLO met: share that reach it;
            deficit: SLO - availability, of those that do not; –: undefined;
            never ran: requests never in service; preempted: how often instances were preempted;
            penalty: what the deficits cost, summed; waiting: mean time not in service;
            pending: requests that wait for a host; restart: starts after a preemption;
            lost work: starts that a preemption preceded or ended, and service that it undid;
            hosts used: mean share of the hosts that was granted, in the most used dimension;
            short: SLO - availability, 0 for a request that meets the SLO; mean over all requests.

            acme.fine
              config       {"patience":3}
              passes       100
              placements   250 (2.50 a pass)
              preemptions  0 (0.00 a pass)
              done         0 of 221 at 1h

            acme.broken
              config  {"patience":3}
            """);
  }

  @Test
  void omitsAbsentFiguresFromJson() {
    OptionalDouble undefined = OptionalDouble.empty();
    ClassResult none =
        new ClassResult(
            "silver",
            0.9,
            0,
            undefined,
            undefined,
            undefined,
            undefined,
            undefined,
            undefined,
            undefined,
            0,
            0,
            ClassResult.WaitingTimes.NONE,
            0,
            0,
            0,
            0,
            0);
    DimensionUsage unused = new DimensionUsage("cpu", undefined, undefined, undefined);
    CellResult idle = finished("acme.idle", none, unused);

    assertThat(render(settings("validation-1", List.of()), List.of(idle), List.of(), false))
        .contains("acme.idle     0.00        –   2.5   7     0.00    0.00      –\n");
    ObjectNode json = JsonText.object();
    RunJson.putMetrics(json, idle.metrics().orElseThrow());
    assertThat(json.at("/use/cpu")).isEmpty();
    assertThat(JsonText.line(json.at("/times/0")))
        .isEqualTo(
            "{\"name\":\"silver\",\"restartOverhead\":0.0,\"lostWork\":0.0,\"lostService\":0.0,"
                + "\"served\":0.0,\"penaltyCoreHours\":0.0}");
  }

  @Test
  void linesHaveAtMost90Columns() {
    String table =
        render(
            settings("validation-1", List.of()),
            List.of(finished("qos-driven", silver(0.1, 0.2, 0.3, 0.4, 0.5, 123456))),
            PublishedResults.on("validation-1", Set.of("qos-driven")),
            false);
    assertThat(table.lines()).allMatch(line -> line.length() <= 90);
  }

  private static String render(
      RunSettings settings,
      List<CellResult> outcomes,
      List<PublishedRun> published,
      boolean verbose) {
    Comparison comparison =
        new Comparison(settings, outcomes.stream().map(CellResult::policy).toList());
    return new TextRenderer()
        .render(
            new ComparisonDocument(
                    comparison,
                    outcomes,
                    Summary.of(comparison.experiment(), outcomes),
                    new PublishedFigures(published, List.of()))
                .build(verbose, next(published)));
  }

  /** Returns a next step for the comparisons beside published figures. */
  private static List<String> next(List<PublishedRun> published) {
    return published.isEmpty()
        ? List.of()
        : List.of("berth explain silver-7 --at 1h --policy priority");
  }

  private static RunSettings settings(String workload, List<HostEvent> hostEvents) {
    Scenario builtIn = BuiltInWorkloads.get(workload, 1, PERIOD);
    Overheads overheads =
        Overheads.of(List.of(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(3)));
    Scenario scenario =
        new Scenario(builtIn.workload(), builtIn.infrastructure(), Duration.ofHours(1), overheads);
    return new RunSettings(scenario, PERIOD, PERIOD, hostEvents, 1);
  }

  private static ClassResult silver(
      double min, double mean, double max, double met, double deficit, long preemptions) {
    OptionalDouble meanDeficit =
        Double.isNaN(deficit) ? OptionalDouble.empty() : OptionalDouble.of(deficit);
    OptionalDouble maxDeficit =
        Double.isNaN(deficit) ? OptionalDouble.empty() : OptionalDouble.of(2 * deficit);
    return new ClassResult(
        "silver",
        0.9,
        221,
        OptionalDouble.of(min),
        OptionalDouble.of(mean),
        OptionalDouble.of(max),
        OptionalDouble.of(met),
        OptionalDouble.of(met),
        meanDeficit,
        maxDeficit,
        0,
        preemptions,
        new ClassResult.WaitingTimes(
            OptionalDouble.of(12.34),
            OptionalDouble.of(10),
            OptionalDouble.of(30),
            OptionalDouble.of(40)),
        3600,
        5400,
        0,
        7200,
        1.5);
  }

  private static CellResult finished(String policy, ClassResult got) {
    return finished(
        policy,
        got,
        new DimensionUsage(
            "cpu", OptionalDouble.of(0.5), OptionalDouble.of(0.75), OptionalDouble.of(1.25)));
  }

  private static CellResult finished(String policy, ClassResult got, DimensionUsage usage) {
    RunResult result =
        new RunResult(
            policy,
            TreeBinder.toJson(Fixed.CONFIG).toString(),
            Optional.of(PERIOD),
            "validation-2",
            "20 hosts",
            1,
            Duration.ofHours(1),
            221,
            0,
            221,
            0,
            0,
            0,
            100,
            250,
            got.preemptions(),
            Adjustments.NONE,
            InvalidActions.NONE,
            PoolUsage.NONE,
            Optional.empty(),
            List.of(got));
    RunMetrics metrics =
        new RunMetrics(result, List.of(usage), 2.5, 7, List.of(), new Timeline(60, List.of()));
    try (CellStore store = CellStore.open(cells)) {
      Files.write(store.draft("k"), new byte[0]);
      store.keep("k", metrics, false);
      return CellResult.of(cell(policy), store.find("k", false).orElseThrow());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static CellResult failed(String policy, String why) {
    return CellResult.of(
        cell(policy), new RunOutcome.Failed(why, new IllegalStateException("out of ideas")));
  }

  private static Cell cell(String policy) {
    ComparedPolicy compared =
        ComparedPolicy.of(new PolicyChoice<>(new Fixed(policy), Fixed.CONFIG));
    RunSettings settings = settings("validation-2", List.of());
    Case only = new Case(0, "validation-2", "20 hosts", 1, "", settings, JsonText.object());
    return new Cell(only, compared, MetricsSettings.PUBLISHED);
  }

  /** A policy that never runs. */
  private record Fixed(String id) implements PolicyFactory<Fixed.Config> {

    static final Config CONFIG = new Config(3);

    record Config(int patience) {}

    @Override
    public String summary() {
      return "never runs";
    }

    @Override
    public Config defaults() {
      return CONFIG;
    }

    @Override
    public Policy create(Config config, PolicyContext context) {
      throw new UnsupportedOperationException("never runs");
    }
  }
}
