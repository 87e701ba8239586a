package dev.berth.testkit.contract;

import dev.berth.api.Dimension;
import dev.berth.api.plan.Plan;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Transcript;
import dev.berth.testkit.rule.Rule;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests any scheduler from the outside: plays generated histories to it and judges its plans. To
 * use it, extend it, adapt the scheduler in {@link #start}, and declare in {@link #capabilities}
 * what it does and promises. {@link PolicyContractTest} tests more of a policy of Berth.
 *
 * <p>The rules are those of {@code docs/contract.md}. Some hundred histories test each of them;
 * {@code -Dberth.tries=} sets another number. A failure names the rule, shows the smallest history
 * that was found, and states the {@code -Dberth.seed=} that repeats it.
 *
 * <p>Test classes need JUnit Jupiter and jqwik on the class path, which the kit brings.
 */
@ExtendWith(SingleTestFailure.class)
@SuppressWarnings("exports") // the extension concerns JUnit only
public abstract class SchedulerContractTest extends ContractTest {

  private static final int HISTORIES_FOR_ALL_USES = 2_000;
  private static final double MOST_RESTARTS = 0.025;

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

  /** The rules about one use of the API; P26 finds a use that is not declared. */
  private static final Map<Rule, Capability> USES =
      Map.of(
          Rule.P32, Capability.MIGRATES,
          Rule.P34, Capability.REJECTS,
          Rule.P36, Capability.SCALES,
          Rule.P37, Capability.SCALES);

  /** For subclasses. */
  protected SchedulerContractTest() {}

  // ---- To be overridden

  /** Starts a scheduler of an empty cluster; called for every history. */
  protected abstract EventTarget start(Setting setting);

  /** Returns what the scheduler does and promises; default: everything. */
  protected Capabilities capabilities() {
    return Capabilities.all();
  }

  /** Returns the name of the scheduler, for messages; default: that of the test class. */
  protected String subject() {
    return getClass().getSimpleName();
  }

  /** Returns α, which the scheduler subtracts from every Q; default zero. Used by P08 only. */
  protected Duration expectedOverhead() {
    return Duration.ZERO;
  }

  /**
   * Returns the share of its life that the restarts of an instance, less an average one, may have
   * taken when an instance that is not more important preempts it; default 0.025. Used by P41 only.
   */
  protected double mostRestarts() {
    return MOST_RESTARTS;
  }

  /**
   * Returns the dimensions in which the scheduler may grant less than the demand (P33); default
   * none.
   */
  protected Set<Dimension> oversubscribes() {
    return Set.of();
  }

  // ---- The rules

  @RuleProperty(Rule.P03)
  void required_P03_neverOvercommits(@ForAll("histories") History history) {
    check(Rule.P03, history);
  }

  @RuleProperty(Rule.P04)
  void required_P04_actionsAreValid(@ForAll("histories") History history) {
    check(Rule.P04, history);
  }

  @RuleProperty(Rule.P05)
  void required_P05_sameSeedSamePlans(@ForAll("histories") History history) {
    checkSamePlans(
        Rule.P05,
        history,
        start(Setting.of(history)),
        start(Setting.of(history)),
        "after a restart with the same seed and the same events");
  }

  @RuleProperty(value = Rule.P08, violations = RuleProperty.Frequency.VERY_RARE)
  void required_P08_respectsMargins(@ForAll("histories") History history) {
    check(Rule.P08, history);
  }

  @RuleProperty(Rule.P12)
  void required_P12_ignoresHostOrder(@ForAll("histories") History history) {
    new HostOrderCheck(subject(), history, laws(Rule.P12)).run(() -> start(Setting.of(history)));
  }

  @Test
  @Disabled("no finite test can decide it; argue it in the description of the policy")
  void untested_P14_longRunFairness() {}

  @RuleProperty(Rule.P15)
  void required_P15_losesNoInstance(@ForAll("histories") History history) {
    check(Rule.P15, history);
  }

  @RuleProperty(Rule.P16)
  void required_P16_victimsHaveBeneficiaries(@ForAll("histories") History history) {
    check(Rule.P16, history);
  }

  @RuleProperty(value = Rule.P17, violations = RuleProperty.Frequency.RARE)
  void required_P17_constraintsHold(@ForAll("histories") History history) {
    check(Rule.P17, history);
  }

  @RuleProperty(Rule.P18)
  void required_P18_victimSetsAreMinimal(@ForAll("histories") History history) {
    check(Rule.P18, history);
  }

  @RuleProperty(Rule.P19)
  void required_P19_noPingPong(@ForAll("histories") History history) {
    check(Rule.P19, history);
  }

  @RuleProperty(Rule.P20)
  void required_P20_conservesWork(@ForAll("histories") History history) {
    check(Rule.P20, history);
  }

  @RuleProperty(value = Rule.P21, violations = RuleProperty.Frequency.RARE)
  void required_P21_moreCapacityNeverHurts(@ForAll("histories") History history) {
    new MonotonicityCheck(subject(), history, laws(Rule.P21)).run(() -> start(Setting.of(history)));
  }

  @RuleProperty(Rule.P22)
  void required_P22_neverThrows(@ForAll("histories") History history) {
    check(Rule.P22, history);
  }

  @RuleProperty(Rule.P26)
  void required_P26_usesNothingUndeclared(@ForAll("histories") History history) {
    check(Rule.P26, history);
  }

  @RuleProperty(value = Rule.P26, once = true)
  void stochastic_P26_usesWhatItDeclares(@ForAll Random random) {
    Set<Capability> unseen = EnumSet.noneOf(Capability.class);
    Capability.uses().stream().filter(capabilities()::include).forEach(unseen::add);
    RandomGenerator<History> histories = histories().generator(HISTORIES_FOR_ALL_USES, true);
    // Declares all capabilities: what is used undeclared is a failure of the test before this one.
    for (int i = 0; i < HISTORIES_FOR_ALL_USES && !unseen.isEmpty(); i++) {
      History history = histories.next(random).value();
      PlanRules laws =
          new PlanRules(Rule.P26, Capabilities.all(), expectedOverhead(), mostRestarts(), Set.of());
      new RuleCheck(subject(), start(Setting.of(history)), history, laws).play();
      unseen.removeAll(laws.seen());
    }
    if (!unseen.isEmpty()) {
      throw Rule.P26.broken(
          """
          declared, but never used in %s histories: %s. Remove it from capabilities(), or \
          override histories() with some that require it.\
          """,
          HISTORIES_FOR_ALL_USES, unseen);
    }
  }

  @RuleProperty(Rule.P28)
  void required_P28_accountsForAllTime(@ForAll("histories") History history) {
    check(Rule.P28, history);
  }

  @RuleProperty(Rule.P30)
  void required_P30_grantsAreWithinBounds(@ForAll("histories") History history) {
    check(Rule.P30, history);
  }

  @RuleProperty(Rule.P31)
  void required_P31_pausedInstancesReleaseResources(@ForAll("histories") History history) {
    check(Rule.P31, history);
  }

  @RuleProperty(Rule.P32)
  void required_P32_migrationKeepsService(@ForAll("histories") History history) {
    check(Rule.P32, history);
  }

  @RuleProperty(Rule.P33)
  void required_P33_oversubscriptionIsDeclared(@ForAll("histories") History history) {
    check(Rule.P33, history);
  }

  @RuleProperty(value = Rule.P34, violations = RuleProperty.Frequency.RARE)
  void required_P34_rejectionsAreFinal(@ForAll("histories") History history) {
    check(Rule.P34, history);
  }

  @RuleProperty(Rule.P35)
  void required_P35_actsInValidStates(@ForAll("histories") History history) {
    check(Rule.P35, history);
  }

  @RuleProperty(value = Rule.P36, violations = RuleProperty.Frequency.VERY_RARE)
  void required_P36_respectsPoolLimits(@ForAll("histories") History history) {
    check(Rule.P36, history);
  }

  @RuleProperty(value = Rule.P37, violations = RuleProperty.Frequency.RARE)
  void required_P37_releasesOnlyIdleHosts(@ForAll("histories") History history) {
    check(Rule.P37, history);
  }

  @RuleProperty(Rule.P38)
  void required_P38_usesOnlyHostsThatAreUp(@ForAll("histories") History history) {
    check(Rule.P38, history);
  }

  @RuleProperty(value = Rule.P39, violations = RuleProperty.Frequency.RARE)
  void required_P39_reportsEndedBags(@ForAll("histories") History history) {
    check(Rule.P39, history);
  }

  @RuleProperty(Rule.P40)
  void required_P40_bagsStayOnTheirCluster(@ForAll("histories") History history) {
    check(Rule.P40, history);
  }

  @RuleProperty(value = Rule.P41, violations = RuleProperty.Frequency.VERY_RARE)
  void required_P41_boundsSwitching(@ForAll("histories") History history) {
    check(Rule.P41, history);
  }

  @RuleProperty(Rule.P42)
  void required_P42_usesOnlyOpenHosts(@ForAll("histories") History history) {
    check(Rule.P42, history);
  }

  @RuleProperty(value = Rule.P44, violations = RuleProperty.Frequency.VERY_RARE)
  void required_P44_refusesStaleReports(@ForAll("histories") History history) {
    check(Rule.P44, history);
  }

  @RuleProperty(value = Rule.P45, violations = RuleProperty.Frequency.VERY_RARE)
  void required_P45_undoesRejections(@ForAll("histories") History history) {
    check(Rule.P45, history);
  }

  @RuleProperty(value = Rule.P47, violations = RuleProperty.Frequency.VERY_RARE)
  void required_P47_reconciles(@ForAll("histories") History history) {
    check(Rule.P47, history);
  }

  @RuleProperty(value = Rule.P48, violations = RuleProperty.Frequency.RARE)
  void required_P48_obeysPlacementRules(@ForAll("placements") History history) {
    check(Rule.P48, history);
  }

  @RuleProperty(Rule.P49)
  void required_P49_respectsLimits(@ForAll("limits") History history) {
    check(Rule.P49, history);
  }

  @RuleProperty(Rule.P50)
  void required_P50_keepsBudgets(@ForAll("histories") History history) {
    check(Rule.P50, history);
  }

  @RuleProperty(value = Rule.P51, violations = RuleProperty.Frequency.RARE)
  void required_P51_startsGroupsTogether(@ForAll("histories") History history) {
    check(Rule.P51, history);
  }

  @RuleProperty(value = Rule.P52, violations = RuleProperty.Frequency.VERY_RARE)
  void required_P52_sparesProgress(@ForAll("histories") History history) {
    check(Rule.P52, history);
  }

  @RuleProperty(value = Rule.P53, violations = RuleProperty.Frequency.VERY_RARE)
  void required_P53_spacesPreemptions(@ForAll("histories") History history) {
    check(Rule.P53, history);
  }

  @RuleProperty(value = Rule.P54, violations = RuleProperty.Frequency.RARE)
  void required_P54_stopsInTime(@ForAll("histories") History history) {
    check(Rule.P54, history);
  }

  @RuleProperty(value = Rule.P55, violations = RuleProperty.Frequency.VERY_RARE)
  void required_P55_breaksNoGroup(@ForAll("histories") History history) {
    check(Rule.P55, history);
  }

  @RuleProperty(Rule.P56)
  void required_P56_startsAfterOthers(@ForAll("dependencies") History history) {
    check(Rule.P56, history);
  }

  // ---- How rules are checked

  @Override
  Optional<String> skipReason(Rule rule) {
    return lacking(PROMISES.get(rule), rule + " is not promised")
        .or(() -> lacking(USES.get(rule), rule + " does not apply"));
  }

  private Optional<String> lacking(@Nullable Capability needed, String consequence) {
    return Optional.ofNullable(needed)
        .filter(capability -> !capabilities().include(capability))
        .map(capability -> "%s: capabilities() lacks %s".formatted(consequence, capability));
  }

  @Override
  final Optional<Capability> promise(Rule rule) {
    return promiseOf(rule);
  }

  /** Returns the promise that a rule belongs to, or empty if all must obey it. */
  static Optional<Capability> promiseOf(Rule rule) {
    return Optional.ofNullable(PROMISES.get(rule));
  }

  final PlanRules laws(Rule rule) {
    Set<Dimension> oversubscribed = rule == Rule.P33 ? oversubscribes() : Set.of();
    return new PlanRules(rule, capabilities(), expectedOverhead(), mostRestarts(), oversubscribed);
  }

  /** Plays a history to a new scheduler and judges it by one rule. */
  final void check(Rule rule, History history) {
    new RuleCheck(subject(), start(Setting.of(history)), history, laws(rule))
        .play()
        .cancelRemaining();
  }

  /**
   * Plays a history to one scheduler, then the same events to another, and requires the same plans.
   */
  final void checkSamePlans(
      Rule rule, History history, EventTarget one, EventTarget other, String circumstance) {
    RuleCheck check = new RuleCheck(subject(), one, history, laws(rule)).play();
    RuleCheck.repeat(
        check.record(),
        other,
        rule,
        rule == Rule.P05 || rule == Rule.P43 || rule == Rule.P46
            ? Plan::equals
            : RuleCheck::decideTheSame,
        circumstance,
        () ->
            rule == Rule.P05 || RuleCheck.repeats(check.record(), () -> start(Setting.of(history))),
        new Transcript(subject(), history));
  }
}
