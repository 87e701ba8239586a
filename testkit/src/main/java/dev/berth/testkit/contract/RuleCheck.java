package dev.berth.testkit.contract;

import dev.berth.api.Plan;
import dev.berth.testkit.event.Event;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Replay;
import dev.berth.testkit.history.Transcript;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * One history in the life of a subject, heard for one rule. A break of that rule is thrown, with
 * all that led to it; a break of another one ends the hearing in silence, for that rule has
 * hearings of its own.
 */
final class RuleCheck {

  private final History history;
  private final Rule rule;
  private final InvariantChecker checker;
  private final Transcript transcript;
  private final List<Exchange> record = new ArrayList<>();
  private boolean over;

  /** An event, and what the subject answered. */
  record Exchange(Event event, Optional<Record> answer) {}

  /**
   * Opens a hearing.
   *
   * @param name of the subject, for people
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
        () -> new Replay(history, checker.ledger(), checker.supportedFeatures(), this::happens).play());
  }

  private void happens(Event event) {
    transcript.event(event);
    try {
      Optional<Record> answer = event.applyTo(checker);
      transcript.answer(answer);
      record.add(new Exchange(event, answer));
    } catch (RuleBroken broken) {
      if (event instanceof Event.PassRequested) {
        transcript.answer(checker.latest().map(Record.class::cast));
      }
      throw broken;
    }
  }

  /** Takes back whoever is left, at the end. */
  void cancelRemaining() {
    attempt(() -> checker.ledger().instances().forEach(each -> takeBack(each.id())));
  }

  private void takeBack(String id) {
    try {
      happens(new Event.Cancelled(now(), id));
    } catch (RuleBroken broken) {
      throw broken.rule() == Rule.P22
          ? new RuleBroken(Rule.P15, id + " cannot be taken back: it is lost", broken)
          : broken;
    }
  }

  /** Does something that belongs to the hearing, unless that is over. */
  RuleCheck attempt(Runnable step) {
    if (!over) {
      try {
        step.run();
      } catch (RuleBroken broken) {
        over = true;
        if (broken.rule() == rule) {
          throw transcript.tell(broken);
        }
      }
    }
    return this;
  }

  /** Returns whether it is over before the history was. */
  boolean over() {
    return over;
  }

  /** Returns the subject, under the eyes of the witness. */
  InvariantChecker checker() {
    return checker;
  }

  /** Returns what was taken down. */
  List<Exchange> record() {
    return record;
  }

  /** Returns the time that the history has reached. */
  long now() {
    return record.isEmpty() ? history.epoch() : record.get(record.size() - 1).event().at();
  }

  /**
   * Tells another subject what the first one was told, and demands the same answers.
   *
   * @param same when two plans count as the same
   * @param circumstance in which the other one differs: {@code "asked a second time"}
   */
  static void repeat(
      List<Exchange> record,
      EventTarget other,
      Rule rule,
      BiPredicate<Plan, Plan> same,
      String circumstance,
      Transcript told) {
    for (Exchange each : record) {
      told.event(each.event());
      told.answer(each.answer());
      String answer;
      try {
        Optional<Record> again = each.event().applyTo(other);
        if (again.equals(each.answer())
            || (again.orElse(null) instanceof Plan one
                && each.answer().orElse(null) instanceof Plan before
                && same.test(one, before))) {
          continue;
        }
        answer = words(again);
      } catch (Throwable thrown) {
        if (isBreak(thrown)) {
          return; // of another rule, which has hearings of its own
        }
        answer = thrown.toString();
      }
      throw told.tell(
          new RuleBroken(
              rule,
              "%s, it answers the last event with%n  %s%nand not with%n  %s"
                  .formatted(circumstance, answer, words(each.answer()))));
    }
  }

  /** Returns whether something thrown says, however deep, that a rule is broken. */
  static boolean isBreak(Throwable thrown) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof RuleBroken) {
        return true;
      }
    }
    return false;
  }

  /** The same to be carried out, and the same left waiting; whatever the reasons. */
  static boolean decideTheSame(Plan one, Plan other) {
    return one.actions().equals(other.actions())
        && one.deferrals().keySet().equals(other.deferrals().keySet())
        && one.bagDeferrals().keySet().equals(other.bagDeferrals().keySet());
  }

  private static String words(Optional<Record> answer) {
    return answer.map(Record::toString).orElse("nothing");
  }
}
