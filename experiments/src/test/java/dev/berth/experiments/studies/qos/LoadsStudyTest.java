package dev.berth.experiments.studies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The study of twelve loads, on a few hours of a very small month. */
class LoadsStudyTest {

  private final StudyResult result =
      new LoadsStudy(0.002, Duration.ofHours(6))
          .run(new Study.Setting(PolicyRegistry.load(), "", 1));

  @Test
  void sizesHostsByTheLoadAndTheLevel() {
    Map<String, Map<Double, Integer>> hosts = new TreeMap<>(); // by load and level
    List<String> rows = result.series().get(0).toString().lines().skip(1).toList();
    for (String row : rows) {
      String[] cells = row.split(",", -1);
      hosts
          .computeIfAbsent(cells[0], each -> new TreeMap<>())
          .put(Double.valueOf(cells[1]), Integer.valueOf(cells[2]));
    }
    assertThat(hosts).hasSize(12);
    assertThat(hosts.values())
        .allSatisfy(
            its -> {
              int peak = its.get(1.0);
              assertThat(its.get(1.1)).isEqualTo(Math.round(1.1 * peak));
              assertThat(its.get(0.8)).isEqualTo(Math.max(1, Math.round(0.8 * peak)));
            });
    assertThat(rows).hasSizeBetween(12 * 4 * 2, 12 * 4 * 2 * 3);
  }

  @Test
  void judgesWhatThePaperPrints() {
    assertThat(result.claims())
        .extracting(Claim::published)
        .containsExactly(
            "12 and 12 of 12",
            "10 and 2 of 12",
            "7 of 12",
            "3 of 12",
            "in general",
            "in general",
            "in all loads but 2",
            "in all loads but 2",
            "1",
            "71.48 % not 96.24 %; 1.01 % not 6.24 %",
            "97.98 to 100.00 %",
            "98.84 to 99.75 %",
            "96.12 to 100.00 %",
            "79.00 to 100.00 %",
            "98.33 to 99.50 %",
            "98.33 to 99.50 %");
  }
}
