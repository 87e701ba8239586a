package dev.berth.experiments.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.core.config.Durations;
import dev.berth.core.error.ConfigException;
import dev.berth.experiments.Trials;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.RunSettings;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.input.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperimentLoaderTest {

  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() {
    Trials.writeFiles(folder);
  }

  @Test
  void createsCaseForEachCombination() {
    Experiment experiment =
        Trials.load(
            folder,
            """
            {'workloads':['requests.csv','validation-1'], 'infrastructures':['hosts.csv'],
             'scales':[1,0.5], 'seeds':[7,8], 'policies':['priority']}
            """);
    Stream<String> cases =
        experiment.cases().stream()
            .map(
                each ->
                    "%s: %s on %s x %s, seed %s"
                        .formatted(
                            each.number(),
                            each.workload(),
                            each.infrastructure(),
                            each.scale(),
                            each.seed()));
    assertThat(cases)
        .containsExactly(
            "0: requests.csv on hosts.csv x 1.0, seed 7",
            "1: requests.csv on hosts.csv x 1.0, seed 8",
            "2: requests.csv on hosts.csv x 0.5, seed 7",
            "3: requests.csv on hosts.csv x 0.5, seed 8",
            "4: validation-1 on hosts.csv x 1.0, seed 7",
            "5: validation-1 on hosts.csv x 1.0, seed 8",
            "6: validation-1 on hosts.csv x 0.5, seed 7",
            "7: validation-1 on hosts.csv x 0.5, seed 8");
    assertThat(experiment.cells()).hasSize(8 * 3);
    assertThat(hosts(experiment, 0)).containsExactly("h1", "h2");
    assertThat(hosts(experiment, 2)).as("half of it").hasSize(1);
  }

  @Test
  void watchdogsAndMarginsAreAxesBetweenScalesAndSeeds() {
    Experiment experiment =
        Trials.onFiles(
            folder, ",'watchdog':['10s','1m'],'margin':['0s','5s'],'seeds':[7,8],'bounds':false");
    assertThat(experiment.cases())
        .extracting(each -> each.variant() + ", seed " + each.seed())
        .containsExactly(
            "watchdog 10s, margin 0s, seed 7",
            "watchdog 10s, margin 0s, seed 8",
            "watchdog 10s, margin 5s, seed 7",
            "watchdog 10s, margin 5s, seed 8",
            "watchdog 1m, margin 0s, seed 7",
            "watchdog 1m, margin 0s, seed 8",
            "watchdog 1m, margin 5s, seed 7",
            "watchdog 1m, margin 5s, seed 8");
    for (Cell each : experiment.cells()) {
      RunSettings settings = each.setting().settings();
      assertThat(each.policy().choice().configJson().get("watchdog").textValue())
          .isEqualTo(Durations.format(settings.watchdog()));
      assertThat(settings.scenario().workload().serviceClasses())
          .as(each.setting().variant())
          .allMatch(known -> known.safetyMargin().equals(settings.margin()));
    }
    assertThat(experiment.configured()).hasSize(2);
  }

  @Test
  void marginIsEachWatchdogUnlessGiven() {
    Experiment experiment = Trials.onFiles(folder, ",'watchdog':['10s','1m'],'margin':null");
    assertThat(experiment.cases())
        .extracting(each -> each.variant() + ": " + each.settings().margin())
        .containsExactly("watchdog 10s: PT10S", "watchdog 1m: PT1M");
    assertThat(Trials.onFiles(folder, ",'margin':['0s','1s']").cases())
        .extracting(Case::variant)
        .containsExactly("margin 0s", "margin 1s");
    assertThat(Trials.onFiles(folder, ",'margin':['1s']").cases())
        .extracting(Case::variant)
        .containsExactly("");
  }

  @Test
  void addsBoundsUnlessDisabledOrMissing() {
    assertThat(labels(Trials.onFiles(folder, "")))
        .containsExactly(
            "priority POLICY", "never-preempt LOWER_BOUND", "infinite host UPPER_BOUND");
    assertThat(labels(Trials.onFiles(folder, ",'bounds':false")))
        .containsExactly("priority POLICY");
    assertThat(
            labels(
                ExperimentLoader.load(
                    Trials.spec("{'workloads':['validation-1'],'policies':['priority']}"),
                    folder,
                    Trials.withoutBounds())))
        .as("the policy of the bounds is missing")
        .containsExactly("priority POLICY");
  }

  @Test
  void policyLabelledAsBoundReplacesIt() {
    Experiment experiment =
        Trials.load(
            folder,
            "{'workloads':['validation-1'],'policies':['never-preempt',"
                + "{'policy':'priority','label':'infinite host'}]}");
    assertThat(labels(experiment)).containsExactly("never-preempt POLICY", "infinite host POLICY");
  }

  @Test
  void upperBoundRunsOnInfiniteHost() {
    Case only = Trials.onFiles(folder, "").cases().get(0);
    ComparedPolicy bound = Trials.onFiles(folder, "").policies().get(2);
    List<HostSpec> hosts = only.settingsFor(bound).scenario().infrastructure().hosts();
    assertThat(hosts).extracting(HostSpec::id).containsExactly("infinite");
    assertThat(hosts.get(0).capacity().dimensions()).hasSize(2);
  }

  @Test
  void referenceDefaultsToPriority() {
    assertThat(Trials.onFiles(folder, "").reference()).contains("priority");
    assertThat(Trials.onFiles(folder, ",'reference':'never-preempt'").reference())
        .contains("never-preempt");
    assertThat(
            Trials.load(folder, "{'workloads':['validation-1'],'policies':['never-preempt']}")
                .reference())
        .isEmpty();
    assertThatThrownBy(() -> Trials.onFiles(folder, ",'reference':'qos','bounds':false"))
        .hasMessage(
            "experiment: reference was \"qos\", must be the label of a policy of the experiment: "
                + "priority.");
  }

  @Test
  void usesLabels() {
    Experiment experiment =
        Trials.load(
            folder,
            """
            {'workloads':[{'from':'requests.csv','label':'few'}],
             'infrastructures':[{'from':'hosts.csv','label':'small'}],
             'policies':['priority',{'policy':'priority','label':'p2','config':{'patience':9}}],
             'bounds':false}
            """);
    assertThat(experiment.cases().get(0).workload()).isEqualTo("few");
    assertThat(experiment.cases().get(0).infrastructure()).isEqualTo("small");
    assertThat(labels(experiment)).containsExactly("priority POLICY", "p2 POLICY");
    assertThat(experiment.policies().get(1).choice().configJson().get("patience").intValue())
        .isEqualTo(9);
  }

  @Test
  void passesWatchdogAndMeanOverheadToPolicies() {
    Experiment experiment =
        Trials.onFiles(folder, ",'watchdog':'45s','overheads':['1s','4s'],'until':'20m'");
    ObjectNode config = experiment.policies().get(0).choice().configJson();
    assertThat(config.get("watchdog").textValue()).isEqualTo("45s");
    assertThat(config.get("expectedOverhead").textValue()).isEqualTo("2.5s");
    RunSettings settings = experiment.cases().get(0).settings();
    assertThat(settings.watchdog()).isEqualTo(Duration.ofSeconds(45));
    assertThat(settings.margin()).as("the watchdog").isEqualTo(Duration.ofSeconds(45));
    assertThat(settings.scenario().until()).isEqualTo(Duration.ofMinutes(20));
    assertThat(settings.scenario().overheads().hot()).hasSize(2);
  }

  @Test
  void passesAreApartInEveryRun() {
    Experiment experiment = Trials.onFiles(folder, ",'apart':'7s','until':'20m'");

    for (Cell each : experiment.cells()) {
      assertThat(each.setting().settingsFor(each.policy()).apart())
          .as(each.policy().label())
          .isEqualTo(Duration.ofSeconds(7));
    }
    assertThat(Trials.onFiles(folder, "").cases().get(0).settings().apart()).isZero();
  }

  @Test
  void drawsHostsUpToPeakDemand() {
    Trials.write(folder, "mix.csv", "id,cpu,memory\nbig,3,3\nsmall,1,1\n");
    Experiment experiment =
        Trials.load(
            folder,
            """
            {'workloads':['requests.csv'],'policies':['priority'],'scales':[1,0.6,1.5],
             'infrastructures':[{'from':'mix.csv','sized':true},
                                {'from':'mix.csv','sized':true,'seed':2,'label':'again'}]}
            """);
    assertThat(experiment.cases().get(0).infrastructure()).isEqualTo("drawn from mix.csv");
    assertThat(experiment.cases().get(1).infrastructure()).isEqualTo("drawn from mix.csv");
    assertThat(cores(experiment, 0)).as("peak: 6 of all four").isBetween(6.0, 8.0);
    assertThat(cores(experiment, 1)).as("0.6 of 6").isBetween(3.6, cores(experiment, 0));
    assertThat(cores(experiment, 2)).as("1.5 of 6").isBetween(9.0, 11.0);
    assertThat(experiment.cases().get(3).infrastructure()).isEqualTo("again");
  }

  /** The peak of drawn requests depends on the seed alone. */
  @Test
  void drawnHostsDoNotDependOnOtherSeeds() {
    String json =
        "{'workloads':['memic-2'],'policies':['priority'],'bounds':false,'scales':[0.5],"
            + "'infrastructures':[{'from':'mix.csv','sized':true}],'seeds':%s}";
    Trials.write(folder, "mix.csv", "id,cpu,memory\nbig,4,3\nsmall,1,1\nmiddle,2,2\n");
    List<Case> all = Trials.load(folder, json.formatted("[1,2,3,4,5,6,7,8]")).cases();
    for (Case each : all) {
      Case alone = Trials.load(folder, json.formatted("[" + each.seed() + "]")).cases().get(0);
      assertThat(alone.settings().scenario().infrastructure())
          .isEqualTo(each.settings().scenario().infrastructure());
      assertThat(alone.identity()).isEqualTo(each.identity());
    }
  }

  @Test
  void samplesUsers() {
    StringBuilder text = new StringBuilder("admitted,id,class,service_time,cpu,memory,user\n");
    IntStream.range(0, 40)
        .forEach(i -> text.append("%ds,r%d,gold,5m,1,1,u%d\n".formatted(i, i, i % 20)));
    Trials.write(folder, "users.csv", text.toString());
    Experiment experiment =
        Trials.load(
            folder,
            """
            {'workloads':[{'from':'users.csv','sample':{'share':0.5,'groups':2}},
                          {'from':'users.csv','sample':{'share':0.5,'groups':2,'number':2}}],
             'infrastructures':['hosts.csv'],'policies':['priority']}
            """);
    assertThat(experiment.cases()).extracting(Case::workload).doesNotHaveDuplicates();
    for (Case each : experiment.cases()) {
      assertThat(each.settings().scenario().workload().size().orElseThrow())
          .isGreaterThan(0)
          .isLessThan(40);
    }
  }

  @Test
  void keepsFailuresOfRemainingHosts() {
    Trials.write(folder, "f.csv", "time,host,event\n60s,h1,fails\n60s,h2,fails\n90s,h1,recovers\n");
    Experiment experiment = Trials.onFiles(folder, ",'events':'f.csv','scales':[1,0.5]");
    assertThat(experiment.cases().get(0).settings().hostEvents()).hasSize(3);
    List<String> left = hosts(experiment, 1);
    assertThat(left).hasSize(1);
    assertThat(experiment.cases().get(1).settings().hostEvents())
        .isNotEmpty()
        .extracting(each -> ((HostEvent.OfHost) each).hostId())
        .containsOnly(left.get(0));
  }

  @Test
  void limitsAreTheSameAtAnyScale() {
    Trials.write(
        folder, "f.csv", "time,host,event,value\n0,,limit,2 matlab\n60s,,limit,3 matlab\n");
    Experiment experiment = Trials.onFiles(folder, ",'events':'f.csv','scales':[1,0.5]");
    assertThat(experiment.cases())
        .hasSize(2)
        .allSatisfy(
            each ->
                assertThat(each.settings().hostEvents())
                    .containsExactly(
                        new HostEvent.LimitSet(0, "matlab", 2),
                        new HostEvent.LimitSet(60_000_000_000L, "matlab", 3)));
  }

  @Test
  void refusesFailureOfUnknownHost() {
    Trials.write(folder, "f.csv", "time,host,event\n60s,h3,fails\n");
    assertThatThrownBy(() -> Trials.onFiles(folder, ",'events':'f.csv'"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "experiment: events was \"f.csv\", names the host \"h3\", but hosts.csv has no such "
                + "host.");
  }

  @Test
  void reportsSkippedBadLines() {
    Trials.write(folder, "requests.csv", Trials.REQUESTS + "10m,e,gold,soon,1,1\n");
    assertThatThrownBy(() -> Trials.onFiles(folder, "")).isInstanceOf(InputException.class);
    Experiment experiment =
        Trials.load(
            folder,
            "{'workloads':[{'from':'requests.csv','skipBad':1}],'policies':['priority'],"
                + "'infrastructures':['hosts.csv']}");
    assertThat(experiment.notes()).containsExactly("requests.csv: left out 1: bad lines");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'requests.csv','validation-1' | 'hosts.csv','hosts.csv' | 'priority' | infrastructures[1]: "
            + "\"hosts.csv\" has the same name as infrastructures[0]. Maybe give it a label of its "
            + "own.",
        "'requests.csv',{'from':'csv:requests.csv','skipBad':3} | 'hosts.csv' | 'priority' | "
            + "workloads[1]: \"requests.csv\" has the same name as workloads[0]. Maybe give it a label"
            + " of its own.",
        "'requests.csv' | | 'priority' | infrastructures was [], must name the hosts for the "
            + "workload \"requests.csv\", which is a file. Maybe add a csv file with the header "
            + "id,cpu,memory.",
        "'validation-1' | | 'priority','priority' | policies[1]: \"priority\" is already the label of another policy. "
            + "Maybe give it a label of its own.",
        "'validation-1' | | 'qos' | policies[0].policy: \"qos\" is no policy. Maybe its jar is "
            + "missing: --plugins DIR names the folder. 'berth policies' lists all.",
        "'validation-1' | | {'policy':'priority','config':{'patients':1}} | "
            + "policies[0].config.patients was 1, but there is no such key. Maybe you meant patience. "
            + "Known: watchdog, expectedOverhead, patience.",
        "{'from':'requests.csv','sample':{}} | 'hosts.csv' | 'priority' | workloads[0] was "
            + "\"requests.csv\", cannot be prepared: *"
      })
  void explainsInvalidExperiments(
      String workloads, String infrastructures, String policies, String expected) {
    assertThatThrownBy(
            () ->
                Trials.load(
                    folder,
                    "{'workloads':[%s],'infrastructures':[%s],'policies':[%s]}"
                        .formatted(
                            workloads, infrastructures == null ? "" : infrastructures, policies)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("experiment: " + expected.replace("*", ""));
  }

  @Test
  void reportsAllPolicyProblems() {
    assertThatThrownBy(
            () ->
                Trials.load(
                    folder,
                    "{'workloads':['validation-1'],'policies':['x',{'policy':'priority',"
                        + "'config':{'patience':-1}}]}"))
        .hasMessageContainingAll("policies[0].policy", "policies[1].config.patience was -1");
  }

  @ParameterizedTest
  @CsvSource({"workloads", "infrastructures", "events", "classes"})
  void namesMissingFile(String which) throws Exception {
    String json =
        """
        {'workloads':[{'from':'requests.csv','classes':'classes.json'}],
         'infrastructures':['hosts.csv'],'events':'failures.csv','policies':['priority']}
        """;
    Trials.write(folder, "failures.csv", "time,host,event\n60s,h1,fails\n");
    Trials.write(
        folder,
        "classes.json",
        "[{\"name\":\"gold\",\"slo\":0.99},{\"name\":\"bronze\",\"slo\":0.4}]");
    assertThat(Trials.load(folder, json).cases()).hasSize(1);
    String name =
        switch (which) {
          case "workloads" -> "requests.csv";
          case "infrastructures" -> "hosts.csv";
          case "events" -> "failures.csv";
          default -> "classes.json";
        };
    Files.delete(folder.resolve(name));
    assertThatThrownBy(() -> Trials.load(folder, json))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(folder.resolve(name).toString());
  }

  private static List<String> labels(Experiment experiment) {
    return experiment.policies().stream().map(each -> each.label() + " " + each.role()).toList();
  }

  private static List<String> hosts(Experiment experiment, int number) {
    return experiment.cases().get(number).settings().scenario().infrastructure().hosts().stream()
        .map(HostSpec::id)
        .toList();
  }

  private static double cores(Experiment experiment, int number) {
    return experiment.cases().get(number).settings().scenario().infrastructure().hosts().stream()
        .mapToDouble(
            each -> (double) each.capacity().amount(Dimension.CPU) / Dimension.CPU.unitsPerWhole())
        .sum();
  }
}
