package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;

/**
 * What a request says about its host beyond demand and {@linkplain Request#constraints placement
 * constraints}: tolerated taints, rules about other instances, preferences, and counted limits of
 * the cluster that it uses. Immutable.
 *
 * @param tolerations the taints that it tolerates
 * @param rules the rules that its placement must obey, all of them
 * @param preferences its wishes
 * @param limits what it uses of counted limits; no limit twice
 */
public record PlacementSpec(
    List<Toleration> tolerations,
    List<PlacementRule> rules,
    List<Preference> preferences,
    List<LimitUse> limits) {

  /** The maximum number of tolerations, of rules, of preferences and of limits. */
  public static final int MOST = 64;

  /** Says nothing. */
  public static final PlacementSpec NONE = new PlacementSpec(List.of(), List.of(), List.of());

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if a list has more than {@value #MOST} entries, or a limit is
   *     used twice
   */
  public PlacementSpec {
    tolerations = copy("tolerations", tolerations);
    rules = copy("rules", rules);
    preferences = copy("preferences", preferences);
    limits = copy("limits", limits);
    Set<String> seen = new HashSet<>();
    for (LimitUse each : limits) {
      refuseIf(!seen.add(each.limit()), "limit %s is used twice.", each.limit());
    }
  }

  /** Creates a specification that uses no limits. */
  public PlacementSpec(
      List<Toleration> tolerations, List<PlacementRule> rules, List<Preference> preferences) {
    this(tolerations, rules, preferences, List.of());
  }

  private static <T> List<T> copy(String what, List<T> list) {
    Objects.requireNonNull(list, what);
    refuseIf(list.size() > MOST, "there were %s %s, must be at most %s.", list.size(), what, MOST);
    for (T each : list) {
      Objects.requireNonNull(each, what);
    }
    return List.copyOf(list);
  }

  /** Returns a builder of a specification that says nothing yet. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns whether it says nothing. */
  public boolean isEmpty() {
    return tolerations.isEmpty() && rules.isEmpty() && preferences.isEmpty() && limits.isEmpty();
  }

  /** Returns all that it says in words; empty if it says nothing. */
  public String describe() {
    StringJoiner text = new StringJoiner(", ");
    tolerations.forEach(each -> text.add(each.describe()));
    rules.forEach(each -> text.add(each.describe()));
    preferences.forEach(each -> text.add(each.describe()));
    limits.forEach(each -> text.add(each.describe()));
    return text.toString();
  }

  /** Builds a specification; not thread-safe. */
  public static final class Builder {

    private final List<Toleration> tolerations = new ArrayList<>();
    private final List<PlacementRule> rules = new ArrayList<>();
    private final List<Preference> preferences = new ArrayList<>();
    private final List<LimitUse> limits = new ArrayList<>();

    private Builder() {}

    /** Adds a toleration. */
    public Builder tolerate(Toleration toleration) {
      tolerations.add(Objects.requireNonNull(toleration, "toleration"));
      return this;
    }

    /** Adds a rule. */
    public Builder rule(PlacementRule rule) {
      rules.add(Objects.requireNonNull(rule, "rule"));
      return this;
    }

    /** Adds a preference. */
    public Builder prefer(Preference preference) {
      preferences.add(Objects.requireNonNull(preference, "preference"));
      return this;
    }

    /**
     * Adds that each instance uses an amount of a limit.
     *
     * @throws IllegalArgumentException if the name is blank, or the amount is not from 1 to {@value
     *     LimitUse#MOST}
     */
    public Builder use(String limit, long amount) {
      limits.add(new LimitUse(limit, LimitUse.Kind.PER_INSTANCE, amount));
      return this;
    }

    /**
     * Adds that each host with such instances uses an amount of a limit.
     *
     * @throws IllegalArgumentException if the name is blank, or the amount is not from 1 to {@value
     *     LimitUse#MOST}
     */
    public Builder usePerHost(String limit, long amount) {
      limits.add(new LimitUse(limit, LimitUse.Kind.PER_HOST, amount));
      return this;
    }

    /** Adds the rule that the place holds a peer. */
    public Builder near(Peers peers, Domain domain) {
      return rule(new PlacementRule.Near(peers, domain));
    }

    /** Adds the rule that the place holds no peer. */
    public Builder apart(Peers peers, Domain domain) {
      return rule(new PlacementRule.Apart(peers, domain));
    }

    /** Adds the rule that peers are spread over the places of a domain. */
    public Builder spread(Peers peers, Domain domain, int maxSkew) {
      return rule(new PlacementRule.Spread(peers, domain, maxSkew));
    }

    /**
     * Returns the specification.
     *
     * @throws IllegalArgumentException if there are more than {@value PlacementSpec#MOST}
     *     tolerations, rules, preferences or limits, or a limit is used twice
     */
    public PlacementSpec build() {
      return new PlacementSpec(tolerations, rules, preferences, limits);
    }
  }
}
