package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.cli.compare.PublishedLogs.Got;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.studies.qos.PublishedResults;
import dev.berth.experiments.studies.qos.PublishedRun;
import dev.berth.experiments.studies.qos.PublishedRun.Source;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.Readers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedResultsTest {

  private static final Offset<Double> SIX_DIGITS = within(5.1e-7);
  private static final Offset<Double> THREE_DIGITS = within(5e-4);

  @Test
  void hasPublishedRunsOfBothWorkloads() {
    assertThat(PublishedResults.all())
        .extracting(run -> run.name() + " " + run.policy() + " " + run.source().word())
        .containsExactly(
            "validation-1 qos-driven simulator",
            "validation-1 qos-driven kubernetes",
            "validation-1 priority simulator",
            "validation-1 priority kubernetes",
            "validation-2 qos-driven simulator",
            "validation-2 qos-driven kubernetes",
            "validation-2 priority simulator");
  }

  @Test
  void selectsRunsByWorkloadAndPolicy() {
    assertThat(PublishedResults.on("validation-2", Set.of("priority"))).hasSize(1);
    assertThat(PublishedResults.on("validation-1", Set.of("acme.other"))).isEmpty();
    assertThat(PublishedResults.on("mine.csv", Set.of("qos-driven", "priority"))).isEmpty();
  }

  /** A table of QoS-driven scheduling. */
  @ParameterizedTest(name = "{0} {1} {2} {3}")
  @CsvSource({
    "validation-1, qos-driven, SIMULATOR, silver, .900, .905, .908",
    "validation-1, qos-driven, SIMULATOR, bronze, .468, .4715, .475",
    "validation-1, qos-driven, KUBERNETES, silver, .906, .910, .914",
    "validation-1, qos-driven, KUBERNETES, bronze, .442, .473, .505",
    "validation-2, qos-driven, SIMULATOR, silver, .896, .900, .905",
    "validation-2, qos-driven, KUBERNETES, silver, .873, .895, .908"
  })
  void matchesAvailabilitiesOfPaper(
      String workload,
      String policy,
      Source source,
      String serviceClass,
      double min,
      double mean,
      double max) {
    ClassFigures figures = figures(run(workload, policy, source), serviceClass);
    assertThat(figures.only(ClassFigures.MIN).orElseThrow()).isCloseTo(min, THREE_DIGITS);
    assertThat(figures.only(ClassFigures.MEAN).orElseThrow()).isCloseTo(mean, THREE_DIGITS);
    assertThat(figures.only(ClassFigures.MAX).orElseThrow()).isCloseTo(max, THREE_DIGITS);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "1, slo-driven, qos-driven",
    "1, priority-based, priority",
    "2, slo-driven, qos-driven",
    "2, priority-based, priority"
  })
  void simulatorFiguresFollowFromLogs(int validation, String scheduler, String policy) {
    PublishedLogs.requireData();
    assertFollows(
        run("validation-" + validation, policy, Source.SIMULATOR),
        PublishedLogs.simulator(validation, scheduler).values());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"slo-driven, qos-driven", "priority-based, priority"})
  void kubernetesFiguresFollowFromLogs(String scheduler, String policy) {
    PublishedLogs.requireData();
    assertFollows(
        run("validation-1", policy, Source.KUBERNETES),
        PublishedLogs.kubernetes(scheduler).values());
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({"1, slo-driven", "1, priority-based", "2, slo-driven", "2, priority-based"})
  void serviceTimesMatchTerminationLog(int validation, String scheduler) {
    PublishedLogs.requireData();
    Map<String, Double> stated = PublishedLogs.terminations(validation, scheduler);
    assertThat(stated).hasSize(200);
    assertThat(PublishedLogs.serviceOfRunning(validation, scheduler)).isEqualTo(stated);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "1, simulation, slo-driven",
    "1, simulation, priority-based",
    "1, kubernetes, slo-driven",
    "1, kubernetes, priority-based",
    "2, simulation, slo-driven",
    "2, simulation, priority-based"
  })
  void replicationsThatAreReadHaveSameFigures(int validation, String where, String scheduler) {
    Path folder =
        PublishedLogs.file("published/validation%s-%s-%s".formatted(validation, where, scheduler));
    Path requests =
        PublishedLogs.file(
            "synthetic-workload-validation%s-20hosts-10pods-per-host-experiment.csv"
                .formatted(validation));
    Workload workload =
        Readers.workload(
            requests.toString(),
            ServiceClasses.goldSilverBronze(Duration.ofSeconds(30)),
            new ReadOptions(0));
    PublishedRun read = PublishedRun.read(folder.toString(), workload, Duration.ofHours(1));
    PublishedRun known =
        run(
            "validation-" + validation,
            scheduler.equals("slo-driven") ? "qos-driven" : "priority",
            read.source());
    assertThat(read.source().word()).isEqualTo(where.equals("simulation") ? "simulator" : where);
    assertThat(read.preemptions()).isEqualTo(known.preemptions());
    if (known.placements().isPresent()) {
      assertThat(read.placements()).isEqualTo(known.placements());
    }
    assertThat(read.classes()).hasSameSizeAs(known.classes());
    for (ClassFigures figures : known.classes()) {
      ClassFigures got =
          read.classes().stream()
              .filter(each -> each.name().equals(figures.name()))
              .findFirst()
              .orElseThrow();
      assertThat(got.count()).isEqualTo(figures.count());
      assertClose(figures.only(ClassFigures.MIN), got.only(ClassFigures.MIN));
      assertClose(figures.only(ClassFigures.MEAN), got.only(ClassFigures.MEAN));
      assertClose(figures.only(ClassFigures.MAX), got.only(ClassFigures.MAX));
      assertClose(figures.only(ClassFigures.FULFILMENT), got.only(ClassFigures.FULFILMENT));
      assertClose(figures.only(ClassFigures.MEAN_DEFICIT), got.only(ClassFigures.MEAN_DEFICIT));
      assertClose(figures.only(ClassFigures.MAX_DEFICIT), got.only(ClassFigures.MAX_DEFICIT));
      assertThat(got.only(ClassFigures.NEVER_RAN)).isEqualTo(figures.only(ClassFigures.NEVER_RAN));
      assertThat(got.only(ClassFigures.PREEMPTIONS))
          .isEqualTo(figures.only(ClassFigures.PREEMPTIONS));
    }
  }

  private PublishedRun run(String workload, String policy, Source source) {
    return PublishedResults.on(workload, Set.of(policy)).stream()
        .filter(run -> run.source() == source)
        .findFirst()
        .orElseThrow();
  }

  private static ClassFigures figures(PublishedRun run, String serviceClass) {
    return run.classes().stream()
        .filter(figures -> figures.name().equals(serviceClass))
        .findFirst()
        .orElseThrow();
  }

  private static void assertFollows(PublishedRun run, Collection<Got> all) {
    assertThat(run.preemptions()).hasValue(all.stream().mapToLong(Got::preemptions).sum());
    for (ClassFigures figures : run.classes()) {
      List<Got> got =
          all.stream().filter(each -> each.serviceClass().equals(figures.name())).toList();
      List<Double> deficits =
          got.stream()
              .map(each -> figures.slo() - each.availability())
              .filter(deficit -> deficit > 0)
              .toList();
      assertThat(figures.count()).isEqualTo(got.size());
      assertClose(
          figures.only(ClassFigures.MIN), got.stream().mapToDouble(Got::availability).min());
      assertClose(
          figures.only(ClassFigures.MEAN), got.stream().mapToDouble(Got::availability).average());
      assertClose(
          figures.only(ClassFigures.MAX), got.stream().mapToDouble(Got::availability).max());
      assertClose(
          figures.only(ClassFigures.FULFILMENT),
          OptionalDouble.of(1 - (double) deficits.size() / got.size()));
      assertClose(
          figures.only(ClassFigures.MEAN_DEFICIT), deficits.stream().mapToDouble(d -> d).average());
      assertClose(
          figures.only(ClassFigures.MAX_DEFICIT), deficits.stream().mapToDouble(d -> d).max());
      assertThat(figures.only(ClassFigures.NEVER_RAN))
          .hasValue((double) got.stream().filter(each -> each.availability() == 0).count());
      assertThat(figures.only(ClassFigures.PREEMPTIONS))
          .hasValue((double) got.stream().mapToLong(Got::preemptions).sum());
    }
  }

  private static void assertClose(OptionalDouble published, OptionalDouble computed) {
    assertThat(published.isPresent()).isEqualTo(computed.isPresent());
    computed.ifPresent(value -> assertThat(published.orElseThrow()).isCloseTo(value, SIX_DIGITS));
  }
}
