package dev.berth.kubernetes.meaning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.DisruptionBudget;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetsTest {

  private static final LabelSelector WEB =
      new LabelSelectorBuilder().addToMatchLabels("app", "web").build();

  private static PodBudget budget(String limit, String number, int expected) {
    Optional<IntOrString> value =
        Optional.of(
            number.matches("-?[0-9]+")
                ? new IntOrString(Integer.valueOf(number))
                : new IntOrString(number));
    boolean min = limit.equals("min");
    return new PodBudget(
        "ns",
        "b",
        Optional.of(WEB),
        min ? value : Optional.empty(),
        min ? Optional.empty() : value,
        expected);
  }

  /** Returns pods with the label of the budget, and one job. */
  private static List<Budgets.Member> pods(String job, int count) {
    return members(job, count, "web", true);
  }

  private static List<Budgets.Member> members(String job, int count, String app, boolean up) {
    Optional<String> its = job.isEmpty() ? Optional.empty() : Optional.of(job);
    return Stream.generate(() -> new Budgets.Member("ns", Map.of("app", app), its, up))
        .limit(count)
        .toList();
  }

  private static List<Budgets.Member> all(List<Budgets.Member> first, List<Budgets.Member> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "max, 1, 0, at most 1 down",
    "max, 0, 0, at most 0 down",
    "max, 9, 0, at most 5 down",
    "max, 50%, 0, at most 3 down", // of 5, rounded up
    "max, 30%, 10, at most 0 down", // 3 of 10, and 5 do not exist
    "max, 60%, 10, at most 1 down",
    "min, 3, 0, at least 3 up",
    "min, 0, 0, at least 0 up",
    "min, 9, 0, at least 5 up",
    "min, 50%, 0, at least 3 up",
    "min, 50%, 8, at least 4 up",
    "min, -1, 0, at least 5 up", // cannot be read
    "max, half, 0, at most 0 down",
  })
  void oneJobHasTheBudgetOfItsPods(String limit, String number, int expected, String words) {
    Budgets budgets = Budgets.of(List.of(budget(limit, number, expected)), pods("j", 5));

    assertThat(budgets.byJob().get("j")).hasToString(words);
    assertThat(budgets.problems().isEmpty())
        .isEqualTo(!number.equals("-1") && !number.equals("half"));
  }

  @Test
  void severalJobsDivideTheBudgetBySize() {
    Budgets budgets =
        Budgets.of(List.of(budget("max", "3", 0)), all(pods("old", 2), pods("new", 6)));

    assertThat(budgets.byJob())
        .isEqualTo(Map.of("old", DisruptionBudget.maxDown(1), "new", DisruptionBudget.maxDown(2)));
  }

  @Test
  void podsOfAJobThatAreNotSelectedAreTakenToBeUp() {
    Budgets budgets =
        Budgets.of(List.of(budget("min", "2", 0)), all(pods("j", 3), members("j", 4, "db", true)));

    assertThat(budgets.byJob()).isEqualTo(Map.of("j", DisruptionBudget.minUp(6)));
  }

  @Test
  void foreignPodsCountWithWhatTheyAre() {
    List<Budgets.Member> foreign = all(members("", 2, "web", true), members("", 1, "web", false));

    assertThat(Budgets.of(List.of(budget("min", "4", 0)), all(pods("j", 3), foreign)).byJob())
        .isEqualTo(Map.of("j", DisruptionBudget.minUp(2)));
    assertThat(Budgets.of(List.of(budget("max", "2", 0)), all(pods("j", 3), foreign)).byJob())
        .isEqualTo(Map.of("j", DisruptionBudget.maxDown(1)));
  }

  @Test
  void theStrictestOfSeveralBudgetsCounts() {
    assertThat(
            Budgets.of(List.of(budget("max", "3", 0), budget("max", "1", 0)), pods("j", 5)).byJob())
        .isEqualTo(Map.of("j", DisruptionBudget.maxDown(1)));
    assertThat(
            Budgets.of(List.of(budget("min", "3", 0), budget("min", "4", 0)), pods("j", 5)).byJob())
        .isEqualTo(Map.of("j", DisruptionBudget.minUp(4)));
    assertThat(
            Budgets.of(List.of(budget("min", "3", 0), budget("max", "1", 0)), pods("j", 5)).byJob())
        .isEqualTo(Map.of("j", DisruptionBudget.maxDown(1)));
  }

  @Test
  void podsThatNoBudgetSelectsHaveNone() {
    Budgets budgets =
        Budgets.of(
            List.of(budget("max", "1", 0)),
            all(
                members("j", 2, "db", true),
                List.of(
                    new Budgets.Member("other", Map.of("app", "web"), Optional.of("k"), true))));

    assertThat(budgets.byJob()).isEmpty();
  }

  @Test
  void budgetsOfBothVersionsAreRead() {
    String yaml =
        """
        apiVersion: policy/%s
        kind: PodDisruptionBudget
        metadata: {name: b, namespace: ns}
        spec: {minAvailable: 50%%, selector: %s}
        status: {expectedPods: 4}
        """;
    PodBudget current =
        PodBudget.of(
            Serialization.unmarshal(
                yaml.formatted("v1", "{}"),
                io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget.class));
    PodBudget older =
        PodBudget.of(
            Serialization.unmarshal(
                yaml.formatted("v1beta1", "{}"),
                io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget.class));

    assertThat(current.expectedPods()).isEqualTo(4);
    assertThat(current.selects("ns", Map.of())).isTrue();
    assertThat(current.selects("other", Map.of())).isFalse();
    assertThat(older.selects("ns", Map.of())).isFalse();
  }

  /** Whatever jobs do within their budgets, no budget of pods is exceeded. */
  @Property(tries = 3000)
  void jobsWithinTheirBudgetsExceedNone(@ForAll long seed) {
    Random random = new Random(seed);
    List<Budgets.Member> members = new ArrayList<>();
    int count = 1 + random.nextInt(14);
    for (int i = 0; i < count; i++) {
      Map<String, String> labels = new HashMap<>();
      labels.put("app", random.nextInt(4) > 0 ? "web" : "db");
      members.add(new Budgets.Member("ns", labels, Optional.of("job" + random.nextInt(3)), true));
    }
    List<PodBudget> budgets = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(2); i++) {
      String number = random.nextInt(8) + "";
      budgets.add(
          budget(
              random.nextBoolean() ? "min" : "max",
              random.nextInt(3) == 0 ? random.nextInt(101) + "%" : number,
              random.nextInt(3) == 0 ? random.nextInt(16) : 0));
    }
    Budgets translated = Budgets.of(budgets, members);

    // Take members down at random, each one only if its job allows it.
    List<Budgets.Member> up = new ArrayList<>(members);
    for (int i = 0; i < 3 * count; i++) {
      Budgets.Member victim = members.get(random.nextInt(count));
      String job = victim.job().orElseThrow();
      int jobUp = (int) up.stream().filter(each -> each.job().get().equals(job)).count();
      int jobAll = (int) members.stream().filter(each -> each.job().get().equals(job)).count();
      DisruptionBudget budget = translated.byJob().get(job);
      if (budget == null || budget.allowance(jobUp, jobAll - jobUp) > 0) {
        up.remove(victim); // or one that equals it
      }
    }

    for (PodBudget each : budgets) {
      long selected = members.stream().filter(it -> each.selects("ns", it.labels())).count();
      long left = up.stream().filter(it -> each.selects("ns", it.labels())).count();
      long expected = Math.max(each.expectedPods(), selected);
      long least =
          each.minAvailable().isPresent()
              ? scaled(each.minAvailable().get(), expected)
              : expected - scaled(each.maxUnavailable().get(), expected);
      assertThat(left).isGreaterThanOrEqualTo(Math.min(selected, least));
    }
  }

  private static long scaled(IntOrString number, long of) {
    return number.getIntVal() != null
        ? number.getIntVal()
        : (long)
            Math.ceil(Integer.parseInt(number.getStrVal().replace("%", "")) * of / 100.0 - 1e-9);
  }
}
