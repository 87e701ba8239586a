package dev.berth.traces.internal;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Domain;
import dev.berth.api.LimitUse;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.Preference;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Parses taints, tolerations, rules, preferences, uses of limits and disruption budgets in one cell
 * each: {@code disk=full:no-new}, {@code disk=full:leave for 10m}, {@code near job web by zone},
 * {@code 5 zone==a}, {@code 1 matlab per host}, {@code max-down 1}.
 */
public final class PlacementExpressions {

  private static final String HOST = "host";
  private static final String ALL = "*";

  private static final String TAINT =
      "must be a taint like disk=full:no-new, gpu:prefer-not or disk=full:leave after 10m";
  private static final String TOLERATION =
      "must be a toleration like disk, disk=full, disk=full:no-new, gpu:leave for 10m or *";
  private static final String RULE =
      "must be a rule like near job web by zone, apart label team=a by host or spread job web by"
          + " zone within 1";
  private static final String PREFERENCE =
      "must be a preference like 5 zone==a, 3 near job web by zone or 2 apart label team=a by host";

  private static final String LIMIT = "must be a use of a limit like 1 matlab or 1 maple per host";
  private static final String PER_HOST = " per host";

  private static final String SET_LIMIT = "must be an amount of a limit like 20 matlab";

  private static final String BUDGET = "must be a disruption budget like max-down 1 or min-up 2";
  private static final String MAX_DOWN = "max-down";
  private static final String MIN_UP = "min-up";

  private PlacementExpressions() {}

  // ---- Taints

  /**
   * Returns the taints in a field.
   *
   * @throws InputException if the field is malformed
   */
  public static List<Taint> taints(Field field) {
    return field.parts(';').stream().map(PlacementExpressions::taint).toList();
  }

  private static Taint taint(Field clause) {
    Split after = Split.atLast(clause.text(), " after ");
    Split effect = Split.atLast(after.before, ":");
    Split value = Split.atFirst(effect.before, "=");
    clause.refuseIf(value.before.isEmpty() || effect.after.isEmpty(), TAINT);
    Taint.Effect what = effect(clause, effect.after.get());
    if (after.after.isPresent() && what != Taint.Effect.LEAVE) {
      throw clause.error("must have a time only after leave");
    }
    return new Taint(
        value.before,
        value.after.orElse(""),
        what,
        after.after.map(it -> time(clause, it)).orElse(Duration.ZERO));
  }

  /**
   * Returns the tolerations in a field.
   *
   * @throws InputException if the field is malformed
   */
  public static List<Toleration> tolerations(Field field) {
    return field.parts(';').stream().map(PlacementExpressions::toleration).toList();
  }

  private static Toleration toleration(Field clause) {
    Split atMost = Split.atLast(clause.text(), " for ");
    Split effect = Split.atLast(atMost.before, ":");
    Split value = Split.atFirst(effect.before, "=");
    boolean isOfAll = value.before.equals(ALL);
    clause.refuseIf(value.before.isEmpty() || (isOfAll && value.after.isPresent()), TOLERATION);
    return new Toleration(
        isOfAll ? Optional.empty() : Optional.of(value.before),
        value.after,
        effect.after.map(it -> effect(clause, it)),
        atMost.after.map(it -> time(clause, it)));
  }

  /** Returns the word for an effect: {@code "no-new"}. */
  public static String word(Taint.Effect effect) {
    return effect.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the effect of a word.
   *
   * @param field the field to name in an error
   * @throws InputException if there is no such effect
   */
  public static Taint.Effect effect(Field field, String word) {
    for (Taint.Effect each : Taint.Effect.values()) {
      if (word(each).equals(word)) {
        return each;
      }
    }
    throw field.error("must have one of the effects no-new, prefer-not, leave");
  }

  private static Duration time(Field clause, String text) {
    return Duration.ofNanos(clause.part(text).nanos());
  }

  // ---- Rules and preferences

  /**
   * Returns the rules in a field.
   *
   * @throws InputException if the field is malformed
   */
  public static List<PlacementRule> rules(Field field) {
    return field.parts(';').stream().map(PlacementExpressions::rule).toList();
  }

  private static PlacementRule rule(Field clause) {
    Split kind = Split.atFirst(clause.text(), " ");
    String rest = kind.after.orElse("");
    return switch (kind.before) {
      case "near" -> new PlacementRule.Near(peers(clause, rest, RULE), domain(clause, rest, RULE));
      case "apart" ->
          new PlacementRule.Apart(peers(clause, rest, RULE), domain(clause, rest, RULE));
      case "spread" -> spread(clause, Split.atLast(rest, " within "));
      default -> throw clause.error(RULE);
    };
  }

  private static PlacementRule spread(Field clause, Split skew) {
    String where = skew.before;
    return new PlacementRule.Spread(
        peers(clause, where, RULE),
        domain(clause, where, RULE),
        clause.part(skew.after.orElseThrow(() -> clause.error(RULE))).whole(1, Integer.MAX_VALUE));
  }

  /**
   * Returns the preferences in a field.
   *
   * @throws InputException if the field is malformed
   */
  public static List<Preference> preferences(Field field) {
    return field.parts(';').stream().map(PlacementExpressions::preference).toList();
  }

  private static Preference preference(Field clause) {
    Split weight = Split.atFirst(clause.text(), " ");
    String rest = weight.after.orElseThrow(() -> clause.error(PREFERENCE));
    int number = clause.part(weight.before).whole(1, Preference.MAX_WEIGHT);
    Split kind = Split.atFirst(rest, " ");
    String where = kind.after.orElse("");
    return switch (kind.before) {
      case "near" ->
          new Preference.Near(
              peers(clause, where, PREFERENCE), domain(clause, where, PREFERENCE), number);
      case "apart" ->
          new Preference.Apart(
              peers(clause, where, PREFERENCE), domain(clause, where, PREFERENCE), number);
      default -> new Preference.OnHost(ConstraintExpressions.clause(clause.part(rest)), number);
    };
  }

  /**
   * Returns the uses of limits in a field.
   *
   * @throws InputException if the field is malformed
   */
  public static List<LimitUse> limits(Field field) {
    return field.parts(';').stream().map(PlacementExpressions::limit).toList();
  }

  private static LimitUse limit(Field clause) {
    Split amount = Split.atFirst(clause.text(), " ");
    String name = amount.after.orElse("");
    boolean isPerHost = name.endsWith(PER_HOST);
    if (isPerHost) {
      name = name.substring(0, name.length() - PER_HOST.length()).strip();
    }
    clause.refuseIf(name.isEmpty(), LIMIT);
    return new LimitUse(
        name,
        isPerHost ? LimitUse.Kind.PER_HOST : LimitUse.Kind.PER_INSTANCE,
        clause.part(amount.before).whole(1, (int) LimitUse.MOST));
  }

  /**
   * Returns how much there is of a limit from a time on.
   *
   * @throws InputException if the field is malformed
   */
  public static HostEvent.LimitSet limit(long at, Field field) {
    Split amount = Split.atFirst(field.required(), " ");
    String name =
        amount.after.filter(each -> !each.isEmpty()).orElseThrow(() -> field.error(SET_LIMIT));
    return new HostEvent.LimitSet(at, name, field.part(amount.before).wholeLong(0, Long.MAX_VALUE));
  }

  /**
   * Returns the disruption budget in a field.
   *
   * @throws InputException if the field is malformed
   */
  public static DisruptionBudget budget(Field field) {
    Split kind = Split.atFirst(field.text(), " ");
    String members = kind.after.orElseThrow(() -> field.error(BUDGET));
    return switch (kind.before) {
      case MAX_DOWN -> DisruptionBudget.maxDown(members(field, members));
      case MIN_UP -> DisruptionBudget.minUp(members(field, members));
      default -> throw field.error(BUDGET);
    };
  }

  private static int members(Field field, String text) {
    return field.part(text).whole(0, Integer.MAX_VALUE);
  }

  private static Peers peers(Field clause, String text, String otherwise) {
    Split kind = Split.atFirst(Split.atLast(text, " by ").before, " ");
    String who = kind.after.orElse("");
    if (kind.before.equals("job") && !who.isEmpty()) {
      return Peers.ofJob(who);
    }
    Split label = Split.atFirst(who, "=");
    if (kind.before.equals("label") && !label.before.isEmpty() && label.after.isPresent()) {
      return Peers.labelled(label.before, label.after.get());
    }
    throw clause.error(otherwise);
  }

  private static Domain domain(Field clause, String text, String otherwise) {
    String domain =
        Split.atLast(text, " by ")
            .after
            .filter(each -> !each.isEmpty())
            .orElseThrow(() -> clause.error(otherwise));
    return domain.equals(HOST) ? Domain.HOST : Domain.of(domain);
  }

  /** A text before and after a separator, without blanks around. */
  private record Split(String before, Optional<String> after) {

    static Split atFirst(String text, String separator) {
      return at(text, text.indexOf(separator), separator);
    }

    static Split atLast(String text, String separator) {
      return at(text, text.lastIndexOf(separator), separator);
    }

    private static Split at(String text, int index, String separator) {
      return index < 0
          ? new Split(text.strip(), Optional.empty())
          : new Split(
              text.substring(0, index).strip(),
              Optional.of(text.substring(index + separator.length()).strip()));
    }
  }

  // ---- Writing

  /** Returns the text of a taint, which may mean something else if it has odd characters. */
  public static String text(Taint taint, FieldWriter fields) {
    String text = taint.key();
    if (!taint.value().isEmpty()) {
      text += "=" + taint.value();
    }
    text += ":" + word(taint.effect());
    return taint.grace().isZero()
        ? text
        : text + " after " + fields.time("grace", taint.grace().toNanos());
  }

  /** Returns the text of a toleration, which may mean something else if it has odd characters. */
  public static String text(Toleration toleration, FieldWriter fields) {
    StringBuilder text = new StringBuilder(toleration.key().orElse(ALL));
    toleration.value().ifPresent(it -> text.append('=').append(it));
    toleration.effect().ifPresent(it -> text.append(':').append(word(it)));
    toleration
        .atMost()
        .ifPresent(it -> text.append(" for ").append(fields.time("toleration", it.toNanos())));
    return text.toString();
  }

  /** Returns the text of a rule, which may mean something else if it has odd characters. */
  public static String text(PlacementRule rule) {
    if (rule instanceof PlacementRule.Spread spread) {
      return "spread %s within %s"
          .formatted(text(spread.peers(), spread.domain()), spread.maxSkew());
    }
    return "%s %s"
        .formatted(
            rule instanceof PlacementRule.Near ? "near" : "apart",
            text(rule.peers(), rule.domain()));
  }

  /**
   * Returns the text of a preference, which may mean something else if it has odd characters.
   *
   * @param constraint the text of its constraint, if it is about the host
   */
  public static String text(Preference preference, String constraint) {
    if (preference instanceof Preference.Near near) {
      return "%s near %s".formatted(near.weight(), text(near.peers(), near.domain()));
    } else if (preference instanceof Preference.Apart apart) {
      return "%s apart %s".formatted(apart.weight(), text(apart.peers(), apart.domain()));
    }
    return "%s %s".formatted(preference.weight(), constraint);
  }

  /**
   * Returns the text of a use of a limit, which may mean something else if it has odd characters.
   */
  public static String text(LimitUse use) {
    return "%s %s%s"
        .formatted(use.amount(), use.limit(), use.kind() == LimitUse.Kind.PER_HOST ? PER_HOST : "");
  }

  /** Returns the text of the amount of a limit, which may mean something else if it is odd. */
  public static String text(HostEvent.LimitSet limit) {
    return "%s %s".formatted(limit.amount(), limit.limit());
  }

  /** Returns the text of a disruption budget. */
  public static String text(DisruptionBudget budget) {
    return "%s %s"
        .formatted(
            budget.limit() == DisruptionBudget.Limit.MAX_DOWN ? MAX_DOWN : MIN_UP,
            budget.members());
  }

  private static String text(Peers peers, Domain domain) {
    String who =
        peers instanceof Peers.Labelled labelled
            ? "label %s=%s".formatted(labelled.name(), labelled.value())
            : "job " + ((Peers.OfJob) peers).job();
    return "%s by %s".formatted(who, domain.attribute().orElse(HOST));
  }
}
