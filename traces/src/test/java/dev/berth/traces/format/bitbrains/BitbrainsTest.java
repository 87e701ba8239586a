package dev.berth.traces.format.bitbrains;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.Readers;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class BitbrainsTest {

  private static final List<ServiceClass> CLASSES = ServiceClasses.goldSilverBronze(Duration.ZERO);
  private static final long SECOND = 1_000_000_000;
  private static final String HEADER = "Timestamp [ms];\tCPU cores;\tand more";
  private static final String GOOD = file(sample(1000, 2, 100, 10), sample(1300, 2, 100, 20));

  private static String sample(int at, int cores, int provisioned, int used) {
    return "%s;\t%s;\t2600;\t0;\t0;\t%s.0;\t%s.0;\t0;\t0;\t0;\t0"
        .formatted(at, cores, provisioned, used);
  }

  private static String file(String... samples) {
    return HEADER + "\n" + String.join("\n", samples) + "\n";
  }

  private static FileWorkload read(Input input, int skipBad) {
    return Readers.workload(
        new BitbrainsWorkloadFormat(), input, CLASSES, new ReadOptions(skipBad));
  }

  private static FileWorkload machine(String... samples) {
    return read(Input.of("vm.csv", file(samples).getBytes(UTF_8)), 0);
  }

  private static FileWorkload folder(Map<String, String> files, int skipBad) {
    return read(
        Input.of(
            "vms",
            files.entrySet().stream()
                .collect(
                    Collectors.toMap(Map.Entry::getKey, each -> each.getValue().getBytes(UTF_8)))),
        skipBad);
  }

  private static List<Arrival> arrivals(FileWorkload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }

  private static Arrival only(FileWorkload workload) {
    List<Arrival> arrivals = arrivals(workload);
    assertThat(arrivals).hasSize(1);
    return arrivals.get(0);
  }

  private static List<String> ids(FileWorkload workload) {
    return arrivals(workload).stream().map(each -> each.request().id()).toList();
  }

  private static MemoryProfile.Step step(int seconds, int kib) {
    return new MemoryProfile.Step(seconds * SECOND, kib * 1_024L);
  }

  // ---- Provisioning that changes

  @Test
  void requestsThePeakOfWhatWasProvisioned() {
    FileWorkload workload =
        machine(
            sample(1000, 2, 100, 120),
            sample(1300, 4, 50, 60),
            sample(1600, 4, 200, 150),
            sample(1900, 1, 200, 150));

    Arrival arrival = only(workload);
    assertThat(arrival.request().demand())
        .isEqualTo(Resources.of(Dimension.CPU, 4 * SECOND, Dimension.MEMORY, 200 * 1_024L));
    assertThat(arrival.request().memoryProfile().orElseThrow().steps())
        .as("used memory, at most what was provisioned at the time")
        .containsExactly(step(0, 100), step(300, 50), step(600, 150));
    assertThat(arrival.serviceTime()).isEqualTo(1_200 * SECOND);
    assertThat(workload.report().badLines()).isZero();
    assertThat(workload.report().skipped()).containsExactly(entry(Machine.CHANGED, 3L));
  }

  @Test
  void aMachineRunsWhileItHasCores() {
    FileWorkload workload =
        machine(
            sample(1000, 0, 0, 0),
            sample(1300, 2, 100, 10),
            sample(1600, 0, 0, 0),
            sample(1900, 2, 100, 20),
            sample(2200, 0, 100, 30),
            sample(2500, 0, 0, 0));

    Arrival arrival = only(workload);
    assertThat(arrival.at()).isZero();
    assertThat(arrival.serviceTime()).isEqualTo(900 * SECOND);
    assertThat(arrival.request().demand().amount(Dimension.CPU)).isEqualTo(2 * SECOND);
    assertThat(arrival.request().memoryProfile().orElseThrow().steps())
        .containsExactly(step(0, 10), step(300, 0), step(600, 20));
    assertThat(workload.report().skipped())
        .containsExactly(entry(Machine.CHANGED, 2L), entry(Machine.WITHOUT_CORES, 3L));
  }

  @Test
  void skipsAMachineThatNeverHasCores() {
    String idle = file(sample(500, 0, 100, 10), sample(800, 0, 100, 10));
    FileWorkload workload = folder(Map.of("a.csv", idle, "b.csv", GOOD), 0);

    assertThat(ids(workload)).containsExactly("b");
    assertThat(arrivals(workload).get(0).at()).as("time begins with a machine").isZero();
    assertThat(workload.report().skipped())
        .containsExactly(entry(BitbrainsWorkloadFormat.NO_CORES, 1L));
    assertThatThrownBy(() -> folder(Map.of("a.csv", idle), 0))
        .isInstanceOf(InputException.class)
        .hasMessage("vms: holds no request; left out 1: machine that never has cores.");
  }

  // ---- Order and repeated times

  @Test
  void mergesSamplesOfTheSameTime() {
    FileWorkload workload =
        machine(
            sample(1000, 2, 100, 10),
            sample(1300, 1, 200, 20),
            sample(1300, 2, 100, 30),
            sample(1300, 2, 100, 5),
            sample(1600, 2, 200, 30));

    Arrival arrival = only(workload);
    assertThat(arrival.request().demand())
        .isEqualTo(Resources.of(Dimension.CPU, 2 * SECOND, Dimension.MEMORY, 200 * 1_024L));
    assertThat(arrival.request().memoryProfile().orElseThrow().steps())
        .containsExactly(step(0, 10), step(300, 30));
    assertThat(arrival.serviceTime()).isEqualTo(900 * SECOND);
    assertThat(workload.report().skipped())
        .containsExactly(entry(Machine.CHANGED, 1L), entry(Machine.REPEATED, 2L));
  }

  @Property(tries = 100)
  void theOrderOfSamplesDoesNotMatter(@ForAll("shuffled") List<List<String>> orders) {
    List<String> requests =
        orders.stream()
            .map(each -> only(machine(each.toArray(String[]::new))).toString())
            .distinct()
            .toList();
    assertThat(requests).hasSize(1);
  }

  @Provide
  Arbitrary<List<List<String>>> shuffled() {
    Arbitrary<String> sample =
        Combinators.combine(
                Arbitraries.integers().between(0, 9),
                Arbitraries.integers().between(1, 3),
                Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(0, 4))
            .as((time, cores, provisioned, used) -> sample(300 * time, cores, provisioned, used));
    return sample
        .list()
        .ofMinSize(1)
        .ofMaxSize(12)
        .flatMap(samples -> Arbitraries.shuffle(samples).list().ofSize(2));
  }

  // ---- Bad lines

  @Test
  void aBadLineMakesItsWholeMachineBad() {
    Map<String, String> files =
        Map.of(
            "a.csv",
            file(sample(1000, 0, 0, 0), sample(1300, 2, 100, 10), "1600;\t2"),
            "b.csv",
            GOOD,
            "c.csv",
            file("x" + sample(100, 2, 100, 10), "x", sample(700, 2, 100, 10)),
            "d.csv",
            HEADER + "\n");

    FileWorkload workload = folder(files, 3);
    assertThat(ids(workload)).containsExactly("b");
    assertThat(arrivals(workload).get(0).at()).as("time begins with a good machine").isZero();
    assertThat(workload.report().badLines()).isEqualTo(3);
    assertThat(workload.report().firstBad())
        .extracting(InputException::getMessage)
        .containsExactly(
            "vms/a.csv, line 4: has 2 fields, must have 11: timestamp; CPU cores; CPU capacity"
                + " provisioned; CPU usage; CPU usage in %; memory capacity provisioned; memory"
                + " usage; disk read; disk write; network received; network transmitted.",
            "vms/c.csv, line 2: timestamp was \"x100\", must be a number of seconds, or a duration"
                + " such as 30s, 10m or 1h30m.",
            "vms/d.csv, line 2: must be a sample; the file has none.");
    assertThatThrownBy(() -> folder(files, 2))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("vms/d.csv, line 2: ");
  }

  @Test
  void reportsWhyNoMachineIsLeft() {
    Input one = Input.of("vm.csv", file(sample(1000, 2, 100, 10), "x").getBytes(UTF_8));

    assertThatThrownBy(() -> read(one, 1_000))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(
            "vm.csv: holds no request; left out bad lines, the first of which: vm.csv, line 3: has"
                + " 1 fields, must have 11: ");
  }

  @Property(tries = 100)
  void skippingNeverChangesAMachine(@ForAll("badLines") List<Integer> bad) {
    Map<String, String> files =
        IntStream.range(0, bad.size())
            .boxed()
            .collect(
                Collectors.toMap(each -> "vm" + each + ".csv", each -> withBad(bad.get(each))));
    files.put("good.csv", GOOD);

    List<Arrival> arrivals = arrivals(folder(files, 1_000));
    assertThat(arrivals)
        .allSatisfy(
            each -> {
              assertThat(each.serviceTime()).isEqualTo(600 * SECOND);
              assertThat(each.request().demand().amount(Dimension.CPU)).isEqualTo(2 * SECOND);
            })
        .hasSize(1 + (int) bad.stream().filter(each -> each > 2).count());
  }

  /** Returns a good file with one bad line; 3 for none. */
  private static String withBad(int line) {
    List<String> lines = new ArrayList<>(GOOD.lines().toList());
    if (line <= 2) {
      lines.add(1 + line, "bad");
    }
    return String.join("\n", lines) + "\n";
  }

  @Provide
  Arbitrary<List<Integer>> badLines() {
    return Arbitraries.integers().between(0, 3).list().ofMaxSize(5);
  }
}
