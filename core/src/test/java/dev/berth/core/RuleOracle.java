package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.Request;
import dev.berth.api.plan.Action;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Follows plans, and checks by counting all instances that each placement obeys the rules. */
final class RuleOracle {

  private record Placed(Request request, String host) {}

  private final Map<String, HostSpec> hosts = new LinkedHashMap<>();
  private final Map<String, Placed> placed = new LinkedHashMap<>();
  private final Map<String, Integer> obeyed = new TreeMap<>();
  private int placements;

  /** How often rules were checked, in all. */
  static final class Counts {
    private final Map<String, Integer> obeyed = new TreeMap<>();
    private int placements;

    void add(RuleOracle oracle) {
      oracle.obeyed.forEach((rule, count) -> obeyed.merge(rule, count, Integer::sum));
      placements += oracle.placements;
    }

    int placements() {
      return placements;
    }

    void requireEnough() {
      assertThat(obeyed.keySet())
          .as("%s of %s placements", obeyed, placements)
          .contains("Near zone", "Near host", "Apart zone", "Apart host", "Spread zone")
          .contains("Spread host", "kept away");
      assertThat(obeyed.values())
          .as("%s of %s placements", obeyed, placements)
          .allMatch(count -> count >= 3);
    }
  }

  void joined(HostSpec host) {
    hosts.put(host.id(), host);
  }

  void changed(HostSpec host) {
    hosts.put(host.id(), host);
  }

  void left(String host) {
    hosts.remove(host);
    placed.values().removeIf(each -> each.host.equals(host));
  }

  void ended(String instance) {
    placed.remove(instance);
  }

  /** Checks a placement as of the moment at which its victims have left. */
  void placed(Action.Place place, Request request) {
    place.victims().forEach(placed::remove);
    HostSpec host = hosts.get(place.host());
    for (PlacementRule each : request.placement().rules()) {
      check(each, request, host);
    }
    for (Placed other : placed.values()) {
      for (PlacementRule each : other.request.placement().rules()) {
        if (each instanceof PlacementRule.Apart && each.peers().include(request)) {
          Optional<String> where = place(each.domain(), host);
          assertThat(where.isPresent() && where.equals(place(each.domain(), hosts.get(other.host))))
              .as("%s on %s with %s of %s", request, host, each, other)
              .isFalse();
          obeyed.merge("kept away", 1, Integer::sum);
        }
      }
    }
    placements++;
    placed.put(request.id(), new Placed(request, place.host()));
  }

  private void check(PlacementRule rule, Request request, HostSpec host) {
    Optional<String> where = place(rule.domain(), host);
    long there = where.isEmpty() ? 0 : peers(rule.peers(), rule.domain(), where.get());
    boolean self = rule.peers().include(request);
    boolean holds;
    if (rule instanceof PlacementRule.Near) {
      boolean none = placed.values().stream().noneMatch(it -> rule.peers().include(it.request));
      holds = there > 0 || (none && self && where.isPresent());
    } else if (rule instanceof PlacementRule.Spread spread) {
      long fewest =
          hosts.values().stream()
              .filter(each -> request.constraints().stream().allMatch(it -> holds(it, each)))
              .flatMap(each -> place(rule.domain(), each).stream())
              .distinct()
              .mapToLong(each -> peers(rule.peers(), rule.domain(), each))
              .min()
              .orElse(0);
      holds = where.isPresent() && there + (self ? 1 : 0) - fewest <= spread.maxSkew();
    } else {
      holds = there == 0;
    }
    assertThat(holds).as("%s of %s on %s among %s", rule, request, host, placed).isTrue();
    obeyed.merge(rule.getClass().getSimpleName() + " " + rule.domain(), 1, Integer::sum);
  }

  private static boolean holds(Constraint constraint, HostSpec host) {
    return constraint.holdsWith(host.attributes());
  }

  private long peers(Peers peers, Domain domain, String place) {
    return placed.values().stream()
        .filter(each -> peers.include(each.request))
        .filter(each -> place(domain, hosts.get(each.host)).equals(Optional.of(place)))
        .count();
  }

  private static Optional<String> place(Domain domain, HostSpec host) {
    return domain.attribute().isEmpty()
        ? Optional.of(host.id())
        : Optional.ofNullable(host.attributes().get(domain.attribute().get()));
  }
}
