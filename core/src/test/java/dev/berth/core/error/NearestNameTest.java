package dev.berth.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {

  private static final List<String> POLICIES =
      List.of("best-fit", "memic", "priority", "qos-driven", "worst-fit");

  @ParameterizedTest
  @CsvSource({
    "prioritty, priority",
    "qos-drivn, qos-driven",
    "QoS-Driven, qos-driven",
    "wrost-fit, worst-fit",
    "memci, memic",
    "x, ''",
    "random, ''"
  })
  void namesWhatWasMeant(String given, String expected) {
    assertThat(NearestName.of(given, POLICIES).orElse("")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "fair-share, acme.fair-share",
    "fair-shar, acme.fair-share",
    "acme.fair-shar, acme.fair-share",
    "best-ft, best-fit",
    "Worst-Fit, other.worst-fit"
  })
  void partAfterTheDotIsEnough(String given, String expected) {
    List<String> known = List.of("acme.best-fit", "acme.fair-share", "best-fit", "other.worst-fit");
    assertThat(NearestName.of(given, known)).hasValue(expected);
  }

  @Test
  void nameWithoutACommonLetterIsNotMeant() {
    assertThat(NearestName.of("ab", List.of("xy"))).isEmpty();
    assertThat(NearestName.of("ab", List.of("ay", "xb"))).as("first of equals").hasValue("ay");
  }

  @Property
  void findsAKnownNameWhateverItsCase(
      @ForAll @AlphaChars @StringLength(min = 1, max = 20) String name) {
    String given = name.toUpperCase(Locale.ROOT);
    assertThat(NearestName.of(given, List.of("", name + "1", name))).hasValue(name);
    assertThat(NearestName.hint(given, List.of(name))).isEqualTo("Maybe you meant " + name + ".");
  }
}
