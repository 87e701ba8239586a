package dev.berth.testkit.contract;

import static dev.berth.testkit.event.EventTarget.Feature.REJECTIONS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Dimension;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.testkit.asserting.Asserting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import org.junit.jupiter.api.Test;

/**
 * Tests a policy of Berth against the rules of {@code docs/contract.md}. To use it, extend it,
 * return the factory, and declare in {@link #capabilities} what the policy does and promises:
 *
 * <pre>{@code
 * class BestFitContractTest extends PolicyContractTest<BestFit.Config> {
 *   @Override
 *   protected PolicyFactory<BestFit.Config> factory() {
 *     return new BestFit();
 *   }
 *
 *   @Override
 *   protected Capabilities capabilities() {
 *     return Capabilities.all().without(PREEMPTS, DEFERS, ADJUSTS);
 *   }
 * }
 * }</pre>
 *
 * @param <C> the configuration of the policy
 */
public abstract class PolicyContractTest<C extends Record> extends SchedulerContractTest {

  /** For subclasses. */
  protected PolicyContractTest() {}

  /** Returns the factory of the policy. */
  protected abstract PolicyFactory<C> factory();

  /** Returns the configuration to test; default: the defaults of the factory. */
  protected C config() {
    return factory().defaults();
  }

  /**
   * Returns the service classes of clusters that do not come from {@link #histories}: at least one,
   * most important first. Override both if the configuration names service classes.
   */
  protected List<ServiceClass> serviceClasses() {
    return List.of(
        ServiceClass.builder("great").build(),
        ServiceClass.builder("small").slo(0.1).importance(2).build());
  }

  /** Runs the policy on Berth's engine. */
  @Override
  protected final EventTarget start(Setting setting) {
    return start(setting, this::make);
  }

  @Override
  protected String subject() {
    return "policy %s %s".formatted(factory().id(), TreeBinder.toJson(config()));
  }

  /** Skips P43 and P46 if the policy does not say what it keeps, so that there are no snapshots. */
  @Override
  final Optional<String> skipReason(Rule rule) {
    return (rule == Rule.P43 || rule == Rule.P46) && makeOnce().memory().isEmpty()
        ? Optional.of(
            "%s does not apply: memory() does not say what the policy keeps, so its scheduler gives no snapshots"
                .formatted(rule.name()))
        : super.skipReason(rule);
  }

  private Policy makeOnce() {
    List<Policy> made = new ArrayList<>();
    start(
        new Setting(serviceClasses(), 1),
        context -> {
          Policy policy = make(context);
          made.add(policy);
          return policy;
        });
    return made.get(0);
  }

  /** Returns what the policy declares. */
  @Override
  protected final Set<Dimension> oversubscribes() {
    return Set.copyOf(makeOnce().oversubscribes());
  }

  private Policy make(PolicyContext context) {
    return factory().create(config(), context);
  }

  private EventTarget start(Setting setting, Function<PolicyContext, Policy> maker) {
    return EventTarget.of(builder(setting, maker).build());
  }

  private Scheduler.Builder builder(Setting setting, Function<PolicyContext, Policy> maker) {
    return Scheduler.builder()
        .policy(factory().id(), maker)
        .serviceClasses(setting.serviceClasses())
        .seed(setting.seed());
  }

  // ---- The factory

  @Test
  void required_P01_isRegisteredUnderItsId() {
    String id = factory().id();
    try {
      PolicyRegistry.of(factory()); // rejects a malformed id
      PolicyFactory<?> found = PolicyRegistry.load(factory().getClass().getClassLoader()).get(id);
      if (!found.getClass().equals(factory().getClass())) {
        throw Rule.P01.broken(
            "%s leads to %s, must lead to %s",
            id, found.getClass().getName(), factory().getClass().getName());
      }
    } catch (IllegalStateException | UnknownPolicyException unfound) {
      throw new RuleBroken(
          Rule.P01,
          "%s A provider must return it, and META-INF/services/%s must name the provider."
              .formatted(unfound.getMessage(), PolicyProvider.class.getName()),
          unfound);
    }
  }

  @Test
  void required_P02_defaultsRoundTrip() {
    JsonNode json = ConfigProbe.defaults(Rule.P02, factory());
    C again;
    try {
      again = TreeBinder.bind(factory(), json);
    } catch (RuntimeException unbound) {
      throw new RuleBroken(
          Rule.P02, "the defaults are %s, but: %s".formatted(json, unbound.getMessage()), unbound);
    }
    if (!again.equals(factory().defaults())) {
      throw Rule.P02.broken(
          "the defaults %s come back from %s as %s", factory().defaults(), json, again);
    }
  }

  @Test
  void required_P13_rejectsInvalidConfig() {
    new ConfigProbe<>(serviceClasses(), factory()).run();
  }

  // ---- Decisions

  @RuleProperty(Rule.P06)
  void required_P06_sameStateSamePlan(@ForAll("histories") History history) {
    Setting setting = Setting.of(history);
    checkSamePlans(
        Rule.P06,
        history,
        start(setting),
        start(setting, context -> rehearsed(make(context))),
        "after running each pass in a discarded fork first");
  }

  private static Policy rehearsed(Policy policy) {
    return Asserting.withPasses(
        policy,
        pass -> {
          try (SchedulingPass.Fork rehearsal = pass.fork()) {
            policy.schedule(rehearsal);
          }
          policy.schedule(pass);
        });
  }

  /** Without rejections: a restored scheduler takes the plans before as carried out. */
  @RuleProperty(Rule.P43)
  void required_P43_restoresState(@ForAll("histories") History history) {
    Setting setting = Setting.of(history);
    checkSamePlans(
        Rule.P43,
        history,
        EventTarget.of(
            builder(setting, this::make).build(), EnumSet.complementOf(EnumSet.of(REJECTIONS))),
        new RestoringTarget(() -> builder(setting, this::make), setting.seed()),
        "with its scheduler restored from snapshots in between");
  }

  @RuleProperty(Rule.P46)
  void required_P46_previewsChangeNothing(@ForAll("histories") History history) {
    Setting setting = Setting.of(history);
    checkSamePlans(
        Rule.P46,
        history,
        start(setting),
        new AskingTarget(builder(setting, this::make).build(), setting.seed()),
        "with questions about the next pass in between");
  }

  @RuleProperty(Rule.P09)
  void required_P09_deferralsHaveReasons(@ForAll("histories") History history) {
    check(Rule.P09, history);
  }

  @Test
  void required_P10_costGrowsLinearly() {
    new CostProbe(serviceClasses(), this::make).run();
  }

  @Test
  void required_P11_handlesEmptyClusters() {
    Setting setting = new Setting(serviceClasses(), 1);
    EmptyClusterCheck.run(start(setting), setting, laws(Rule.P11), capabilities());
  }

  // ---- Misuse

  @RuleProperty(Rule.P07)
  void required_P07_retainsNoViews(@ForAll("histories") History history) {
    checkAsserting(Rule.P07, history, new Asserting(OptionalLong.empty()));
  }

  @RuleProperty(value = Rule.P23, violations = RuleProperty.Frequency.RARE)
  void required_P23_partsArePure(@ForAll("histories") History history) {
    checkAsserting(Rule.P23, history, new Asserting(OptionalLong.empty()));
  }

  @RuleProperty(Rule.P24)
  void required_P24_keysAreStable(@ForAll("histories") History history) {
    checkAsserting(Rule.P24, history, new Asserting(OptionalLong.empty()));
  }

  @RuleProperty(value = Rule.P25, violations = RuleProperty.Frequency.RARE)
  void required_P25_optimizationHintsHold(@ForAll("histories") History history) {
    checkAsserting(Rule.P25, history, Asserting.askingAll());
  }

  @RuleProperty(Rule.P27)
  void required_P27_ignoresUnspecifiedOrder(@ForAll("histories") History history) {
    Setting setting = Setting.of(history);
    Asserting shuffling = new Asserting(OptionalLong.of(setting.seed()));
    checkSamePlans(
        Rule.P27,
        history,
        start(setting),
        start(setting, shuffling.wrap(this::make)),
        "with collections of unspecified order shuffled");
  }

  private void checkAsserting(Rule rule, History history, Asserting asserting) {
    EventTarget subject = start(Setting.of(history), asserting.wrap(this::make));
    RuleCheck check = new RuleCheck(subject(), subject, history, laws(rule)).play();
    // The policy may have caught what a detector threw.
    check.attempt(
        () ->
            asserting.violations().stream()
                .filter(each -> each.rule() == rule)
                .findFirst()
                .ifPresent(
                    each -> {
                      throw each;
                    }));
  }
}
