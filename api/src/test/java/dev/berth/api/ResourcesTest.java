package dev.berth.api;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ResourcesTest {

  private static final Dimension GPU = new Dimension("gpu", 1);

  @Test
  void findsAmountsByDimension() {
    Resources resources = Resources.of(CPU, 5, MEMORY, 7);

    assertThat(resources.amount(CPU)).isEqualTo(5);
    assertThat(resources.amount(MEMORY)).isEqualTo(7);
  }

  @Test
  void absentDimensionIsZero() {
    assertThat(Resources.of(CPU, 5).amount(MEMORY)).isZero();
    assertThat(Resources.none().amount(CPU)).isZero();
  }

  @Test
  void dimensionOfAnotherScaleIsAnotherDimension() {
    assertThat(Resources.of(CPU, 5).amount(new Dimension("cpu", 1000))).isZero();
  }

  @Test
  void listsDimensionsByName() {
    Resources resources = Resources.builder().put(MEMORY, 1).put(GPU, 2).put(CPU, 3).build();

    assertThat(resources.dimensions()).containsExactly(CPU, GPU, MEMORY);
  }

  @Test
  void zeroOmitsADimension() {
    assertThat(Resources.of(CPU, 5, MEMORY, 0)).isEqualTo(Resources.of(CPU, 5));
    assertThat(Resources.of(CPU, 0)).isEqualTo(Resources.none());
    assertThat(Resources.of(CPU, 0).dimensions()).isEmpty();
  }

  @Test
  void equalityIgnoresInsertionOrder() {
    Resources one = Resources.of(CPU, 5, MEMORY, 7);
    Resources other = Resources.of(MEMORY, 7, CPU, 5);

    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one).isNotEqualTo(Resources.of(CPU, 5, MEMORY, 8));
    assertThat(one).isNotEqualTo(Resources.of(CPU, 5));
  }

  @Test
  void fitsInOnlyIfNoDimensionExceeds() {
    Resources capacity = Resources.of(CPU, 4, MEMORY, 8);

    assertThat(Resources.of(CPU, 4, MEMORY, 8).fitsIn(capacity)).isTrue();
    assertThat(Resources.of(CPU, 4).fitsIn(capacity)).isTrue();
    assertThat(Resources.none().fitsIn(Resources.none())).isTrue();
    assertThat(Resources.of(CPU, 5, MEMORY, 1).fitsIn(capacity)).isFalse();
    assertThat(Resources.of(CPU, 1, MEMORY, 9).fitsIn(capacity)).isFalse();
    assertThat(Resources.of(GPU, 1).fitsIn(capacity)).isFalse();
  }

  @Property
  void fittingBothWaysIsEquality(
      @ForAll @IntRange(max = 2) int cpu,
      @ForAll @IntRange(max = 2) int memory,
      @ForAll @IntRange(max = 2) int otherCpu,
      @ForAll @IntRange(max = 2) int otherMemory) {
    Resources a = Resources.of(CPU, cpu, MEMORY, memory);
    Resources b = Resources.of(CPU, otherCpu, MEMORY, otherMemory);

    assertThat(a.fitsIn(b) && b.fitsIn(a)).isEqualTo(a.equals(b));
    assertThat(a.fitsIn(b)).isEqualTo(cpu <= otherCpu && memory <= otherMemory);
  }

  @Test
  void refusesNegativeAmountsWithReadableText() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resources.of(CPU, -500_000_000))
        .withMessage("cpu was -0.5, must not be negative.");
  }

  @Test
  void refusesDuplicateDimensions() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resources.of(CPU, 1, CPU, 1))
        .withMessage("cpu was given twice.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resources.of(CPU, 1, new Dimension("cpu", 8), 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Resources.of(CPU, 0, CPU, 1));
  }

  @Test
  void textIsReadable() {
    assertThat(Resources.of(MEMORY, 500_000_000, CPU, 375_000_000))
        .hasToString("cpu 0.375, memory 0.5");
    assertThat(Resources.none()).hasToString("nothing");
  }

  @Test
  void builderDoesNotChangeEarlierResults() {
    Resources.Builder builder = Resources.builder().put(CPU, 1);
    Resources before = builder.build();

    builder.put(MEMORY, 1);

    assertThat(before).isEqualTo(Resources.of(CPU, 1));
  }
}
