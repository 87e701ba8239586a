package acme.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Taint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Watermarks and their taints. */
class MarkTest {

  @ParameterizedTest
  @CsvSource({
    "0, NONE",
    "799, NONE",
    "800, FILLING",
    "850, LOW",
    "899, LOW",
    "900, HIGH",
    "1200, HIGH"
  })
  void holdsFromItsShareOn(long used, Mark expected) {
    assertThat(Mark.of(used, 1000)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Mark.class)
  void hasOneTaintAtMost(Mark mark) {
    assertThat(mark.taints()).hasSize(mark == Mark.NONE ? 0 : 1);
    assertThat(mark.taints())
        .allSatisfy(
            each -> assertThat(each.effect() == Taint.Effect.LEAVE).isEqualTo(mark == Mark.HIGH));
  }
}
