package dev.berth.testkit.reference;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Taints, rules about other instances and preferences, evaluated anew from all hosts and instances
 * of a cluster each time.
 */
public final class ReferencePlacement {

  private final ReferenceCluster cluster;

  /** What keeps an instance off a host. */
  public enum Refusal {
    /** A taint of the host that the request does not tolerate. */
    TAINT,
    /** The place has no peer that a rule of the request requires. */
    NEAR,
    /** The place has a peer that a rule of the request excludes. */
    APART,
    /** A rule of an instance in its place keeps the instance away. */
    KEPT_AWAY,
    /** The place has too many peers more than another one. */
    SPREAD,
    /** The host belongs to no place of a domain that a rule of the request names. */
    NO_PLACE;

    /** Returns whether instances that leave the host may end it. */
    boolean isOfThoseThere() {
      return this == APART || this == KEPT_AWAY || this == SPREAD;
    }
  }

  /** Evaluates rules in a cluster. */
  public ReferencePlacement(ReferenceCluster cluster) {
    this.cluster = cluster;
  }

  // ---- Taints

  /** Returns whether a request with some tolerations tolerates a taint. */
  private static boolean tolerates(ReferenceInstance instance, Taint taint) {
    for (Toleration each : instance.request().placement().tolerations()) {
      boolean key = each.key().isEmpty() || each.key().equals(Optional.of(taint.key()));
      boolean value = each.value().isEmpty() || each.value().equals(Optional.of(taint.value()));
      boolean effect = each.effect().isEmpty() || each.effect().equals(Optional.of(taint.effect()));
      if (key && value && effect) {
        return true;
      }
    }
    return false;
  }

  private static List<Taint> untolerated(ReferenceInstance instance, HostSpec host) {
    return host.taints().stream().filter(each -> !tolerates(instance, each)).toList();
  }

  /**
   * Returns whether taints keep an instance off a host: it does not tolerate one, or would have to
   * leave for one some time, or the host cannot be reached.
   */
  public static boolean repels(HostSpec host, ReferenceInstance instance) {
    return isUnreachable(host)
        || untolerated(instance, host).stream()
            .anyMatch(each -> each.effect() != Taint.Effect.PREFER_NOT)
        || host.taints().stream().anyMatch(each -> mustLeaveAt(instance, each, 0).isPresent());
  }

  /** Returns whether a host cannot be reached. */
  public static boolean isUnreachable(HostSpec host) {
    return host.taints().stream().anyMatch(each -> each.key().equals(Taint.UNREACHABLE));
  }

  /** Returns the number of taints that discourage a placement and are not tolerated. */
  static long discouraging(ReferenceInstance instance, HostSpec host) {
    return untolerated(instance, host).stream()
        .filter(each -> each.effect() == Taint.Effect.PREFER_NOT)
        .count();
  }

  /**
   * Returns when an instance must leave a host because of its taints.
   *
   * @param since when the host got a taint
   */
  static OptionalLong mustLeaveAt(ReferenceInstance instance, Taint taint, long since) {
    if (taint.effect() != Taint.Effect.LEAVE) {
      return OptionalLong.empty();
    }
    if (!tolerates(instance, taint)) {
      return after(since, taint.grace().toNanos());
    }
    return instance.request().placement().tolerations().stream()
        .filter(each -> each.matches(taint))
        .flatMap(each -> each.atMost().stream())
        .mapToLong(each -> each.toNanos())
        .min()
        .stream()
        .flatMap(each -> after(since, each).stream())
        .findFirst();
  }

  private static OptionalLong after(long since, long length) {
    return OptionalLong.of(since > Long.MAX_VALUE - length ? Long.MAX_VALUE : since + length);
  }

  // ---- Rules

  /**
   * Returns what refuses a host first to an instance once some instances have left, as if it had
   * itself left its place; empty if nothing does.
   *
   * @param gone instances that are on hosts, but do not count
   */
  public Optional<Refusal> refusal(
      ReferenceInstance instance, HostSpec host, List<ReferenceInstance> gone) {
    return refusals(instance, host, gone).stream().findFirst();
  }

  /** Returns all that refuses it. */
  List<Refusal> refusals(ReferenceInstance instance, HostSpec host, List<ReferenceInstance> gone) {
    List<Refusal> refusals = new ArrayList<>();
    if (repels(host, instance)) {
      refusals.add(Refusal.TAINT);
    }
    List<PlacementRule> rules = instance.request().placement().rules();
    List<ReferenceInstance> others = rules.isEmpty() ? List.of() : others(instance, gone);
    for (PlacementRule each : rules) {
      Optional<String> place = place(each.domain(), host);
      if (each instanceof PlacementRule.Apart) {
        if (count(each.peers(), each.domain(), place, others) > 0) {
          refusals.add(Refusal.APART);
        }
      } else if (place.isEmpty()) {
        refusals.add(Refusal.NO_PLACE);
      } else if (each instanceof PlacementRule.Near near
          && !isNear(near, place.get(), instance, others)) {
        refusals.add(Refusal.NEAR);
      } else if (each instanceof PlacementRule.Spread spread
          && !isEven(spread, place.get(), instance, others)) {
        refusals.add(Refusal.SPREAD);
      }
    }
    if (cluster.instances().stream()
        .filter(each -> !each.request().placement().rules().isEmpty())
        .filter(each -> isOther(each, instance, gone))
        .anyMatch(each -> keepsAway(each, instance, host))) {
      refusals.add(Refusal.KEPT_AWAY);
    }
    return refusals;
  }

  /** Returns whether an instance may be placed only because it is the first of its peers. */
  boolean isFirst(ReferenceInstance instance) {
    List<ReferenceInstance> others = others(instance, List.of());
    return instance.request().placement().rules().stream()
        .anyMatch(
            each ->
                each instanceof PlacementRule.Near
                    && others.stream().noneMatch(it -> isOneOf(each.peers(), it)));
  }

  /** Returns whether a rule of an instance on a host keeps another one away from its place. */
  public static boolean hasRuleAbout(ReferenceInstance keeper, ReferenceInstance other) {
    return keeper.request().placement().rules().stream()
        .anyMatch(each -> each instanceof PlacementRule.Apart && isOneOf(each.peers(), other));
  }

  private boolean keepsAway(ReferenceInstance keeper, ReferenceInstance instance, HostSpec host) {
    for (PlacementRule each : keeper.request().placement().rules()) {
      Optional<String> place = place(each.domain(), home(keeper));
      if (each instanceof PlacementRule.Apart
          && isOneOf(each.peers(), instance)
          && place.isPresent()
          && place.equals(place(each.domain(), host))) {
        return true;
      }
    }
    return false;
  }

  private boolean isNear(
      PlacementRule.Near rule,
      String place,
      ReferenceInstance instance,
      List<ReferenceInstance> others) {
    boolean none = others.stream().noneMatch(each -> isOneOf(rule.peers(), each));
    return count(rule.peers(), rule.domain(), Optional.of(place), others) > 0
        || (none && isOneOf(rule.peers(), instance));
  }

  private boolean isEven(
      PlacementRule.Spread rule,
      String place,
      ReferenceInstance instance,
      List<ReferenceInstance> others) {
    long there = count(rule.peers(), rule.domain(), Optional.of(place), others);
    if (isOneOf(rule.peers(), instance)) {
      there++;
    }
    long fewest =
        cluster.hosts().stream()
            .filter(each -> constraintsHold(instance, each))
            .map(each -> place(rule.domain(), each))
            .filter(Optional::isPresent)
            .mapToLong(each -> count(rule.peers(), rule.domain(), each, others))
            .min()
            .orElse(there);
    return there - fewest <= rule.maxSkew();
  }

  private List<ReferenceInstance> others(ReferenceInstance instance, List<ReferenceInstance> gone) {
    return cluster.instances().stream().filter(each -> isOther(each, instance, gone)).toList();
  }

  private static boolean isOther(
      ReferenceInstance other, ReferenceInstance instance, List<ReferenceInstance> gone) {
    return other != instance && !gone.contains(other) && other.hostId().isPresent();
  }

  /** Returns how many peers are in a place; none if there is no place. */
  private long count(
      Peers peers, Domain domain, Optional<String> place, List<ReferenceInstance> others) {
    return others.stream()
        .filter(each -> isOneOf(peers, each))
        .filter(each -> place.isPresent() && place(domain, home(each)).equals(place))
        .count();
  }

  private HostSpec home(ReferenceInstance resident) {
    return cluster.host(resident.hostId().orElseThrow()).orElseThrow();
  }

  private static boolean isOneOf(Peers peers, ReferenceInstance instance) {
    if (peers instanceof Peers.OfJob ofJob) {
      return instance.request().job().equals(Optional.of(ofJob.job()));
    }
    Peers.Labelled labelled = (Peers.Labelled) peers;
    return labelled.value().equals(instance.request().labels().get(labelled.name()));
  }

  private static Optional<String> place(Domain domain, HostSpec host) {
    return domain.attribute().isPresent()
        ? Optional.ofNullable(host.attributes().get(domain.attribute().get()))
        : Optional.of(host.id());
  }

  // ---- Preferences

  /** Returns what a host is worth to an instance; the more, the better. */
  long worth(ReferenceInstance instance, HostSpec host) {
    List<Preference> preferences = instance.request().placement().preferences();
    if (preferences.isEmpty()) {
      return 0;
    }
    List<ReferenceInstance> others = others(instance, List.of());
    long worth = 0;
    for (Preference each : preferences) {
      if (each instanceof Preference.OnHost wish) {
        worth += holds(wish.constraint(), host.attributes()) ? wish.weight() : 0;
      } else if (each instanceof Preference.Near wish) {
        long peers = count(wish.peers(), wish.domain(), place(wish.domain(), host), others);
        worth += peers > 0 ? wish.weight() : 0;
      } else if (each instanceof Preference.Apart wish) {
        worth -= wish.weight() * peersToAvoid(wish, host, others);
      }
    }
    return worth;
  }

  private long peersToAvoid(Preference.Apart wish, HostSpec host, List<ReferenceInstance> others) {
    Optional<String> place = place(wish.domain(), host);
    if (place.isPresent()) {
      return count(wish.peers(), wish.domain(), place, others);
    }
    return cluster.hosts().stream()
        .mapToLong(each -> count(wish.peers(), wish.domain(), place(wish.domain(), each), others))
        .max()
        .orElse(0);
  }

  // ---- Constraints, and anti-affinity

  /** Returns whether all placement constraints of an instance hold on a host. */
  public static boolean constraintsHold(ReferenceInstance instance, HostSpec host) {
    return instance.request().constraints().stream()
        .allMatch(each -> holds(each, host.attributes()));
  }

  static boolean holds(Constraint constraint, Map<String, String> attributes) {
    Optional<String> value = Optional.ofNullable(attributes.get(constraint.attribute()));
    if (constraint instanceof Constraint.Equal equal) {
      return value.equals(Optional.of(equal.value()));
    } else if (constraint instanceof Constraint.NotEqual notEqual) {
      return !value.equals(Optional.of(notEqual.value()));
    } else if (constraint instanceof Constraint.LessThan lessThan) {
      OptionalLong number = wholeNumber(value);
      return number.isPresent() && number.getAsLong() < lessThan.bound();
    } else if (constraint instanceof Constraint.GreaterThan greaterThan) {
      OptionalLong number = wholeNumber(value);
      return number.isPresent() && number.getAsLong() > greaterThan.bound();
    } else if (constraint instanceof Constraint.In in) {
      return value.isPresent() && in.values().contains(value.get());
    } else if (constraint instanceof Constraint.Exists) {
      return value.isPresent();
    }
    throw new IllegalArgumentException("unknown constraint: " + constraint.describe());
  }

  private static OptionalLong wholeNumber(Optional<String> text) {
    Optional<String> digits = text.filter(each -> each.matches("-?[0-9]{1,19}"));
    try {
      return digits.isEmpty()
          ? OptionalLong.empty()
          : OptionalLong.of(Long.parseLong(digits.get()));
    } catch (NumberFormatException tooLarge) {
      return OptionalLong.empty();
    }
  }

  /**
   * Returns whether two instances may share a host: not if they are of one job and one of them has
   * anti-affinity, or the rule that says the same.
   */
  public static boolean mayShare(ReferenceInstance one, ReferenceInstance other) {
    boolean sameJob =
        one.request().job().isPresent() && one.request().job().equals(other.request().job());
    return !sameJob || !(hasAntiAffinity(one.request()) || hasAntiAffinity(other.request()));
  }

  private static boolean hasAntiAffinity(Request request) {
    return request.antiAffinity()
        || request.job().stream()
            .map(job -> new PlacementRule.Apart(Peers.ofJob(job), Domain.HOST))
            .anyMatch(request.placement().rules()::contains);
  }
}
