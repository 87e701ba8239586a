package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisruptionBudgetTest {

  @ParameterizedTest
  @CsvSource({"0,3,0,0", "1,3,0,1", "1,2,1,0", "1,2,5,0", "5,3,0,3", "5,0,0,0"})
  void limitsTheMembersThatAreDown(int most, int up, int down, int allowance) {
    assertThat(DisruptionBudget.maxDown(most).allowance(up, down)).isEqualTo(allowance);
  }

  @ParameterizedTest
  @CsvSource({"0,3,0,3", "1,3,0,2", "3,3,9,0", "4,3,0,0"})
  void keepsMembersUp(int least, int up, int down, int allowance) {
    assertThat(DisruptionBudget.minUp(least).allowance(up, down)).isEqualTo(allowance);
  }

  @Test
  void refusesNegativeNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DisruptionBudget.minUp(-1))
        .withMessage("a disruption budget had a limit of -1 members, must be 0 or more.");
  }

  @Test
  void isDescribed() {
    assertThat(DisruptionBudget.maxDown(1)).hasToString("at most 1 down");
    assertThat(DisruptionBudget.minUp(2)).hasToString("at least 2 up");
  }

  @Test
  void refusalsNameWhatIsDown() {
    DisruptionBudget oneDown = DisruptionBudget.maxDown(1);
    DisruptionBudget twoUp = DisruptionBudget.minUp(2);
    Optional<String> web3 = Optional.of("web-3");
    assertThat(new Reason.BudgetExhausted("web", oneDown, 4, 1, 1, web3).describe())
        .isEqualTo("job web may have 1 down, 1 is (web-3)");
    assertThat(new Reason.BudgetExhausted("web", oneDown, 4, 3, 1, web3).describe())
        .isEqualTo("job web may have 1 down, 3 are (web-3 and 2 more)");
    assertThat(new Reason.BudgetExhausted("web", oneDown, 4, 0, 2, Optional.empty()).describe())
        .isEqualTo("job web may have 1 down, 0 are, and 2 would follow together");
    assertThat(new Reason.BudgetExhausted("web", twoUp, 2, 1, 1, web3).describe())
        .isEqualTo("job web must keep 2 up, 2 are (web-3 down)");
    assertThat(new Reason.BudgetExhausted("web", twoUp, 1, 0, 1, Optional.empty()).describe())
        .isEqualTo("job web must keep 2 up, 1 is");
  }
}
