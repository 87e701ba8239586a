package dev.berth.testkit.contract;

import dev.berth.api.Dimension;
import dev.berth.api.Plan;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Transcript;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/**
 * What any scheduler is held to, whoever wrote it: it is told of generated histories and its plans
 * are judged from the outside. Extend it, adapt the scheduler in {@link #start}, and say in {@link
 * #capabilities} what it does and promises. For a policy of Berth there is {@link
 * PolicyContractTest}, which tests more.
 *
 * <p>The rules are those of {@code docs/contract.md}. Each is tested with some hundred histories;
 * {@code -Dberth.tries=} sets another number. A failure names the rule and tells the smallest
 * history that was found, and the {@code -Dberth.seed=} that leads to it again.
 *
 * <p>The test class needs both JUnit Jupiter and jqwik on the class path, which come with the kit.
 */
public abstract class SchedulerContractTest extends ContractTest {

  private static final int ENOUGH_TO_SEE_ALL = 300;

  private static final Map<Rule, Capability> PROMISES =
      Map.of(
          Rule.P06, Capability.STATELESS,
          Rule.P08, Capability.RESPECTS_MARGINS,
          Rule.P12, Capability.IGNORES_HOST_ORDER,
          Rule.P18, Capability.MINIMAL_VICTIMS,
          Rule.P20, Capability.CONSERVES_WORK,
          Rule.P21, Capability.MONOTONE);

  /** For subclasses. */
  protected SchedulerContractTest() {}

  // ---- To be said by whoever extends it

  /** Starts a scheduler of an empty cluster; called anew for every history. */
  protected abstract EventTarget start(Setting setting);

  /** Returns what it does and promises; default: all there is. */
  protected Capabilities capabilities() {
    return Capabilities.all();
  }

  /** Returns its name, for messages; default: that of the test class. */
  protected String subject() {
    return getClass().getSimpleName();
  }

  /** Returns α, by which it takes every Q to be less; default zero. Matters for P08 alone. */
  protected Duration expectedOverhead() {
    return Duration.ZERO;
  }

  /** Returns the dimensions in which it may grant less than the demand; default none. See P33. */
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
        "started again with the same seed and told the same");
  }

  @RuleProperty(value = Rule.P08, rare = true)
  void required_P08_respectsMargins(@ForAll("histories") History history) {
    check(Rule.P08, history);
  }

  @RuleProperty(Rule.P12)
  void required_P12_ignoresHostOrder(@ForAll("histories") History history) {
    new HostOrderCheck(subject(), history, laws(Rule.P12)).run(() -> start(Setting.of(history)));
  }

  @Test
  @Disabled("no finite test can tell; argue it where the policy is described")
  void untested_P14_longRunFairness() {}

  @RuleProperty(Rule.P15)
  void required_P15_losesNoInstance(@ForAll("histories") History history) {
    check(Rule.P15, history);
  }

  @RuleProperty(Rule.P16)
  void required_P16_victimsHaveBeneficiaries(@ForAll("histories") History history) {
    check(Rule.P16, history);
  }

  @RuleProperty(value = Rule.P17, rare = true)
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

  @RuleProperty(value = Rule.P21, rare = true)
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
  void stochastic_P26_usesWhatItDeclares(@ForAll("manyHistories") Many many) {
    Set<Capability> unseen = EnumSet.noneOf(Capability.class);
    Capability.uses().stream().filter(capabilities()::include).forEach(unseen::add);
    for (History history : many.histories) {
      if (unseen.isEmpty()) {
        return;
      }
      PlanRules laws = laws(Rule.P26);
      new RuleCheck(subject(), start(Setting.of(history)), history, laws).play();
      unseen.removeAll(laws.seen());
    }
    if (!unseen.isEmpty()) {
      throw new RuleBroken(
          Rule.P26,
          """
          declared, but not seen in %s histories: %s. Maybe leave it out of capabilities(), or \
          override histories() with some in which it is needed."""
              .formatted(many.histories.size(), unseen));
    }
  }

  @Provide
  Arbitrary<Many> manyHistories() {
    return histories().list().ofSize(ENOUGH_TO_SEE_ALL).map(Many::new);
  }

  /** So many that nobody wants to read them. */
  record Many(List<History> histories) {

    @Override
    public String toString() {
      return histories.size() + " histories";
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

  @RuleProperty(value = Rule.P34, rare = true)
  void required_P34_rejectionsAreFinal(@ForAll("histories") History history) {
    check(Rule.P34, history);
  }

  @RuleProperty(Rule.P35)
  void required_P35_actsInValidStates(@ForAll("histories") History history) {
    check(Rule.P35, history);
  }

  @RuleProperty(value = Rule.P36, rare = true)
  void required_P36_respectsPoolLimits(@ForAll("histories") History history) {
    check(Rule.P36, history);
  }

  @RuleProperty(value = Rule.P37, rare = true)
  void required_P37_releasesOnlyIdleHosts(@ForAll("histories") History history) {
    check(Rule.P37, history);
  }

  @RuleProperty(Rule.P38)
  void required_P38_usesOnlyHostsThatAreUp(@ForAll("histories") History history) {
    check(Rule.P38, history);
  }

  @RuleProperty(value = Rule.P39, rare = true)
  void required_P39_reportsEndedBags(@ForAll("histories") History history) {
    check(Rule.P39, history);
  }

  @RuleProperty(Rule.P40)
  void required_P40_bagsStayOnTheirCluster(@ForAll("histories") History history) {
    check(Rule.P40, history);
  }

  // ---- How they are heard

  @Override
  final Optional<String> skipReason(Rule rule) {
    return Optional.ofNullable(PROMISES.get(rule))
        .filter(promise -> !capabilities().include(promise))
        .map(promise -> "%s is not promised: %s is left out".formatted(rule, promise));
  }

  final PlanRules laws(Rule rule) {
    Set<Dimension> oversubscribed = rule == Rule.P33 ? oversubscribes() : Set.of();
    return new PlanRules(rule, capabilities(), expectedOverhead(), oversubscribed);
  }

  /** Plays a history to a new scheduler and judges it by one rule. */
  final void check(Rule rule, History history) {
    new RuleCheck(subject(), start(Setting.of(history)), history, laws(rule)).play().cancelRemaining();
  }

  /** Plays a history to one scheduler, then the same events to another, who must agree. */
  final void checkSamePlans(
      Rule rule, History history, EventTarget one, EventTarget other, String circumstance) {
    RuleCheck check = new RuleCheck(subject(), one, history, laws(rule)).play();
    RuleCheck.repeat(
        check.record(),
        other,
        rule,
        rule == Rule.P05 ? Plan::equals : RuleCheck::decideTheSame,
        circumstance,
        new Transcript(subject(), history));
  }
}
