package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.berth.api.Constraint.Equal;
import dev.berth.api.Constraint.Exists;
import dev.berth.api.Constraint.GreaterThan;
import dev.berth.api.Constraint.In;
import dev.berth.api.Constraint.LessThan;
import dev.berth.api.Constraint.NotEqual;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConstraintTest {

  /** The value of attribute {@code x} (none: the host lacks it), and which of the six hold. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        // value, == 5, != 5, < 5, > 5, in {4, 5}, exists
        "none, false, true, false, false, false, false",
        "5, true, false, false, false, true, true",
        "4, false, true, true, false, true, true",
        "6, false, true, false, true, false, true",
        "-7, false, true, true, false, false, true",
        "+6, false, true, false, false, false, true",
        "05, false, true, false, false, false, true",
        "4.5, false, true, false, false, false, true",
        "6.0, false, true, false, false, false, true",
        "' 6', false, true, false, false, false, true",
        "'', false, true, false, false, false, true",
        "large, false, true, false, false, false, true",
        "9223372036854775807, false, true, false, true, false, true",
        "9223372036854775808, false, true, false, false, false, true",
        "-9223372036854775808, false, true, true, false, false, true"
      })
  void theMeaningIsThatOfTheTrace(
      String value,
      boolean equal,
      boolean notEqual,
      boolean lessThan,
      boolean greaterThan,
      boolean in,
      boolean exists) {
    Host host = hostWithX(value);

    assertThat(new Equal("x", "5").holdsOn(host)).as("x == 5").isEqualTo(equal);
    assertThat(new NotEqual("x", "5").holdsOn(host)).as("x != 5").isEqualTo(notEqual);
    assertThat(new LessThan("x", 5).holdsOn(host)).as("x < 5").isEqualTo(lessThan);
    assertThat(new GreaterThan("x", 5).holdsOn(host)).as("x > 5").isEqualTo(greaterThan);
    assertThat(new In("x", Set.of("4", "5")).holdsOn(host)).as("x in {4, 5}").isEqualTo(in);
    assertThat(new Exists("x").holdsOn(host)).as("x exists").isEqualTo(exists);
  }

  @Property
  void boundsAreStrict(@ForAll long value, @ForAll long bound) {
    Host host = hostWithX(Long.toString(value));

    assertThat(new LessThan("x", bound).holdsOn(host)).isEqualTo(value < bound);
    assertThat(new GreaterThan("x", bound).holdsOn(host)).isEqualTo(value > bound);
  }

  @Test
  void comparesTextByCharacter() {
    assertThat(new Equal("x", "A").holdsOn(hostWithX("a"))).isFalse();
    assertThat(new NotEqual("x", "A").holdsOn(hostWithX("a"))).isTrue();
  }

  @Test
  void emptySetNeverHolds() {
    assertThat(new In("x", Set.of()).holdsOn(hostWithX("a"))).isFalse();
  }

  @Test
  void constraintsReadAsConditions() {
    assertThat(
            Stream.of(
                    new Equal("zone", "a"),
                    new NotEqual("zone", "b"),
                    new LessThan("cores", -8),
                    new GreaterThan("cores", 8),
                    new In("zone", Set.of("c", "a", "b")),
                    new Exists("ssd"))
                .map(Constraint::describe))
        .containsExactly(
            "zone == a", "zone != b", "cores < -8", "cores > 8", "zone in {a, b, c}", "ssd exists");
  }

  static Stream<Runnable> blankNames() {
    return Stream.of(
        () -> new Equal(" ", "a"),
        () -> new NotEqual("", "a"),
        () -> new LessThan(" ", 1),
        () -> new GreaterThan(" ", 1),
        () -> new In(" ", Set.of("a")),
        () -> new Exists(" "));
  }

  @ParameterizedTest
  @MethodSource("blankNames")
  void refusesBlankAttributeNames(Runnable making) {
    assertThatIllegalArgumentException()
        .isThrownBy(making::run)
        .withMessage("constraint attribute was blank, must name an attribute.");
  }

  @Test
  void refusesMissingValues() {
    assertThatNullPointerException().isThrownBy(() -> new Equal("x", null));
    assertThatNullPointerException().isThrownBy(() -> new NotEqual("x", null));
    assertThatNullPointerException().isThrownBy(() -> new In("x", null));
  }

  private static Host hostWithX(String value) {
    return new FakeHost(value == null ? Map.of() : Map.of("x", value));
  }

  private record FakeHost(Map<String, String> attributes) implements Host {
    @Override
    public long version() {
      return 1;
    }

    @Override
    public String id() {
      return "h1";
    }

    @Override
    public Resources capacity() {
      return Resources.none();
    }

    @Override
    public Resources free() {
      return Resources.none();
    }

    @Override
    public long free(Dimension dimension) {
      return 0;
    }

    @Override
    public Collection<Instance> instances() {
      return List.of();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+5",
        "\u0665",
        "\uff15",
        "5 ",
        " 5",
        "",
        "-",
        "--5",
        "5.0",
        "0x5",
        "5_000",
        "1e3",
        "9223372036854775808",
        "00000000000000000005"
      })
  void textThatIsNoWholeNumberInDigitsIsNeitherLessNorGreater(String text) {
    assertThat(new Constraint.LessThan("a", Long.MAX_VALUE).holdsWith(Map.of("a", text))).isFalse();
    assertThat(new Constraint.GreaterThan("a", Long.MIN_VALUE).holdsWith(Map.of("a", text)))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"5", "05", "-5", "0", "-0", "9223372036854775806", "-9223372036854775807"})
  void wholeNumbersInDigitsAreCompared(String text) {
    assertThat(new Constraint.LessThan("a", Long.MAX_VALUE).holdsWith(Map.of("a", text))).isTrue();
    assertThat(new Constraint.GreaterThan("a", Long.MIN_VALUE).holdsWith(Map.of("a", text)))
        .isTrue();
  }
}
