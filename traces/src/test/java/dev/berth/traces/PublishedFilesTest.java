package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads the files that the authors of QoS-driven scheduling published. */
class PublishedFilesTest {

  @ParameterizedTest
  @CsvSource({"1, 256", "2, 221"})
  void bothFormatsOfAValidationWorkloadAgree(int number, int size) {
    Workload simulation = workload(number, "simulation");
    Workload experiment = workload(number, "experiment");

    assertThat(simulation.size()).hasValue(size);
    assertThat(experiment.size()).hasValue(size);
    assertThat(describe(simulation)).isEqualTo(describe(experiment));
  }

  @Test
  void validation1Has80GoldAnd80SilverAnd96BronzeRequests() {
    assertThat(
            arrivals(workload(1, "simulation")).stream()
                .collect(
                    Collectors.groupingBy(
                        each -> each.request().serviceClass(), Collectors.counting())))
        .isEqualTo(Map.of("gold", 80L, "silver", 80L, "bronze", 96L));
  }

  @Test
  void googleInfrastructuresHaveAttributes() {
    Infrastructure infrastructure =
        Readers.infrastructure(
            SharedData.require("google-infrastructures/sample3-infra-N.txt.gz").toString());

    assertThat(infrastructure.hosts()).hasSize(1949);
    assertThat(infrastructure.hosts())
        .allSatisfy(host -> assertThat(host.attributes()).isNotEmpty());
  }

  private static Workload workload(int number, String kind) {
    String file =
        "qos-validation/synthetic-workload-validation%s-20hosts-10pods-per-host-%s.csv"
            .formatted(number, kind);
    return Readers.workload(
        SharedData.require(file).toString(),
        ServiceClasses.goldSilverBronze(Duration.ofSeconds(30)));
  }

  private static List<String> describe(Workload workload) {
    return arrivals(workload).stream()
        .map(
            each ->
                "%s %s %s %s"
                    .formatted(
                        each.at(),
                        each.request(),
                        each.request().job().orElseThrow(),
                        each.serviceTime()))
        .toList();
  }

  private static List<Arrival> arrivals(Workload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
