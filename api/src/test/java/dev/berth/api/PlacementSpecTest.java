package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementSpecTest {

  private static final Peers WEB = Peers.ofJob("web");
  private static final Peers TEAM = Peers.labelled("team", "a");
  private static final Domain ZONE = Domain.of("zone");
  private static final Constraint SSD = new Constraint.Exists("ssd");

  private static Request.Builder request() {
    return Request.builder("r1", "gold").demand(Resources.none());
  }

  // ---- Domains

  @Test
  void domainsAreHostsOrAttributes() {
    assertThat(Domain.HOST).hasToString("host").isNotEqualTo(Domain.of("host"));
    assertThat(ZONE).hasToString("zone").isEqualTo(Domain.of("zone"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Domain.of(" "))
        .withMessage("domain attribute was blank, must name an attribute.");
    assertThatNullPointerException().isThrownBy(() -> Domain.of(null)).withMessage("attribute");
    assertThatNullPointerException().isThrownBy(() -> new Domain(null)).withMessage("attribute");
    assertThatNullPointerException().isThrownBy(() -> ZONE.placeOf(null)).withMessage("host");
  }

  // ---- Peers

  @Test
  void peersOfAJob() {
    assertThat(WEB.include(request().job("web").build())).isTrue();
    assertThat(WEB.include(request().job("db").build())).isFalse();
    assertThat(WEB.include(request().build())).isFalse();
    assertThat(WEB.describe()).isEqualTo("job web");
  }

  @Test
  void peersWithALabel() {
    assertThat(TEAM.include(request().label("team", "a").build())).isTrue();
    assertThat(TEAM.include(request().label("team", "b").build())).isFalse();
    assertThat(TEAM.include(request().label("tier", "a").build())).isFalse();
    assertThat(TEAM.describe()).isEqualTo("label team=a");
    assertThat(Peers.labelled("team", "").include(request().label("team", "").build())).isTrue();
  }

  @Test
  void peersRefuseBlankNamesAndNull() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Peers.ofJob(""))
        .withMessage("job of peers was blank, must name a job.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Peers.labelled(" ", "a"))
        .withMessage("label of peers had a blank name.");
    assertThatNullPointerException().isThrownBy(() -> Peers.ofJob(null)).withMessage("job");
    assertThatNullPointerException()
        .isThrownBy(() -> Peers.labelled("team", null))
        .withMessage("value");
    for (Peers each : List.of(WEB, TEAM)) {
      assertThatNullPointerException().isThrownBy(() -> each.include(null)).withMessage("request");
    }
  }

  // ---- Rules and preferences

  static Stream<Arguments> words() {
    return Stream.of(
        Arguments.of(PlacementSpec.builder().near(WEB, ZONE).build(), "near job web by zone"),
        Arguments.of(
            PlacementSpec.builder().apart(TEAM, Domain.HOST).build(),
            "apart from label team=a by host"),
        Arguments.of(
            PlacementSpec.builder().spread(WEB, ZONE, 2).build(),
            "spread of job web by zone, maxSkew 2"),
        Arguments.of(prefers(new Preference.OnHost(SSD, 5)), "prefers ssd exists (5)"),
        Arguments.of(
            prefers(new Preference.Near(WEB, ZONE, 1)), "prefers near job web by zone (1)"),
        Arguments.of(
            prefers(new Preference.Apart(TEAM, Domain.HOST, 1000)),
            "prefers apart from label team=a by host (1000)"),
        Arguments.of(
            PlacementSpec.builder()
                .prefer(new Preference.OnHost(SSD, 5))
                .near(WEB, ZONE)
                .tolerate(Toleration.of("gpu"))
                .build(),
            "tolerates gpu, near job web by zone, prefers ssd exists (5)"),
        Arguments.of(PlacementSpec.NONE, ""));
  }

  private static PlacementSpec prefers(Preference preference) {
    return PlacementSpec.builder().prefer(preference).build();
  }

  @ParameterizedTest
  @MethodSource("words")
  void saysItInWords(PlacementSpec spec, String words) {
    assertThat(spec.describe()).isEqualTo(words);
  }

  @Test
  void rulesRefuseNullAndBadSkews() {
    for (int each : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new PlacementRule.Spread(WEB, ZONE, each))
          .withMessage("maxSkew was %s, must be at least 1.".formatted(each));
    }
    assertThatNullPointerException()
        .isThrownBy(() -> new PlacementRule.Near(null, ZONE))
        .withMessage("peers");
    assertThatNullPointerException()
        .isThrownBy(() -> new PlacementRule.Apart(WEB, null))
        .withMessage("domain");
    assertThatNullPointerException().isThrownBy(() -> new PlacementRule.Spread(null, ZONE, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 1001, Integer.MAX_VALUE})
  void preferencesRefuseWeightsBeyondTheRange(int weight) {
    String message = "weight of a preference was %s, must be from 1 to 1000.".formatted(weight);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Preference.OnHost(SSD, weight))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Preference.Near(WEB, ZONE, weight))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Preference.Apart(WEB, ZONE, weight))
        .withMessage(message);
  }

  @Test
  void preferencesRefuseNull() {
    assertThatNullPointerException()
        .isThrownBy(() -> new Preference.OnHost(null, 1))
        .withMessage("constraint");
    assertThatNullPointerException()
        .isThrownBy(() -> new Preference.Near(null, ZONE, 1))
        .withMessage("peers");
    assertThatNullPointerException()
        .isThrownBy(() -> new Preference.Apart(WEB, null, 1))
        .withMessage("domain");
  }

  // ---- Specifications

  @Test
  void copiesItsLists() {
    List<Toleration> tolerations = new ArrayList<>(List.of(Toleration.ALL));
    PlacementSpec spec = new PlacementSpec(tolerations, List.of(), List.of());

    tolerations.clear();

    assertThat(spec.tolerations()).containsExactly(Toleration.ALL).isUnmodifiable();
    assertThat(spec.isEmpty()).isFalse();
    assertThat(PlacementSpec.builder().build()).isEqualTo(PlacementSpec.NONE);
    assertThat(PlacementSpec.NONE.isEmpty()).isTrue();
    assertThat(prefers(new Preference.OnHost(SSD, 5)).isEmpty()).isFalse();
  }

  @Test
  void refusesTooManyEntries() {
    List<Toleration> most = Collections.nCopies(PlacementSpec.MOST, Toleration.ALL);
    List<PlacementRule> many =
        Collections.nCopies(PlacementSpec.MOST + 1, new PlacementRule.Near(WEB, ZONE));

    assertThat(new PlacementSpec(most, List.of(), List.of()).tolerations()).hasSize(64);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PlacementSpec(most, many, List.of()))
        .withMessage("there were 65 rules, must be at most 64.");
    PlacementSpec.Builder builder = PlacementSpec.builder();
    for (int i = 0; i <= PlacementSpec.MOST; i++) {
      builder.prefer(new Preference.OnHost(SSD, 1));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessage("there were 65 preferences, must be at most 64.");
  }

  @Test
  void refusesNull() {
    assertThatNullPointerException()
        .isThrownBy(() -> new PlacementSpec(null, List.of(), List.of()))
        .withMessage("tolerations");
    assertThatNullPointerException()
        .isThrownBy(() -> new PlacementSpec(List.of(), Collections.singletonList(null), List.of()))
        .withMessage("rules");
    assertThatNullPointerException()
        .isThrownBy(() -> PlacementSpec.builder().tolerate(null))
        .withMessage("toleration");
    assertThatNullPointerException()
        .isThrownBy(() -> PlacementSpec.builder().near(WEB, null))
        .withMessage("domain");
  }

  // ---- Requests

  @Test
  void requestsSayNothingByDefault() {
    assertThat(request().build().placement()).isEqualTo(PlacementSpec.NONE);
    assertThatNullPointerException()
        .isThrownBy(() -> request().placement(null))
        .withMessage("spec");
  }

  @Test
  void requestsShowWhatTheySay() {
    PlacementSpec spec = PlacementSpec.builder().near(WEB, ZONE).build();
    Request request = request().placement(spec).build();

    assertThat(request.placement()).isEqualTo(spec);
    assertThat(request.toString()).contains("near job web by zone");
    assertThat(request.unconstrained().placement()).isEqualTo(PlacementSpec.NONE);
  }

  // ---- Hashes

  @Test
  void hashesDifferAsTheValuesDo() {
    List<Object> values =
        List.of(
            Domain.HOST,
            Domain.of("host"),
            WEB,
            Peers.ofJob("a"),
            TEAM,
            Peers.labelled("a", "team"),
            new PlacementRule.Near(WEB, ZONE),
            new PlacementRule.Near(TEAM, ZONE),
            new PlacementRule.Apart(WEB, ZONE),
            new PlacementRule.Spread(WEB, ZONE, 1),
            new PlacementRule.Spread(WEB, ZONE, 2),
            new Preference.Near(WEB, ZONE, 1),
            new Preference.Near(WEB, ZONE, 2),
            new Preference.Apart(WEB, ZONE, 1),
            new Preference.OnHost(SSD, 1),
            Taint.noNew("k", "v"),
            Taint.preferNot("k", "v"),
            Taint.leaveAfter("k", "v", Duration.ofNanos(1)),
            Taint.leaveAfter("k", "v", Duration.ofSeconds(1)),
            Toleration.ALL,
            Toleration.of("k"),
            Toleration.of("k", "v"),
            PlacementSpec.NONE,
            PlacementSpec.builder().near(WEB, ZONE).build(),
            new Reason.Tainted(Taint.noNew("k", "v")),
            new Reason.NotNear(new PlacementRule.Near(WEB, ZONE), Optional.empty()),
            Map.of("rule", new PlacementRule.Near(WEB, ZONE)));

    assertThat(values.stream().map(PlainHash::of)).doesNotHaveDuplicates();
    assertThat(PlainHash.of(Peers.ofJob("web"))).isEqualTo(PlainHash.of(WEB));
  }
}
