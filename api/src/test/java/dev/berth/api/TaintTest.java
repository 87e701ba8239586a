package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.berth.api.Taint.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaintTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration TOO_LONG = Duration.ofNanos(Long.MAX_VALUE).plusNanos(1);

  // ---- Taints

  @Test
  void factoriesSetTheEffect() {
    assertThat(Taint.noNew("k", "v"))
        .isEqualTo(new Taint("k", "v", Effect.NO_NEW, Duration.ZERO))
        .isNotEqualTo(Taint.preferNot("k", "v"));
    assertThat(Taint.preferNot("k", "v").effect()).isEqualTo(Effect.PREFER_NOT);
    assertThat(Taint.leaveAfter("k", "v", HOUR))
        .isEqualTo(new Taint("k", "v", Effect.LEAVE, HOUR))
        .isNotEqualTo(Taint.leaveAfter("k", "v", Duration.ZERO));
  }

  @Test
  void saysWhatItDoes() {
    assertThat(Taint.noNew("maintenance", "tonight").describe())
        .isEqualTo("maintenance=tonight (no new)");
    assertThat(Taint.preferNot("gpu", "").describe()).isEqualTo("gpu (prefer not)");
    assertThat(Taint.leaveAfter("disk", "full", HOUR).describe()).isEqualTo("disk=full (leave)");
  }

  @Test
  void refusesBlankKeys() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Taint.noNew(" ", "v"))
        .withMessage("taint key was blank.");
  }

  @Test
  void refusesGracesOfOtherEffectsAndBeyondTheRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Taint("k", "", Effect.NO_NEW, HOUR))
        .withMessage(
            "taint k: grace was PT1H, but only taints with the effect LEAVE have a grace.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Taint("k", "", Effect.PREFER_NOT, HOUR))
        .withMessageContaining("only taints with the effect LEAVE");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Taint.leaveAfter("k", "", Duration.ofNanos(-1)))
        .withMessage("taint k: grace was PT-0.000000001S, must be from 0 to 292 years.");
    assertThatIllegalArgumentException().isThrownBy(() -> Taint.leaveAfter("k", "", TOO_LONG));
    assertThat(Taint.leaveAfter("k", "", TOO_LONG.minusNanos(1)).grace())
        .isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
  }

  @Test
  void refusesNull() {
    assertThatNullPointerException().isThrownBy(() -> Taint.noNew(null, "v")).withMessage("key");
    assertThatNullPointerException().isThrownBy(() -> Taint.noNew("k", null)).withMessage("value");
    assertThatNullPointerException()
        .isThrownBy(() -> Taint.leaveAfter("k", "v", null))
        .withMessage("grace");
    assertThatNullPointerException()
        .isThrownBy(() -> new Taint("k", "v", null, HOUR))
        .withMessage("effect");
  }

  // ---- Tolerations

  @Test
  void allTolerateEverything() {
    for (Taint each :
        List.of(
            Taint.noNew("k", "v"), Taint.preferNot("k", ""), Taint.leaveAfter("x", "v", HOUR))) {
      assertThat(Toleration.ALL.matches(each)).isTrue();
    }
  }

  @Test
  void matchesByKeyValueAndEffect() {
    Taint taint = Taint.noNew("k", "v");

    assertThat(Toleration.of("k").matches(taint)).isTrue();
    assertThat(Toleration.of("K").matches(taint)).isFalse();
    assertThat(Toleration.of("k", "v").matches(taint)).isTrue();
    assertThat(Toleration.of("k", "").matches(taint)).isFalse();
    assertThat(tolerating("k", Effect.NO_NEW).matches(taint)).isTrue();
    assertThat(tolerating("k", Effect.LEAVE).matches(taint)).isFalse();
  }

  @Test
  void theTimeDoesNotDecideAboutAMatch() {
    Toleration hour =
        new Toleration(Optional.of("k"), Optional.empty(), Optional.empty(), Optional.of(HOUR));

    assertThat(hour.matches(Taint.leaveAfter("k", "v", Duration.ZERO))).isTrue();
    assertThat(hour.matches(Taint.noNew("k", "v"))).isTrue();
  }

  private static Toleration tolerating(String key, Effect effect) {
    return new Toleration(
        Optional.of(key), Optional.empty(), Optional.of(effect), Optional.empty());
  }

  @Test
  void saysWhatItTolerates() {
    assertThat(Toleration.ALL.describe()).isEqualTo("tolerates all taints");
    assertThat(Toleration.of("k").describe()).isEqualTo("tolerates k");
    assertThat(
            new Toleration(
                    Optional.of("k"),
                    Optional.of("v"),
                    Optional.of(Effect.LEAVE),
                    Optional.of(HOUR))
                .describe())
        .isEqualTo("tolerates k=v of effect LEAVE for PT1H");
  }

  @Test
  void refusesContradictions() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Toleration.of(""))
        .withMessage("toleration key was blank.");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Toleration(
                    Optional.empty(), Optional.of("v"), Optional.empty(), Optional.empty()))
        .withMessage("toleration has the value v without a key.");
    for (Duration each : List.of(Duration.ofNanos(-1), TOO_LONG)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new Toleration(
                      Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(each)))
          .withMessageContaining("must be from 0 to 292 years");
    }
  }

  @Test
  void refusesNullTolerations() {
    assertThatNullPointerException().isThrownBy(() -> Toleration.of(null)).withMessage("key");
    assertThatNullPointerException()
        .isThrownBy(() -> Toleration.of("k", null))
        .withMessage("value");
    assertThatNullPointerException()
        .isThrownBy(() -> Toleration.ALL.matches(null))
        .withMessage("taint");
    assertThatNullPointerException()
        .isThrownBy(() -> new Toleration(Optional.empty(), Optional.empty(), null, null))
        .withMessage("effect");
  }

  // ---- Hosts that cannot be reached

  @Test
  void aTaintSaysThatItsHostCannotBeReached() {
    HostSpec host = new HostSpec("h1", Resources.none());

    assertThat(Taint.unreachable().grace()).isEqualTo(Duration.ofMinutes(5));
    assertThat(Taint.unreachable(Duration.ZERO))
        .isEqualTo(Taint.leaveAfter(Taint.UNREACHABLE, "", Duration.ZERO));
    assertThat(host.withTaints(Taint.noNew("k", ""), Taint.unreachable()).isUnreachable()).isTrue();
    assertThat(host.withTaints(Taint.leaveAfter("k", "", Duration.ZERO)).isUnreachable()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Taint.noNew(Taint.UNREACHABLE, ""))
        .withMessage("taint berth.dev/unreachable: effect was NO_NEW, must be LEAVE.");
  }

  // ---- Hosts

  @Test
  void hostsHaveNoTaintsByDefault() {
    HostSpec plain = new HostSpec("h1", Resources.none());

    assertThat(plain.taints()).isEmpty();
    assertThat(plain.withTaints()).isEqualTo(plain);
    assertThat(plain.withTaints(Taint.noNew("k", ""))).isNotEqualTo(plain);
  }

  @Test
  void hostsCopyTheirTaints() {
    List<Taint> taints = new ArrayList<>(List.of(Taint.noNew("k", "")));
    HostSpec host = new HostSpec("h1", Resources.none(), Map.of("zone", "a"), true, taints);

    taints.clear();

    assertThat(host.taints()).containsExactly(Taint.noNew("k", "")).isUnmodifiable();
    HostSpec other = host.withTaints(Taint.preferNot("k", ""), Taint.noNew("x", ""));
    assertThat(other.attributes()).isEqualTo(host.attributes());
    assertThat(other.timeShared()).isTrue();
    assertThat(other.taints()).containsExactly(Taint.preferNot("k", ""), Taint.noNew("x", ""));
  }

  @Test
  void hostsRefuseTwoTaintsWithOneKeyAndEffect() {
    HostSpec plain = new HostSpec("h1", Resources.none());

    assertThat(plain.withTaints(Taint.noNew("k", "a"), Taint.preferNot("k", "a")).taints())
        .hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.withTaints(Taint.noNew("k", "a"), Taint.noNew("k", "b")))
        .withMessage("host h1 has two taints with the key k and the effect NO_NEW.");
  }

  @Test
  void hostsRefuseTooManyTaintsAndNull() {
    HostSpec plain = new HostSpec("h1", Resources.none());
    Taint[] many = new Taint[HostSpec.MOST_TAINTS + 1];
    for (int i = 0; i < many.length; i++) {
      many[i] = Taint.noNew("k" + i, "");
    }

    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.withTaints(many))
        .withMessage("host h1 has 65 taints, must have at most 64.");
    assertThatNullPointerException()
        .isThrownBy(() -> plain.withTaints(Taint.noNew("k", ""), null))
        .withMessage("taint");
    assertThatNullPointerException()
        .isThrownBy(() -> plain.withTaints((Taint[]) null))
        .withMessage("others");
  }
}
