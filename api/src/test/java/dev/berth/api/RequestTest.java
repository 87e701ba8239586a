package dev.berth.api;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

class RequestTest {

  private static final Constraint IN_ZONE_A = new Constraint.Equal("zone", "a");
  private static final Constraint HAS_SSD = new Constraint.Exists("ssd");

  @Test
  void aBareRequestDemandsNothingAndGoesAnywhere() {
    Request request = Request.builder("r1", "gold").build();

    assertThat(request.id()).isEqualTo("r1");
    assertThat(request.serviceClass()).isEqualTo("gold");
    assertThat(request.demand()).isEqualTo(Resources.none());
    assertThat(request.constraints()).isEmpty();
    assertThat(request.job()).isEmpty();
    assertThat(request.antiAffinity()).isFalse();
  }

  @Test
  void everyPartIsKeptAndConstraintsStayInOrder() {
    Request request =
        Request.builder("r1", "gold")
            .demand(Resources.of(CPU, 500_000_000))
            .constraint(IN_ZONE_A)
            .constraint(HAS_SSD)
            .job("j1")
            .antiAffinity(true)
            .build();

    assertThat(request.demand()).isEqualTo(Resources.of(CPU, 500_000_000));
    assertThat(request.constraints()).containsExactly(IN_ZONE_A, HAS_SSD);
    assertThat(request.job()).contains("j1");
    assertThat(request.antiAffinity()).isTrue();
    assertThat(request)
        .hasToString(
            "request r1 (gold, cpu 0.5, job j1 on hosts of its own, zone == a, ssd exists)");
  }

  @Test
  void aBuilderUsedOnDoesNotChangeWhatItBuiltBefore() {
    Request.Builder builder = Request.builder("r1", "gold").constraint(IN_ZONE_A);
    Request before = builder.build();

    builder.constraint(HAS_SSD);

    assertThat(before.constraints()).containsExactly(IN_ZONE_A);
  }

  @Test
  void constraintsCannotBeChangedFromOutside() {
    assertThat(Request.builder("r1", "gold").constraint(HAS_SSD).build().constraints())
        .isUnmodifiable();
  }

  @Test
  void antiAffinityNeedsAJobInWhateverOrderTheyAreSet() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Request.builder("r1", "gold").antiAffinity(true).build())
        .withMessage(
            "request r1 asks for anti-affinity but belongs to no job. Maybe set job(...) too.");
    assertThat(Request.builder("r1", "gold").antiAffinity(true).job("j1").build().antiAffinity())
        .isTrue();
  }

  @Test
  void blankIdsAndJobsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Request.builder(" ", "gold"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Request.builder("r1", "gold").job(" "))
        .withMessage("request r1: job was blank.");
  }

  @Test
  void missingPartsAreRefused() {
    assertThatNullPointerException().isThrownBy(() -> Request.builder(null, "gold"));
    assertThatNullPointerException().isThrownBy(() -> Request.builder("r1", null));
    assertThatNullPointerException().isThrownBy(() -> Request.builder("r1", "gold").demand(null));
    assertThatNullPointerException()
        .isThrownBy(() -> Request.builder("r1", "gold").constraint(null));
  }
}
