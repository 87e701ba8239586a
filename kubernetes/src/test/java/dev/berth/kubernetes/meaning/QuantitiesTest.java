package dev.berth.kubernetes.meaning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "2, 2",
    "+2, 2",
    "-2, -2",
    "0.5, 0.5",
    ".5, 0.5",
    "5., 5",
    "500m, 0.5",
    "100u, 0.0001",
    "1n, 0.000000001",
    "0.1n, 0.000000001",
    "-0.1n, -0.000000001",
    "3k, 3000",
    "3M, 3000000",
    "3G, 3000000000",
    "3T, 3000000000000",
    "3P, 3000000000000000",
    "3E, 3000000000000000000",
    "1Ki, 1024",
    "1.5Ki, 1536",
    "64Mi, 67108864",
    "2Gi, 2147483648",
    "1Ti, 1099511627776",
    "1Pi, 1125899906842624",
    "1Ei, 1152921504606846976",
    "1e3, 1000",
    "1E3, 1000",
    "1e-3, 0.001",
    "12e+1, 120",
  })
  void readsQuantities(String text, BigDecimal expected) {
    assertThat(Quantities.parse(text)).isEqualByComparingTo(expected);
    assertThat(Quantities.textOf(new Quantity(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "x",
        "1 ",
        " 1",
        "1K",
        "1ki",
        "1mi",
        "1KiB",
        "1,5",
        "1e",
        "1e1000",
        "1e1.5",
        "1e3k",
        "--1",
        "NaN",
        "Infinity",
        "0x10",
        "1_000",
        "١",
        "11111111111111111111111111111111111111111111111111111111111111111"
      })
  void refusesOtherText(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quantities.parse(text))
        .withMessageContaining("must be a quantity such as");
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 1, 1000000000, 1000000000",
    "cpu, 250m, 250000000, 250000000",
    "cpu, 100u, 1000000, 100000", // a kubelet counts thousandths of a core
    "cpu, 1n, 1000000, 1",
    "memory, 1, 1, 1",
    "memory, 1500m, 2, 1",
    "memory, 64Mi, 67108864, 67108864",
    "ephemeral-storage, 1G, 1000000000, 1000000000",
    "hugepages-2Mi, 4Mi, 4194304, 4194304",
    "nvidia.com/gpu, 2, 2, 2",
    "pods, 110, 110, 110",
  })
  void demandsAreRoundedUpAndCapacitiesDown(
      String resource, String text, long demand, long capacity) {
    Dimension dimension = Quantities.dimension(resource).orElseThrow();

    assertThat(Quantities.demand(dimension, Quantities.parse(text))).isEqualTo(demand);
    assertThat(Quantities.capacity(dimension, Quantities.parse(text))).isEqualTo(capacity);
  }

  @Test
  void usesTheDimensionsOfTheApi() {
    assertThat(Quantities.dimension("cpu")).contains(Dimension.CPU);
    assertThat(Quantities.dimension("memory")).contains(Dimension.MEMORY);
    assertThat(Quantities.dimension("storage")).isEmpty();
    assertThat(Quantities.dimension("attachable-volumes-csi")).isEmpty();
    assertThat(Quantities.dimension("/gpu")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, -1m",
    "cpu, 5G", // 5e18 units
    "cpu, 1e99",
    "memory, -1",
    "memory, 4Ei", // 2^62
    "memory, 1e99",
    "nvidia.com/gpu, 5E",
  })
  void refusesWhatCannotBeCounted(String resource, String text) {
    Dimension dimension = Quantities.dimension(resource).orElseThrow();
    BigDecimal value = Quantities.parse(text);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quantities.demand(dimension, value))
        .withMessageEndingWith("must be 0 or more, and less than 2^62 units.");
    assertThatIllegalArgumentException().isThrownBy(() -> Quantities.capacity(dimension, value));
  }

  @Property
  void unitsOfCpuAreExact(@ForAll @LongRange(min = 0, max = (1L << 62) - 1) long nanos) {
    String text = BigInteger.valueOf(nanos) + "n";

    assertThat(Quantities.capacity(Dimension.CPU, Quantities.parse(text))).isEqualTo(nanos);
  }

  @Property
  void unitsOfBytesAreExact(@ForAll @LongRange(min = 0, max = (1L << 62) - 1) long bytes) {
    String text = String.valueOf(bytes);

    assertThat(Quantities.demand(Dimension.MEMORY, Quantities.parse(text))).isEqualTo(bytes);
  }

  @Property
  void suffixesMultiply(@ForAll("numbers") BigDecimal number, @ForAll("suffixes") Suffix suffix) {
    BigDecimal exact = number.multiply(suffix.factor);

    assertThat(Quantities.parse(number.toPlainString() + suffix.text))
        .isEqualByComparingTo(exact.scale() > 9 ? exact.setScale(9, RoundingMode.UP) : exact);
  }

  @Property
  void demandsFitOnlyWhereTheyAreNotLarger(
      @ForAll("quantities") String demand, @ForAll("quantities") String capacity) {
    for (Dimension each : new Dimension[] {Dimension.CPU, Dimension.MEMORY, Quantities.PODS}) {
      long held = Quantities.demand(each, Quantities.parse(demand));
      long there = Quantities.capacity(each, Quantities.parse(capacity));
      if (held <= there) {
        assertThat(Quantities.parse(demand)).isLessThanOrEqualTo(Quantities.parse(capacity));
      }
    }
  }

  private record Suffix(String text, BigDecimal factor) {}

  @Provide
  Arbitrary<Suffix> suffixes() {
    BigDecimal two = BigDecimal.valueOf(2);
    return Arbitraries.of(
        new Suffix("", BigDecimal.ONE),
        new Suffix("m", new BigDecimal("1e-3")),
        new Suffix("u", new BigDecimal("1e-6")),
        new Suffix("n", new BigDecimal("1e-9")),
        new Suffix("k", new BigDecimal("1e3")),
        new Suffix("E", new BigDecimal("1e18")),
        new Suffix("Ki", two.pow(10)),
        new Suffix("Gi", two.pow(30)),
        new Suffix("Ei", two.pow(60)),
        new Suffix("e7", new BigDecimal("1e7")),
        new Suffix("E-7", new BigDecimal("1e-7")));
  }

  @Provide
  Arbitrary<BigDecimal> numbers() {
    return Arbitraries.bigDecimals()
        .between(new BigDecimal("-1e9"), new BigDecimal("1e9"))
        .ofScale(6);
  }

  @Provide
  Arbitrary<String> quantities() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 2000), Arbitraries.of("n", "u", "m", "", "k", "Ki"))
        .as((number, suffix) -> number + suffix);
  }
}
