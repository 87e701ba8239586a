package dev.berth.experiments.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.error.ConfigException;
import dev.berth.experiments.Trials;
import dev.berth.experiments.spec.ExperimentSpec.InfrastructureSpec;
import dev.berth.experiments.spec.ExperimentSpec.Sampling;
import dev.berth.experiments.spec.ExperimentSpec.WorkloadSpec;
import dev.berth.simulator.metrics.MetricsSettings;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.simulator.result.PenaltyTable.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperimentSpecTest {

  private static final String SMALLEST = "{'workloads':['validation-1'],'policies':['priority']}";

  @Test
  void defaultsFollowPaper() {
    ExperimentSpec spec = Trials.spec(SMALLEST);
    assertThat(spec.name()).isEqualTo("trial.json");
    assertThat(spec.description()).isEmpty();
    assertThat(spec.workloads()).containsExactly(new WorkloadSpec("validation-1", "", "", 0, null));
    assertThat(spec.infrastructures()).isEmpty();
    assertThat(spec.scales()).containsExactly(1.0);
    assertThat(spec.seeds()).containsExactly(1L);
    assertThat(spec.policies()).hasSize(1);
    assertThat(spec.until()).isNull();
    assertThat(spec.watchdog()).isNull();
    assertThat(spec.apart()).isNull();
    assertThat(spec.margin()).isNull();
    assertThat(spec.overheads()).isNull();
    assertThat(spec.hotOverheads()).isNull();
    assertThat(spec.events()).isNull();
    assertThat(spec.bounds()).isTrue();
    assertThat(spec.reference()).isNull();
    assertThat(spec.metrics().settings()).isEqualTo(MetricsSettings.PUBLISHED);
  }

  @Test
  void readsEveryKey() {
    ExperimentSpec spec =
        Trials.spec(
            """
            {
              'name': 'all', 'description': 'of it',
              'workloads': [
                {'from': 'csv:r.csv', 'label': 'few', 'classes': 'classes.json', 'skipBad': 2,
                 'sample': {'groups': 3, 'share': 0.5, 'number': 4, 'seed': 5}},
                {'from': 'all.csv', 'sample': {}}
              ],
              'infrastructures': [
                'h.csv', {'from': 'mix.csv', 'label': 'drawn', 'sized': true, 'seed': 9}],
              'scales': [1, 0.9],
              'policies': [
                {'policy': 'priority', 'label': 'p', 'config': {'patience': 1}}, 'never-preempt'],
              'seeds': [3, -4],
              'until': '2d', 'watchdog': '10s', 'apart': '2s', 'margin': '0s',
              'overheads': ['2s', '3s'], 'hotOverheads': ['1s'],
              'events': 'f.csv', 'bounds': false, 'reference': 'p',
              'metrics': {'interval': '1m', 'sample': '30s',
                          'penalties': {'tin': [{'below': 0.5, 'bonus': 2}]}}
            }
            """);
    assertThat(spec.name()).isEqualTo("all");
    assertThat(spec.description()).isEqualTo("of it");
    assertThat(spec.workloads())
        .containsExactly(
            new WorkloadSpec("csv:r.csv", "few", "classes.json", 2, new Sampling(3, 0.5, 4, 5)),
            new WorkloadSpec("all.csv", "", "", 0, new Sampling(6, 0.1, 1, 1)));
    assertThat(spec.infrastructures())
        .containsExactly(
            new InfrastructureSpec("h.csv", "", false, 1),
            new InfrastructureSpec("mix.csv", "drawn", true, 9));
    assertThat(spec.scales()).containsExactly(1.0, 0.9);
    assertThat(spec.policies().get(0).toString())
        .isEqualTo("PolicySpec[policy=priority, label=p, config={\"patience\":1}]");
    assertThat(spec.policies().stream().map(PolicySpec::policy))
        .containsExactly("priority", "never-preempt");
    assertThat(spec.seeds()).containsExactly(3L, -4L);
    assertThat(spec.until()).isEqualTo(Duration.ofDays(2));
    assertThat(spec.watchdog()).containsExactly(Duration.ofSeconds(10));
    assertThat(spec.apart()).isEqualTo(Duration.ofSeconds(2));
    assertThat(spec.margin()).containsExactly(Duration.ZERO);
    assertThat(spec.overheads()).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(3));
    assertThat(spec.hotOverheads()).containsExactly(Duration.ofSeconds(1));
    assertThat(spec.events()).isEqualTo("f.csv");
    assertThat(spec.bounds()).isFalse();
    assertThat(spec.reference()).isEqualTo("p");
    assertThat(spec.metrics().settings())
        .isEqualTo(
            new MetricsSettings(
                Duration.ofMinutes(1),
                Duration.ofSeconds(30),
                PenaltyTable.PUBLISHED.with(Map.of("tin", List.of(new Tier(0.5, 2))))));
    assertThat(spec.toJson().toString())
        .as("effective specification")
        .contains(
            "\"sample\":{\"groups\":6,\"share\":0.1,\"number\":1,\"seed\":1}",
            "\"apart\":\"2s\"",
            "\"margin\":\"0s\"",
            "\"hotOverheads\":[\"1s\"]",
            "\"interval\":\"1m\"");
  }

  @Test
  void otherHostsKeepAllElse() {
    ExperimentSpec spec =
        Trials.spec(
            SMALLEST.replace(
                "'policies'",
                "'until':'20m','apart':'1s','overheads':['2s'],'hotOverheads':['1s'],'termination':'3s',"
                    + "'decisionTimes':['4s'],'plainDecisionTimes':['5s'],'policies'"));
    ObjectNode expected = spec.toJson();
    expected.putArray("infrastructures").addObject().put("from", "mine.csv");
    expected.putArray("scales").add(0.7);

    List<InfrastructureSpec> hosts = List.of(new InfrastructureSpec("mine.csv", "", false, 1));
    assertThat(spec.on(hosts, List.of(0.7)))
        .isEqualTo(ExperimentSpec.parse("expected", expected.toString()));
  }

  @Test
  void listsOfWatchdogsAndMarginsAreReadAndOneIsWrittenWithoutList() {
    ExperimentSpec several =
        Trials.spec(
            SMALLEST.replace("'policies'", "'watchdog':['10s','1m'],'margin':['0s'],'policies'"));
    assertThat(several.watchdog()).containsExactly(Duration.ofSeconds(10), Duration.ofMinutes(1));
    assertThat(several.margin()).containsExactly(Duration.ZERO);
    String json = several.toJson().toString();
    assertThat(json).contains("\"watchdog\":[\"10s\",\"1m\"]", "\"margin\":\"0s\"");
    assertThat(ExperimentSpec.parse("trial.json", json)).isEqualTo(several);
  }

  @Test
  void jsonRoundTripKeepsSpec() {
    ExperimentSpec spec =
        Trials.spec(
            SMALLEST.replace(
                "'policies'",
                "'seeds':[1,2],'until':'20m','metrics':{'interval':'1m','penalties':"
                    + "{'gold':[]}},'infrastructures':[{'from':'h.csv','sized':true}],'policies'"));
    assertThat(ExperimentSpec.parse("trial.json", spec.toJson().toString())).isEqualTo(spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'polices':[] | polices was \\[\\], but there is no such key\\. Maybe you meant "
            + "policies\\. Known: name, .*",
        "'seeds':[] | seeds was \\[\\], must hold at least one\\.",
        "'seeds':[1,1] | seeds was \\[1, 1\\], must be unlike each other\\.",
        "'seeds':[1.5] | seeds\\[0\\] was 1\\.5, must be a whole number\\.",
        "'seeds':1 | seeds was 1, must be a list\\. .*",
        "'scales':[0] | scales was \\[0\\.0\\], must be shares in \\(0, 10\\].*",
        "'scales':[10.1] | scales was \\[10\\.1\\], must be shares in \\(0, 10\\].*",
        "'scales':[1,1.0] | scales was \\[1\\.0, 1\\.0\\], .* unlike each other\\.",
        "'until':'0s' | until was \"0s\", must be longer than 0s\\.",
        "'until':'soon' | until was \"soon\", must be .*",
        "'until':5 | until was 5, must be .*",
        "'apart':'0s' | apart was \"0s\", must be longer than 0s\\.",
        "'watchdog':'0s' | watchdog was \"0s\", must be longer than 0s\\.",
        "'watchdog':['1s','0s'] | watchdog\\[1\\] was \"0s\", must be longer than 0s\\.",
        "'watchdog':[] | watchdog was \\[\\], must hold at least one\\.",
        "'watchdog':'' | watchdog was \"\", must be .*",
        "'watchdog':['1s',null] | watchdog\\[1\\] was null, must have a value\\.",
        "'margin':['60s','1m'] | margin was \\[1m, 1m\\], must be unlike each other\\.",
        "'margin':['0s','soon'] | margin\\[1\\] was \"soon\", must be .*",
        "'margin':['0s','36501d'] | margin\\[1\\] was \"36501d\", must be at most 36500d\\.",
        "'overheads':'2s' | overheads was \"2s\", .*",
        "'bounds':'no' | bounds was \"no\", must be true or false\\. .*",
        "'metrics':{'interval':'90s'} | metrics\\.interval was \"90s\", .* multiple of sample,"
            + " 1m\\.",
        "'metrics':{'penalties':{'gold':[{'below':2,'bonus':1}]}} | metrics\\.penalties.*"
            + "below was 2\\.0, must be in \\(0, 1\\].*",
        "'infrastructures':[7] | infrastructures\\[0\\] was 7, must be a text or an object\\.",
        "'infrastructures':[{}] | infrastructures\\[0\\]\\.from was missing, must be given\\.",
        "'infrastructures':[{'from':'h','sised':true}] | infrastructures\\[0\\]\\.sised .* "
            + "Maybe you meant sized\\. Known: .*",
        "'infrastructures':[{'from':'h','seed':'x'}] | infrastructures\\[0\\]\\.seed was \"x\", "
            + "must be a number\\. .*"
      })
  void explainsInvalidValues(String more, String expected) {
    assertThatThrownBy(() -> Trials.spec(SMALLEST.replace("}", "," + more + "}")))
        .isInstanceOf(ConfigException.class)
        .message()
        .matches("experiment trial\\.json: " + expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | workloads[0].from was missing, must be given.",
        "{'from':' '} | workloads[0].from was missing, must be given.",
        "{'from':'a','skipBad':-1} | workloads[0].skipBad was -1, must be 0 or more.",
        "{'from':'a','sample':{'share':0}} | workloads[0].sample.share was 0, must be in "
            + "(0, 1].",
        "{'from':'a','sample':{'share':'x'}} | workloads[0].sample.share was \"x\", must be a "
            + "number. The default is 0.1.",
        "{'from':'a','sample':{'groups':0}} | workloads[0].sample.groups was 0, must be 1 "
            + "or more.",
        "{'from':'a','sample':{'number':0}} | workloads[0].sample.number was 0, must be 1 "
            + "or more.",
        "{'from':'a','sample':3} | workloads[0].sample was 3, must be a JSON object."
      })
  void explainsInvalidWorkloads(String workload, String expected) {
    assertThatThrownBy(() -> Trials.spec(SMALLEST.replace("'validation-1'", workload)))
        .isInstanceOf(ConfigException.class)
        .hasMessage("experiment trial.json: " + expected);
  }

  @Test
  void reportsAllProblemsTogether() {
    ConfigException wrong =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                Trials.spec(
                    """
                    {
                      'nam': 'x', 'watchdog': 'x', 'scales': [20],
                      'workloads': ['a', {'from': 'b', 'sample': {'share': 7}, 'skipbad': 1}],
                      'policies': [{'policy': 'p', 'config': 3}, {'config': {}}]
                    }
                    """));
    assertThat(wrong.problems().stream().map(ConfigException.Problem::path))
        .containsExactlyInAnyOrder(
            "nam",
            "watchdog",
            "workloads[1].sample.share",
            "workloads[1].skipbad",
            "policies[0].config",
            "policies[1].policy",
            "scales");
  }

  @Test
  void requiresWorkloadsAndPolicies() {
    assertThatThrownBy(() -> Trials.spec("{'workloads':[]}"))
        .hasMessage(
            "experiment trial.json: workloads was [], must name at least one.\n"
                + "experiment trial.json: policies was missing, must name at least one.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1] | experiment trial.json: the file was [1], must be a JSON object.",
        "`` | experiment trial.json: the file was empty, must be a JSON object.",
      })
  void refusesOtherThanObject(String text, String expected) {
    assertThatThrownBy(() -> ExperimentSpec.parse("trial.json", text)).hasMessage(expected);
  }

  @Test
  void refusesInvalidJson() {
    assertThatThrownBy(() -> ExperimentSpec.parse("trial.json", "{\n  \"name\" x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("experiment trial.json: the file was not JSON")
        .hasMessageContaining("line 2, column 1");
  }
}
