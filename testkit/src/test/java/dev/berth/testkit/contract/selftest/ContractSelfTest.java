package dev.berth.testkit.contract.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.test.TestRun;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.selftest.ContractRunner.Ending;
import dev.berth.testkit.rule.Rule;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Breaks every rule of the contract on purpose and requires that its test fails. */
class ContractSelfTest {

  private static final List<Class<?>> GROUPS =
      List.of(
          BrokenFactories.class,
          BrokenPolicies.class,
          BrokenParts.class,
          BrokenSchedulers.class,
          BrokenGrants.class,
          BrokenPauses.class,
          BrokenMigrations.class,
          BrokenRejections.class,
          BrokenScaling.class,
          BrokenHostStates.class,
          BrokenLimits.class,
          BrokenBudgets.class,
          BrokenGroups.class,
          BrokenRunTimes.class,
          BrokenReferences.class,
          BrokenMemories.class,
          BrokenFleetReports.class,
          BrokenPlacements.class);

  private static final Map<Rule, Capability> PROMISES =
      Map.of(
          Rule.P06, Capability.STATELESS,
          Rule.P08, Capability.RESPECTS_MARGINS,
          Rule.P12, Capability.IGNORES_HOST_ORDER,
          Rule.P18, Capability.MINIMAL_VICTIMS,
          Rule.P20, Capability.CONSERVES_WORK,
          Rule.P21, Capability.MONOTONE,
          Rule.P41, Capability.BOUNDS_SWITCHING,
          Rule.P52, Capability.SPARES_PROGRESS,
          Rule.P53, Capability.SPACES_PREEMPTIONS);

  private static final int TRIES = 500;
  private static final Map<String, String> SEED =
      Map.of("berth.seed", "1", "berth.tries", String.valueOf(TRIES));
  private static final Map<String, String> FEW_TRIES = tries(100);

  private static Map<String, String> tries(int full) {
    return Map.of("berth.seed", "1", "berth.tries", String.valueOf(TestRun.cases(full)));
  }

  /** A line of a transcript with an event; lines with its consequences have no time. */
  static final Pattern EVENT = Pattern.compile("(?m)^ *[-0-9HMS.]+  \\S");

  static Stream<Named<Class<?>>> brokenSubjects() {
    return subjects().map(each -> Named.of(name(each), each));
  }

  static Stream<Class<?>> subjects() {
    return GROUPS.stream()
        .<Class<?>>flatMap(group -> Arrays.stream(group.getDeclaredClasses()))
        .filter(each -> each.isAnnotationPresent(Breaks.class))
        .sorted(Comparator.comparing(ContractSelfTest::name));
  }

  private static String name(Class<?> subject) {
    return subject.getAnnotation(Breaks.class).value() + " " + subject.getSimpleName();
  }

  @ParameterizedTest
  @MethodSource("brokenSubjects")
  void detectsASubjectThatBreaksARule(Class<?> subject) {
    Breaks breaks = subject.getAnnotation(Breaks.class);
    Method test = ContractRunner.test(subject, breaks.test(), breaks.value());

    Ending ending = ContractRunner.run(subject, test, SEED);

    assertThat(ending.status()).as(ending.message()).isEqualTo("FAILED");
    List<String> lines = ending.message().lines().toList();
    assertThat(lines.get(0))
        .as(ending.message())
        .matches(Pattern.quote(breaks.value() + ": ") + breaks.says());
    String repeat = "%s#%s".formatted(subject.getSimpleName(), test.getName());
    assertThat(
            lines.subList(
                lines.indexOf("The rule: " + breaks.value().statement()) + 1, lines.size()))
        .as(ending.message())
        .containsExactlyElementsOf(
            Stream.concat(
                    Optional.ofNullable(PROMISES.get(breaks.value())).stream()
                        .map(
                            each ->
                                "A promise: keep it, or withdraw Capability.%s in capabilities()."
                                    .formatted(each)),
                    Stream.of(
                        ContractRunner.isProperty(test)
                            ? "To repeat it: mvn test -Dtest='%s,%s#%s' -Dberth.seed=1 -Dberth.tries=%s"
                                .formatted(
                                    repeat,
                                    test.getDeclaringClass().getSimpleName(),
                                    test.getName(),
                                    test.getName().startsWith("stochastic") ? 1 : TRIES)
                            : "To repeat it: mvn test -Dtest='%s'".formatted(repeat)))
                .toList());
    assertThat(ending.message()).contains("The rule: " + breaks.value().statement());
    assertThat(EVENT.matcher(ending.message()).results().count())
        .as(ending.message())
        .isBetween(Math.min(1L, breaks.events()), (long) breaks.events());
  }

  @Test
  void hasABrokenSubjectForEveryTestableRule() {
    Set<Rule> broken =
        subjects()
            .map(each -> each.getAnnotation(Breaks.class).value())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Rule.class)));
    assertThat(broken).isEqualTo(EnumSet.complementOf(EnumSet.of(Rule.P14)));
  }

  @Test
  void failureRepeatsWithItsSeed() {
    Class<?> subject = BrokenPolicies.PreemptsUnneededVictims.class;
    Method test = ContractRunner.test(subject, "required", Rule.P18);
    Ending first = ContractRunner.run(subject, test, Map.of());
    Matcher seed = Pattern.compile("-Dberth\\.seed=(\\S+)").matcher(first.message());
    assertThat(seed.find()).as(first.message()).isTrue();

    Ending again = ContractRunner.run(subject, test, Map.of("berth.seed", seed.group(1)));

    assertThat(again).isEqualTo(first);
  }

  @Test
  void anUndeclaredUseFailsOneTest() {
    Class<?> subject = WellBehaved.DefersUndeclared.class;

    Ending undeclared =
        ContractRunner.run(subject, ContractRunner.test(subject, "required", Rule.P26), FEW_TRIES);
    Ending unused =
        ContractRunner.run(
            subject, ContractRunner.test(subject, "stochastic", Rule.P26), FEW_TRIES);

    assertThat(undeclared.message()).contains("but DEFERS is not declared");
    assertThat(unused.status()).as(unused.message()).isEqualTo("SUCCESSFUL");
  }

  @ParameterizedTest
  @EnumSource(names = {"P06", "P12", "P27"})
  void differencesAfterAMereRestartNameTheRuleToMendFirst(Rule rule) {
    Class<?> subject = BrokenPolicies.UsesUnseededRandom.class;

    Ending ending =
        ContractRunner.run(subject, ContractRunner.test(subject, "required", rule), SEED);

    assertThat(ending.message().lines().findFirst().orElseThrow())
        .startsWith(rule + ": mend P05 first (plans differ after a mere restart too): ");
  }

  @Test
  void aTestWithoutHistoriesNamesThePolicy() {
    Class<?> subject = BrokenPolicies.ComparesAllPairsOfPending.class;

    Ending ending =
        ContractRunner.run(subject, ContractRunner.test(subject, "required", Rule.P10), Map.of());

    assertThat(ending.message().lines().toList())
        .hasSize(4)
        .element(1)
        .isEqualTo("policy broken {}");
  }

  @Test
  void failureIsShort() {
    Class<?> subject = BrokenPolicies.PreemptsUnneededVictims.class;
    Method test = ContractRunner.test(subject, "required", Rule.P18);

    String usual = ContractRunner.log(subject, test, SEED);
    String detailed =
        ContractRunner.log(
            subject,
            test,
            Map.of("berth.seed", "1", "berth.tries", "500", "berth.details", "true"));

    assertThat(usual.length()).as(usual).isLessThan(10_000);
    assertThat(usual)
        .contains("The rule: ", "-Dberth.seed=1", "(-Dberth.details=true prints it)")
        .doesNotContain("at dev.berth.core.");
    assertThat(detailed).contains("host h1 (").hasSizeGreaterThan(2 * usual.length());
  }

  @Test
  void reportsWhyATestCouldNotRun() {
    Class<?> subject = BrokenSchedulers.CannotBeStarted.class;

    Ending ending =
        ContractRunner.run(subject, ContractRunner.test(subject, "required", Rule.P05), SEED);

    assertThat(ending.message())
        .startsWith(
            "P05 sameSeedSamePlans: the test could not run: java.lang.IllegalStateException: out"
                + " of order");
  }

  // ---- Subjects that break no rule

  @Test
  void policyThatOnlyPlacesAndPreemptsPassesEveryRule() {
    Map<String, Ending> endings = ContractRunner.run(WellBehaved.PipelinePolicy.class, FEW_TRIES);

    assertThat(endings.values().stream().filter(each -> !each.status().equals("SUCCESSFUL")))
        .allSatisfy(each -> assertThat(each.status()).isEqualTo("SKIPPED"))
        .extracting(Ending::message)
        .containsExactlyInAnyOrder(
            "no finite test can decide it; argue it in the description of the policy",
            "P32 migrationKeepsService does not apply: capabilities() lacks MIGRATES",
            "P34 rejectionsAreFinal does not apply: capabilities() lacks REJECTS",
            "P36 respectsPoolLimits does not apply: capabilities() lacks SCALES",
            "P37 releasesOnlyIdleHosts does not apply: capabilities() lacks SCALES");
    assertThat(endings.keySet().stream().map(ContractSelfTest::rule).collect(Collectors.toSet()))
        .isEqualTo(EnumSet.complementOf(EnumSet.of(Rule.P29)));
  }

  private static Rule rule(String test) {
    Matcher number = Pattern.compile("P\\d\\d").matcher(test);
    assertThat(number.find()).as(test).isTrue();
    return Rule.valueOf(number.group());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        WellBehaved.HandWrittenPolicy.class,
        WellBehaved.IndependentScheduler.class,
        WellBehaved.ReferenceModel.class
      })
  void acceptsSubjectsThatBreakNoRule(Class<?> subject) {
    assertThat(ContractRunner.run(subject, FEW_TRIES))
        .isNotEmpty()
        .allSatisfy((test, ending) -> assertThat(ending.status()).isNotEqualTo("FAILED"));
  }

  @Test
  void acceptsSwitchingUpToThePromisedShare() {
    Class<?> subject = WellBehaved.SwitchesAsOftenAsAllowed.class;

    Ending ending =
        ContractRunner.run(
            subject, ContractRunner.test(subject, "required", Rule.P41), tries(1_000));

    assertThat(ending.status()).as(ending.message()).isEqualTo("SUCCESSFUL");
  }

  @Test
  void skipsRulesOfUndeclaredCapabilitiesWithAReason() {
    Class<?> subject = WellBehaved.HandWrittenPolicy.class;

    Ending ending =
        ContractRunner.run(subject, ContractRunner.test(subject, "required", Rule.P18), FEW_TRIES);

    assertThat(ending)
        .isEqualTo(
            new Ending(
                "SKIPPED",
                "P18 victimSetsAreMinimal is not promised: capabilities() lacks MINIMAL_VICTIMS"));
  }

  @Test
  void skipsRulesOfAnUndeclaredUseWithAReason() {
    Class<?> subject = WellBehaved.HandWrittenPolicy.class;

    Ending ending =
        ContractRunner.run(subject, ContractRunner.test(subject, "required", Rule.P36), FEW_TRIES);

    assertThat(ending)
        .isEqualTo(
            new Ending(
                "SKIPPED", "P36 respectsPoolLimits does not apply: capabilities() lacks SCALES"));
  }

  // ---- Number of tries

  @Test
  void numberOfTriesIsConfigurable() {
    Class<?> subject = WellBehaved.CountsStarts.class;
    Method test = ContractRunner.test(subject, "required", Rule.P03);
    WellBehaved.CountsStarts.starts();

    Ending ending = ContractRunner.run(subject, test, Map.of("berth.tries", "7"));

    assertThat(ending.status()).isEqualTo("SUCCESSFUL");
    assertThat(WellBehaved.CountsStarts.starts()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"many", "0", "-1", "1.5", ""})
  void refusesAnInvalidNumberOfTries(String tries) {
    Class<?> subject = WellBehaved.IndependentScheduler.class;
    Method test = ContractRunner.test(subject, "required", Rule.P03);

    Ending ending = ContractRunner.run(subject, test, Map.of("berth.tries", tries));

    assertThat(ending)
        .isEqualTo(
            new Ending(
                "FAILED",
                "-Dberth.tries was \"%s\", must be a whole number, at least 1.".formatted(tries)));
  }

  // ---- Discovery by a build

  @Test
  void buildsDoNotRunTheSubjects() {
    Stream.concat(GROUPS.stream(), Stream.of(WellBehaved.class))
        .forEach(
            group -> {
              assertThat(group.getSimpleName()).doesNotMatch("Test.*|.*Tests?|.*TestCase");
              assertThat(ContractRunner.found(group)).as(group.getSimpleName()).isZero();
            });
  }
}
