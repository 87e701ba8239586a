package dev.berth.simulator.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.Ended;
import dev.berth.simulator.metrics.AvailabilityFile.Entry;
import dev.berth.simulator.result.RequestOutcome.End;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AvailabilityFileTest {

  private static final List<String> CLASSES = List.of("gold", "silver", "bronze");
  private static final List<ServiceClass> ALL = List.of(Ended.GOLD, Ended.SILVER, Ended.BRONZE);

  @TempDir private Path folder;

  @Test
  void keepsClassAvailabilityAndFulfilment() throws IOException {
    Path file = folder.resolve("a");
    try (AvailabilityFile.Writer writer = new AvailabilityFile.Writer(file, CLASSES)) {
      writer.add(Ended.completed(2, Ended.SILVER, Duration.ofSeconds(9), Duration.ofSeconds(1)));
      writer.add(Ended.completed(0, Ended.GOLD, Duration.ofSeconds(3), Duration.ZERO));
      // Rounded it is 1, but the objective was not met.
      writer.add(Ended.completed(3, Ended.GOLD, Duration.ofDays(1), Duration.ofNanos(1)));
      writer.add(Ended.outcome(4, Ended.BRONZE, End.REFUSED, 1, Duration.ZERO, Duration.ZERO));
      writer.add(
          Ended.outcome(5, Ended.BRONZE, End.UNFINISHED, 1, Duration.ZERO, Duration.ofSeconds(1)));
    }
    assertThat(read(file))
        .isEqualTo(
            Map.of(
                0L, new Entry(0, 1, true),
                2L, new Entry(1, 0.9, true),
                3L, new Entry(0, 1, false),
                5L, new Entry(2, 0, false)));
  }

  @Test
  void replacesAnExistingFile() throws IOException {
    Path file = Files.write(folder.resolve("a"), new byte[500_000]);
    new AvailabilityFile.Writer(file, CLASSES).close();
    assertThat(read(file)).isEmpty();
  }

  @Property(tries = 50)
  void readsBackValuesInAnyOrder(
      @ForAll @Size(max = 60) @UniqueElements List<@IntRange(max = 2_000_000) Integer> numbers)
      throws IOException {
    Path file = Files.createTempFile("berth", ".availabilities");
    try {
      Map<Long, Entry> written = new TreeMap<>();
      try (AvailabilityFile.Writer writer = new AvailabilityFile.Writer(file, CLASSES)) {
        for (long number : numbers) {
          written.put(number, add(writer, number));
        }
      }
      assertThat(read(file)).isEqualTo(written);
    } finally {
      Files.delete(file);
    }
  }

  /** 80 pages in turn, of which only 64 fit into memory. */
  @Test
  void holdsMoreThanFitsIntoMemory() throws IOException {
    long most = 80L * 8192;
    List<Long> numbers =
        new ArrayList<>(LongStream.range(0, most).filter(each -> each % 211 < 2).boxed().toList());
    Collections.shuffle(numbers, new Random(7));
    Path file = folder.resolve("a");
    Map<Long, Entry> written = new HashMap<>();
    try (AvailabilityFile.Writer writer = new AvailabilityFile.Writer(file, CLASSES)) {
      for (long number : numbers) {
        written.put(number, add(writer, number));
      }
    }
    assertThat(read(file)).isEqualTo(written);
    assertThat(Files.size(file)).isEqualTo((Collections.max(numbers) + 1) * Integer.BYTES);
  }

  @Test
  void readsTwoRunsSideBySide() throws IOException {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    try (AvailabilityFile.Writer one = new AvailabilityFile.Writer(first, CLASSES);
        AvailabilityFile.Writer other = new AvailabilityFile.Writer(second, CLASSES)) {
      add(one, 1);
      add(one, 2);
      add(one, 9_000); // only in this run
      add(other, 0); // only in this run
      add(other, 1);
      add(other, 2);
    }
    List<String> seen = new ArrayList<>();
    AvailabilityFile.readPairs(
        Files.newInputStream(first),
        Files.newInputStream(second),
        (one, other) -> seen.add(one + " " + other));
    assertThat(seen).containsExactly(entry(1) + " " + entry(1), entry(2) + " " + entry(2));
  }

  @Test
  void holdsAtMostSixtyFourClasses() throws IOException {
    List<String> names = IntStream.rangeClosed(1, 65).mapToObj(i -> "class " + i).toList();
    Path file = folder.resolve("a");
    ServiceClass last = ServiceClass.builder("class 64").slo(0.5).build();
    try (AvailabilityFile.Writer writer = new AvailabilityFile.Writer(file, names.subList(0, 64))) {
      writer.add(Ended.completed(0, last, Duration.ofSeconds(1), Duration.ZERO));
    }
    assertThat(read(file)).isEqualTo(Map.of(0L, new Entry(63, 1, true)));
    assertThatThrownBy(() -> new AvailabilityFile.Writer(file, names))
        .hasMessage("65 service classes, must be at most 64.");
  }

  private static Entry add(AvailabilityFile.Writer writer, long number) throws IOException {
    ServiceClass serviceClass = ALL.get((int) (number % 3));
    long service = number % 1000;
    writer.add(
        Ended.completed(
            number, serviceClass, Duration.ofSeconds(service), Duration.ofSeconds(1000 - service)));
    return entry(number);
  }

  private static Entry entry(long number) {
    ServiceClass serviceClass = ALL.get((int) (number % 3));
    double availability = number % 1000 / 1000.0;
    return new Entry((int) (number % 3), availability, availability >= serviceClass.slo().share());
  }

  private static Map<Long, Entry> read(Path file) throws IOException {
    Map<Long, Entry> all = new HashMap<>();
    AvailabilityFile.read(Files.newInputStream(file), all::put);
    return all;
  }
}
