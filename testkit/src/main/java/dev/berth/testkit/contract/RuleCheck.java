package dev.berth.testkit.contract;

import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.Call;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.HistoryPlayer;
import dev.berth.testkit.history.Transcript;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Plays one history to a subject and checks one rule. It throws a violation of that rule, with the
 * history so far. A violation of another rule ends the check silently, because that rule has tests
 * of its own.
 */
final class RuleCheck {

  private static final int RESTARTS = 32; // enough for a choice between two hosts

  private final History history;
  private final Rule rule;
  private final InvariantChecker checker;
  private final Transcript transcript;
  private final List<Exchange> record = new ArrayList<>();
  private boolean ended;

  /** A call and the answer of the subject. */
  record Exchange(Call call, Optional<Record> answer) {}

  /**
   * Prepares a check.
   *
   * @param name name of the subject, for messages
   * @param subject a scheduler of an empty cluster
   */
  RuleCheck(String name, EventTarget subject, History history, PlanRules laws) {
    this.history = history;
    this.rule = laws.rule();
    this.checker = new InvariantChecker(subject, Setting.of(history), laws);
    this.transcript = new Transcript(name, history);
  }

  /** Plays the history to the subject. */
  RuleCheck play() {
    return attempt(
        () ->
            new HistoryPlayer(history, checker.ledger(), checker.supportedFeatures(), this::happens)
                .play());
  }

  private void happens(Call call) {
    transcript.call(call);
    try {
      Optional<Record> answer = call.applyTo(checker);
      transcript.answer(answer);
      record.add(new Exchange(call, answer));
    } catch (RuleBroken broken) {
      if (call.isPass()) {
        transcript.answer(checker.latest().map(Record.class::cast));
      }
      throw broken;
    }
  }

  /** Cancels the remaining instances at the end. */
  void cancelRemaining() {
    attempt(() -> checker.ledger().instances().forEach(each -> cancel(each.id())));
  }

  private void cancel(String id) {
    try {
      happens(new Call(now(), new Event.Cancelled(id)));
    } catch (RuleBroken broken) {
      throw broken.rule() == Rule.P22
          ? new RuleBroken(Rule.P15, id + " cannot be cancelled: it is lost", broken)
          : broken;
    }
  }

  /** Runs a step of the check, unless the check has ended. */
  RuleCheck attempt(Runnable step) {
    if (!ended) {
      try {
        step.run();
      } catch (RuleBroken broken) {
        ended = true;
        if (broken.rule() == rule) {
          throw transcript.attachTo(broken);
        }
      }
    }
    return this;
  }

  /** Returns whether the check ended before the history. */
  boolean hasEnded() {
    return ended;
  }

  /** Returns the subject behind its invariant checker. */
  InvariantChecker checker() {
    return checker;
  }

  /** Returns the events so far with their answers. */
  List<Exchange> record() {
    return record;
  }

  /** Returns the time of the latest event. */
  long now() {
    return record.isEmpty() ? history.epoch() : record.get(record.size() - 1).call().at();
  }

  /**
   * Plays the same events to another subject and requires the same answers.
   *
   * @param same whether two plans count as the same
   * @param circumstance how the other subject differs: {@code "asked a second time"}
   * @param restarts whether a subject that differs in nothing gives the same answers; asked once
   *     the other one differs
   */
  static void repeat(
      List<Exchange> record,
      EventTarget other,
      Rule rule,
      BiPredicate<Plan, Plan> same,
      String circumstance,
      BooleanSupplier restarts,
      Transcript transcript) {
    for (Exchange each : record) {
      transcript.call(each.call());
      transcript.answer(each.answer());
      String answer;
      try {
        Optional<Record> again = each.call().applyTo(other);
        if (agree(again, each.answer(), same)) {
          continue;
        }
        answer = PlanDifferences.of(again, each.answer());
      } catch (Throwable thrown) {
        if (thrown instanceof RuleBroken broken && broken.rule() == rule) {
          throw transcript.attachTo(broken);
        }
        if (isBreak(thrown)) {
          return; // of another rule, which has tests of its own
        }
        answer = RuleBroken.by(thrown).what() + ", before not";
      }
      String difference = "%s, %s differs: %s".formatted(circumstance, place(each), answer);
      throw transcript.attachTo(
          restarts.getAsBoolean()
              ? new RuleBroken(rule, difference)
              : new RuleBroken(
                  rule, "mend P05 first (plans differ after a mere restart too): " + difference));
    }
  }

  private static boolean agree(
      Optional<Record> again, Optional<Record> answer, BiPredicate<Plan, Plan> same) {
    return again.equals(answer)
        || (again.orElse(null) instanceof Plan one
            && answer.orElse(null) instanceof Plan before
            && same.test(one, before))
        || (again.orElse(null) instanceof Reconciliation one
            && answer.orElse(null) instanceof Reconciliation before
            && Set.copyOf(one.differences()).equals(Set.copyOf(before.differences())));
  }

  private static String place(Exchange exchange) {
    return exchange.answer().orElse(null) instanceof Plan plan
        ? "pass " + plan.pass()
        : "the answer to \"%s\"".formatted(exchange.call().describe());
  }

  /** Returns whether new subjects decide as in a record. */
  static boolean repeats(List<Exchange> record, Supplier<EventTarget> starts) {
    for (int i = 0; i < RESTARTS; i++) {
      EventTarget again = starts.get();
      for (Exchange each : record) {
        try {
          if (!agree(each.call().applyTo(again), each.answer(), RuleCheck::decideTheSame)) {
            return false;
          }
        } catch (Throwable thrown) {
          return isBreak(thrown);
        }
      }
    }
    return true;
  }

  /** Returns whether a throwable or one of its causes reports a broken rule. */
  static boolean isBreak(Throwable thrown) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof RuleBroken) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether two plans have the same actions and defer the same, for whatever reasons. */
  static boolean decideTheSame(Plan one, Plan other) {
    return one.actions().equals(other.actions())
        && one.deferrals().keySet().equals(other.deferrals().keySet())
        && one.blockedHead().equals(other.blockedHead())
        && one.bagDeferrals().keySet().equals(other.bagDeferrals().keySet());
  }
}
