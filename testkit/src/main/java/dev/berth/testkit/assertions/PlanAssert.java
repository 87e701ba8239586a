package dev.berth.testkit.assertions;

import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.WritableAssertionInfo;

/** Assertions about a plan. */
public class PlanAssert extends AbstractAssert<PlanAssert, Plan> {

  PlanAssert(Plan plan) {
    super(plan, PlanAssert.class);
  }

  /** Continues another assertion, with its description. */
  PlanAssert(Plan plan, WritableAssertionInfo info) {
    this(plan);
    this.info = info;
  }

  /** The plan places this instance; the returned assertions are about that placement. */
  public PlacementAssert places(String instanceId) {
    return new PlacementAssert(
        actual,
        info,
        found(first(actual.placements(), instanceId), "place %s".formatted(instanceId)));
  }

  /** The plan does not place this instance. */
  public PlanAssert doesNotPlace(String instanceId) {
    return checkThat(
        first(actual.placements(), instanceId).isEmpty(), "not to place %s".formatted(instanceId));
  }

  /**
   * The plan places exactly these instances, in this order.
   *
   * @param instanceIds empty: the plan places no instance
   */
  public PlanAssert placesExactly(String... instanceIds) {
    return exactly("place", instanceIds, actual.placements());
  }

  /** The plan preempts this instance; the returned assertions are about that preemption. */
  public PreemptionAssert preempts(String instanceId) {
    Optional<Action.Preempt> preemption = first(actual.preemptions(), instanceId);
    return new PreemptionAssert(
        actual, info, found(preemption, "preempt %s".formatted(instanceId)));
  }

  /**
   * The plan preempts exactly these instances, in this order.
   *
   * @param instanceIds empty: the plan preempts no instance
   */
  public PlanAssert preemptsExactly(String... instanceIds) {
    return exactly("preempt", instanceIds, actual.preemptions());
  }

  /** The plan preempts no instance. */
  public PlanAssert preemptsNobody() {
    return preemptsExactly();
  }

  /** The plan resizes this instance to this grant. */
  public PlanAssert resizes(String instanceId, Resources grant) {
    return does(
        "resize %s to %s".formatted(instanceId, grant),
        Action.Resize.class,
        instanceId,
        each -> each.grant().equals(grant));
  }

  /** The plan pauses this instance. */
  public PlanAssert pauses(String instanceId) {
    return does("pause " + instanceId, Action.Pause.class, instanceId, each -> true);
  }

  /** The plan suspends this instance. */
  public PlanAssert suspends(String instanceId) {
    return does("suspend " + instanceId, Action.Suspend.class, instanceId, each -> true);
  }

  /** The plan resumes this instance with this grant. */
  public PlanAssert resumes(String instanceId, Resources grant) {
    return does(
        "resume %s with %s".formatted(instanceId, grant),
        Action.Resume.class,
        instanceId,
        each -> each.grant().equals(grant));
  }

  /** The plan migrates this instance to this host. */
  public PlanAssert migrates(String instanceId, String hostId) {
    return does(
        "migrate %s to %s".formatted(instanceId, hostId),
        Action.Migrate.class,
        instanceId,
        each -> each.host().equals(hostId));
  }

  /** The plan rejects this request. */
  public PlanAssert rejects(String instanceId) {
    return does("reject " + instanceId, Action.Reject.class, instanceId, each -> true);
  }

  private <A extends Action.OnInstance> PlanAssert does(
      String expected, Class<A> kind, String instanceId, Predicate<A> as) {
    return check(
        actual.actions(kind).stream()
            .anyMatch(each -> each.instance().equals(instanceId) && as.test(each)),
        expected);
  }

  /**
   * The policy deferred this instance; the returned assertions are about its reason. An instance
   * that waits without a reason is not deferred.
   */
  public DeferralAssert defers(String instanceId) {
    Optional<Reason> why = Optional.ofNullable(actual.deferrals().get(instanceId));
    String expected = "defer %s".formatted(instanceId);
    return new DeferralAssert(actual, info, instanceId, found(why, expected));
  }

  /** The plan has no actions; it may have deferrals. */
  public PlanAssert isEmpty() {
    return check(actual.isEmpty(), "have no actions");
  }

  /** The plan has no policy errors. */
  public PlanAssert hasNoPolicyErrors() {
    return check(actual.policyErrors().isEmpty(), "have no policy errors");
  }

  private static <A extends Action.OnInstance> Optional<A> first(
      List<A> actions, String instanceId) {
    return actions.stream().filter(each -> each.instance().equals(instanceId)).findFirst();
  }

  private PlanAssert exactly(
      String verb, String[] expected, List<? extends Action.OnInstance> actions) {
    List<String> ids = List.of(expected);
    return check(
        actions.stream().map(Action.OnInstance::instance).toList().equals(ids),
        switch (expected.length) {
          case 0 -> verb + " no instance";
          case 1 -> "%s %s and no other instance".formatted(verb, expected[0]);
          default ->
              "%s %s, in this order, and no other instance".formatted(verb, String.join(", ", ids));
        });
  }

  private <T> T found(Optional<T> wanted, String expected) {
    check(wanted.isPresent(), expected);
    return wanted.orElseThrow();
  }

  final PlanAssert check(boolean holds, String expected) {
    return checkThat(holds, "to " + expected);
  }

  private PlanAssert checkThat(boolean holds, String expected) {
    if (!holds) {
      String words = inWords();
      failWithMessage(
          "%s",
          "expected the plan %s, but it does%s"
              .formatted(expected, words.isEmpty() ? " nothing" : ": " + words));
    }
    return this;
  }

  private String inWords() {
    List<String> parts = new ArrayList<>();
    for (Action action : actual.actions()) {
      parts.add(action.describe());
    }
    actual.deferrals().forEach((id, why) -> parts.add("defer " + inWords(id, why)));
    actual.bagDeferrals().forEach((id, why) -> parts.add("defer bag " + inWords(id, why)));
    actual
        .policyErrors()
        .forEach(
            error -> parts.add("make a policy error: " + inWords(error.subject(), error.why())));
    return String.join("; ", parts);
  }

  /** Includes the code, because different reasons may have the same description. */
  static String inWords(String instanceId, Reason why) {
    return "%s: %s (%s)".formatted(instanceId, why.describe(), why.code());
  }
}
