package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.WorkloadFormat;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables with as many columns as a line can hold are read, or refused, in linear time. */
@Timeout(600)
class WideTableTest {

  private static final List<ServiceClass> CLASSES = ServiceClasses.goldSilverBronze(Duration.ZERO);
  private static final String HOSTS = "id,cpu,memory";
  private static final String REQUESTS = "admitted,id,class,service_time,cpu,memory";
  private static final int COLUMNS = 140_000; // in a mebibyte

  @Test
  void hostsWithManyDimensions() {
    String hosts = HOSTS + names(COLUMNS) + "\nh,1,1" + ",1".repeat(COLUMNS) + "\n";
    assertRefused(hosts, "must be one of at most 100 in a file");
  }

  @Test
  void objectsWithManyDimensions() {
    String capacity =
        IntStream.range(0, 80_000)
            .mapToObj("\"%s\":1"::formatted)
            .collect(Collectors.joining(",", "{", "}"));
    assertRefused(
        "jsonl",
        "{\"id\":\"h\",\"capacity\":" + capacity + "}\n",
        "must be one of at most 100 in a file");
  }

  @Test
  void fewDimensionsOfEachOfManyHosts() {
    String hosts =
        IntStream.range(0, 200)
            .mapToObj("{\"id\":\"h%1$s\",\"capacity\":{\"cpu\":1,\"%1$s\":1}}\n"::formatted)
            .collect(Collectors.joining());
    assertRefused("jsonl", hosts, "x, line 100: dimension was \"99\"");
  }

  @Test
  void longNamesAndValuesOfAttributes() {
    String big = "x".repeat(501);
    for (String each : List.of(big + "=a", "a=" + big)) {
      assertRefused("id,cpu,memory,attributes\nh,1,1," + each + "\n", "500 characters");
    }
    for (String each : List.of("{\"%s\":\"a\"}", "{\"a\":\"%s\"}")) {
      assertRefused(
          "jsonl",
          "{\"id\":\"h\",\"attributes\":" + each.formatted(big) + "}\n",
          "attributes was \"xx");
    }
    assertRefused("jsonl", "{\"id\":\"h\",\"capacity\":{\"%s\":1}}\n".formatted(big), "500");
    assertRefused(
        "qos-infrastructure", "{\"1\",\"h\",1.0,1.0,[{\"%s\",\"a\"}]}.\n".formatted(big), "500");
    assertRefused("borg-simulator", "1,h,0.5,0.5,[{%s,a}]\n".formatted(big), "500");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%s==a", "a==%s", "a!=%s", "%s<1", "%s>1", "%s in a", "a in b|%s", "%s exists"})
  void longNamesAndValuesOfConstraints(String constraint) {
    String text =
        REQUESTS + ",constraints\n0,r,gold,1,1,1," + constraint.formatted("x".repeat(501)) + "\n";
    Input input = Input.of("x", text.getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> Readers.workload(requests(), input, CLASSES, ReadOptions.STRICT))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("must not be longer than 500 characters");
  }

  @Test
  void emptyNames() {
    assertRefused(HOSTS + ",".repeat(900_000) + "\n", "header");
  }

  @Test
  void manyBadRows() {
    String text = HOSTS + names(COLUMNS) + "\n" + "h,1\n".repeat(2_000);
    Input input = Input.of("x", text.getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(
            () -> Readers.infrastructure(format("csv"), input, new ReadOptions(Integer.MAX_VALUE)))
        .isInstanceOf(InputException.class)
        .satisfies(error -> assertThat(error.getMessage().length()).isLessThan(4_000));
  }

  @ParameterizedTest
  @ValueSource(ints = {501, 100_000})
  void longNames(int length) {
    assertRefused(HOSTS + "," + "x".repeat(length) + "\nh,1,1,1\n", "500 characters");
  }

  @Test
  void requestsWithManyDimensions() {
    String text = REQUESTS + names(COLUMNS) + "\n0,r,gold,1,1,1" + ",1".repeat(COLUMNS) + "\n";
    Input input = Input.of("x", text.getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> Readers.workload(requests(), input, CLASSES, ReadOptions.STRICT))
        .isInstanceOf(InputException.class)
        .satisfies(error -> assertThat(error.getMessage().length()).isLessThan(4_000));
  }

  private static String names(int columns) {
    return IntStream.range(0, columns).mapToObj(each -> "," + each).collect(Collectors.joining());
  }

  private static WorkloadFormat requests() {
    return Readers.workloadFormats().stream()
        .filter(each -> each.name().equals("csv"))
        .findFirst()
        .orElseThrow();
  }

  private static InfrastructureFormat format(String name) {
    return Readers.infrastructureFormats().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void assertRefused(String text, String rule) {
    assertRefused("csv", text, rule);
  }

  private static void assertRefused(String format, String text, String rule) {
    Input input = Input.of("x", text.getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> Readers.infrastructure(format(format), input, ReadOptions.STRICT))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(rule)
        .satisfies(error -> assertThat(error.getMessage().length()).isLessThan(4_000));
  }
}
