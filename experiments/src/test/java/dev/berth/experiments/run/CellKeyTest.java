package dev.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.experiments.Trials;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellKeyTest {

  private static final String JSON =
      """
      {'workloads':[{'from':'requests.csv','classes':'classes.json'}],
       'infrastructures':['hosts.csv'],'policies':['priority'],'bounds':false,
       'events':'failures.csv','until':'20m'}
      """;

  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() {
    Trials.writeFiles(folder);
    Trials.write(folder, "failures.csv", "time,host,event\n60s,h1,fails\n");
    Trials.write(
        folder,
        "classes.json",
        "[{\"name\":\"gold\",\"slo\":0.99},{\"name\":\"bronze\",\"slo\":0.4}]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'seeds':[2]",
        "'scales':[0.9]",
        "'until':'21m'",
        "'watchdog':'31s'",
        "'apart':'1s'",
        "'margin':'29s'",
        "'overheads':['1s']",
        "'hotOverheads':['1s']",
        "'termination':'1s'",
        "'decisionTimes':['1s']",
        "'plainDecisionTimes':['1s']",
        "'metrics':{'interval':'20m'}",
        "'metrics':{'sample':'30s'}",
        "'metrics':{'penalties':{'gold':[{'below':0.5,'bonus':1}]}}"
      })
  void dependsOnSettings(String more) {
    String rest = more.startsWith("'until'") ? "" : ",'until':'20m'";
    assertThat(key(JSON.replace(",'until':'20m'", "," + more + rest))).isNotEqualTo(key(JSON));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'requests.csv' 'csv:requests.csv'",
        "'classes.json' 'classes.json','skipBad':1",
        "'hosts.csv' {'from':'hosts.csv','sized':true}",
        "'priority' 'never-preempt'",
        "'priority' {'policy':'priority','config':{'patience':4}}",
        "'events':'failures.csv', NOTHING",
        ",'classes':'classes.json' NOTHING"
      })
  void dependsOnWorkloadHostsAndPolicy(String change) {
    String[] parts = change.split(" ", -1);
    String changed = JSON.replace(parts[0], parts[1].replace("NOTHING", ""));
    assertThat(changed).isNotEqualTo(JSON);
    assertThat(key(changed)).isNotEqualTo(key(JSON));
  }

  @ParameterizedTest
  @ValueSource(strings = {"requests.csv", "hosts.csv", "failures.csv", "classes.json"})
  void dependsOnContentOfFiles(String file) {
    String before = key(JSON);
    String content =
        switch (file) {
          case "requests.csv" -> Trials.REQUESTS.replace("10m", "11m");
          case "hosts.csv" -> Trials.HOSTS.replace("h2,2,4", "h2,2,5");
          case "failures.csv" -> "time,host,event\n61s,h1,fails\n";
          default -> "[{\"name\":\"gold\",\"slo\":0.98},{\"name\":\"bronze\",\"slo\":0.4}]";
        };
    Trials.write(folder, file, content);
    assertThat(key(JSON)).isNotEqualTo(before);
  }

  @Test
  void ignoresNamesAndLabels() {
    assertThat(
            key(
                JSON.replace("{'workloads'", "{'name':'n','description':'d','workloads'")
                    .replace("'from':'requests.csv'", "'from':'requests.csv','label':'l'")
                    .replace("['hosts.csv']", "[{'from':'hosts.csv','label':'l'}]")
                    .replace("'priority'", "{'policy':'priority','label':'l'}")))
        .isEqualTo(key(JSON));
  }

  @Test
  void ignoresOtherCellsAndFolder(@TempDir Path elsewhere) {
    String before = key(JSON);
    Experiment more =
        Trials.load(
            folder,
            JSON.replace("['priority'],'bounds':false", "['never-preempt','priority']")
                .replace("'until'", "'scales':[0.5,1],'seeds':[9,1],'until'"));
    assertThat(more.cells().stream().map(CellKey::of)).contains(before);
    Experiment paces =
        Trials.load(
            folder,
            JSON.replace("'until'", "'watchdog':['1m','30s'],'margin':['0s','30s'],'until'"));
    assertThat(paces.cells().stream().map(CellKey::of).distinct()).hasSize(4).contains(before);

    folder = elsewhere;
    writeFiles();
    assertThat(key(JSON)).isEqualTo(before);
  }

  @Test
  void infiniteHostIgnoresScale() {
    Experiment scales =
        Trials.load(folder, JSON.replace(",'bounds':false", ",'scales':[1,0.5,0.9]"));
    List<String> keys =
        scales.cells().stream()
            .filter(each -> each.policy().role() == ComparedPolicy.Role.UPPER_BOUND)
            .map(CellKey::of)
            .toList();
    assertThat(keys).hasSize(3);
    assertThat(keys.stream().distinct()).hasSize(1);
    assertThat(scales.cells().stream().map(CellKey::of).distinct()).hasSize(1 + 2 * 3);
  }

  private String key(String json) {
    List<Cell> cells = Trials.load(folder, json).cells();
    assertThat(cells).hasSize(1);
    return CellKey.of(cells.get(0));
  }
}
