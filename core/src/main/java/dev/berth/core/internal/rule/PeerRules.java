package dev.berth.core.internal.rule;

import dev.berth.api.PlacementRule;
import dev.berth.api.Preference;
import dev.berth.api.Reason;
import dev.berth.core.internal.rule.InstanceRules.Term;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether rules about other instances allow a placement, and what a host is worth by the
 * preferences of an instance. The anti-affinity of jobs is decided by {@code PlacementRules}.
 *
 * <p>Rules are checked as of the moment at which the victims have left their host, and the instance
 * itself, if it migrates, the place where it is.
 */
public final class PeerRules {

  /** More than preferences can be worth together. */
  private static final long TAINT = 1L << 40;

  private static final RuledInstance[] NO_VICTIMS = {};

  private final PeerIndex index;

  public PeerRules(PeerIndex index) {
    this.index = index;
  }

  /** Returns whether rules of the instance or of others, or preferences, may matter for it. */
  public boolean concern(RuledInstance instance) {
    return instance.rules != null || index.discourage() || mayBeKeptAway(instance);
  }

  /** Returns whether rules of the instance or of others may refuse a host. */
  public static boolean mayRefuse(RuledInstance instance) {
    return (instance.rules != null && instance.rules.restrict()) || mayBeKeptAway(instance);
  }

  /** Returns whether another instance keeps this one away from some place. */
  public static boolean mayBeKeptAway(RuledInstance instance) {
    if (instance.job != null && hasKeepers(instance.job)) {
      return true;
    }
    LabelRecord[] labels = instance.labels;
    if (labels != null) {
      for (LabelRecord each : labels) {
        if (hasKeepers(each)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean hasKeepers(PeerGroup group) {
    List<PeerTable> tables = group.tables;
    for (int i = 0; i < tables.size(); i++) {
      if (tables.get(i).hasKeepers()) {
        return true;
      }
    }
    return false;
  }

  // ---- Rules, for a pending instance without victims

  /** Returns whether rules refuse a host to a pending instance if no victim leaves. */
  public boolean refuse(RuledInstance instance, RuledHost host) {
    return refuseByAttributes(instance, host) || refuseByHost(instance, host);
  }

  /** Returns whether rules about places that are attribute values refuse a host. */
  public boolean refuseByAttributes(RuledInstance instance, RuledHost host) {
    return refuse(instance, host, false);
  }

  /** Returns whether rules about places that are hosts refuse a host. */
  public boolean refuseByHost(RuledInstance instance, RuledHost host) {
    return refuse(instance, host, true);
  }

  private boolean refuse(RuledInstance instance, RuledHost host, boolean byHost) {
    InstanceRules rules = instance.rules;
    if (rules != null) {
      for (int i = 0; i < rules.near.size(); i++) {
        PeerTable table = rules.near.get(i).table();
        if (table.isByHost() == byHost) {
          Object place = table.placeOf(host);
          boolean isFirst =
              place != null && table.onHosts() == 0 && table.peers.include(instance.request);
          if (table.peersIn(place) == 0 && !isFirst) {
            return true;
          }
        }
      }
      for (int i = 0; i < rules.apart.size(); i++) {
        PeerTable table = rules.apart.get(i).table();
        if (table.isByHost() == byHost && table.peersIn(table.placeOf(host)) > 0) {
          return true;
        }
      }
      for (int i = 0; i < rules.spread.size(); i++) {
        Term<PlacementRule.Spread> each = rules.spread.get(i);
        PeerTable table = each.table();
        if (table.isByHost() == byHost) {
          Object place = table.placeOf(host);
          if (place == null
              || table.peersIn(place)
                      + own(table, instance)
                      - table.fewestPeers(instance.constraints)
                  > each.maxSkew()) {
            return true;
          }
        }
      }
    }
    return keptAway(instance, host, byHost);
  }

  private static boolean keptAway(RuledInstance instance, RuledHost host, boolean byHost) {
    if (instance.job != null && keepsAway(instance.job, host, byHost)) {
      return true;
    }
    LabelRecord[] labels = instance.labels;
    if (labels != null) {
      for (LabelRecord each : labels) {
        if (keepsAway(each, host, byHost)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean keepsAway(PeerGroup group, RuledHost host, boolean byHost) {
    List<PeerTable> tables = group.tables;
    for (int i = 0; i < tables.size(); i++) {
      PeerTable table = tables.get(i);
      if (table.isByHost() == byHost
          && table.hasKeepers()
          && table.keepersIn(table.placeOf(host)) > 0) {
        return true;
      }
    }
    return false;
  }

  private static long own(PeerTable table, RuledInstance instance) {
    return table.peers.include(instance.request) ? 1 : 0;
  }

  // ---- Rules, in general

  /** Returns why rules refuse a host to an instance if no victim leaves, or null. */
  public @Nullable Reason obstacle(RuledInstance instance, RuledHost host) {
    return obstacle(instance, host, NO_VICTIMS, 0);
  }

  /**
   * Returns why rules refuse a host to an instance once some victims have left it, or null.
   *
   * @param count the number of victims; the first entries of the array
   */
  public @Nullable Reason obstacle(
      RuledInstance instance, RuledHost host, RuledInstance[] victims, int count) {
    if (!mayRefuse(instance)) {
      return null;
    }
    Counts counts = new Counts(instance, victims, count);
    Reason lonely = lonely(instance, host, counts);
    return lonely == null ? crowded(instance, host, counts) : lonely;
  }

  /** Returns why an instance would be near no peer on a host, as far as it must be, or null. */
  private static @Nullable Reason lonely(RuledInstance instance, RuledHost host, Counts counts) {
    if (instance.rules != null) {
      for (Term<PlacementRule.Near> each : instance.rules.near) {
        PeerTable table = each.table();
        Object place = table.placeOf(host);
        boolean isFirst = place != null && counts.onHosts(table) == 0 && counts.own(table) > 0;
        if (counts.peers(table, place) == 0 && !isFirst) {
          return new Reason.NotNear(each.what(), name(place));
        }
      }
    }
    return null;
  }

  /** Returns which instances must leave before one may come to a host, in words, or null. */
  private static @Nullable Reason crowded(RuledInstance instance, RuledHost host, Counts counts) {
    InstanceRules rules = instance.rules;
    if (rules != null) {
      for (Term<PlacementRule.Apart> each : rules.apart) {
        Object place = each.table().placeOf(host);
        long peers = counts.peers(each.table(), place);
        if (peers > 0 && place != null) {
          return new Reason.KeptApart(each.what(), PeerTable.nameOf(place), peers, false);
        }
      }
      for (Term<PlacementRule.Spread> each : rules.spread) {
        Reason uneven = uneven(each, instance, host, counts);
        if (uneven != null) {
          return uneven;
        }
      }
    }
    if (instance.job != null) {
      Reason keptAway = keeper(instance.job, host, counts);
      if (keptAway != null) {
        return keptAway;
      }
    }
    if (instance.labels != null) {
      for (LabelRecord each : instance.labels) {
        Reason keptAway = keeper(each, host, counts);
        if (keptAway != null) {
          return keptAway;
        }
      }
    }
    return null;
  }

  private static @Nullable Reason uneven(
      Term<PlacementRule.Spread> term, RuledInstance instance, RuledHost host, Counts counts) {
    PeerTable table = term.table();
    Object place = table.placeOf(host);
    long fewest = Long.MAX_VALUE;
    Object emptiest = null;
    for (Object each : table.placesFor(instance.constraints)) {
      long peers = counts.peers(table, each);
      if (peers < fewest) {
        fewest = peers;
        emptiest = each;
      }
    }
    if (emptiest == null || place == null) {
      return new Reason.Uneven(term.what(), Optional.empty(), 0, 0, "");
    }
    long there = counts.peers(table, place) + counts.own(table);
    return there - fewest <= term.maxSkew()
        ? null
        : new Reason.Uneven(term.what(), name(place), there, fewest, PeerTable.nameOf(emptiest));
  }

  private static @Nullable Reason keeper(PeerGroup group, RuledHost host, Counts counts) {
    for (PeerTable table : group.tables) {
      Object place = table.placeOf(host);
      long keepers = place == null ? 0 : counts.keepers(table, place);
      if (keepers > 0 && place != null) {
        return new Reason.KeptApart(
            new PlacementRule.Apart(table.peers, table.domain),
            PeerTable.nameOf(place),
            keepers,
            true);
      }
    }
    return null;
  }

  private static Optional<String> name(@Nullable Object place) {
    return Optional.ofNullable(place).map(PeerTable::nameOf);
  }

  /** Returns whether a rule requires a peer near a host that has none. No victim helps. */
  public boolean leavesLonely(RuledInstance instance, RuledHost host) {
    return instance.rules != null
        && lonely(instance, host, new Counts(instance, NO_VICTIMS, 0)) != null;
  }

  /**
   * Returns whether other rules refuse a host to an instance once some victims have left it. The
   * more of them leave, the less is refused.
   *
   * @param count the number of victims; the first entries of the array
   */
  public boolean isCrowded(
      RuledInstance instance, RuledHost host, RuledInstance[] victims, int count) {
    return crowded(instance, host, new Counts(instance, victims, count)) != null;
  }

  /** The counts without the victims and without the instance itself. */
  private static final class Counts {

    private final RuledInstance instance;
    private final RuledInstance[] victims;
    private final int count;

    Counts(RuledInstance instance, RuledInstance[] victims, int count) {
      this.instance = instance;
      this.victims = victims;
      this.count = count;
    }

    long own(PeerTable table) {
      return table.peers.include(instance.request) ? 1 : 0;
    }

    long onHosts(PeerTable table) {
      long others = table.onHosts();
      for (int i = 0; i < count; i++) {
        others -= table.peers.include(victims[i].request) ? 1 : 0;
      }
      return others - (instance.place() == null ? 0 : own(table));
    }

    long peers(PeerTable table, @Nullable Object place) {
      if (place == null) {
        return 0;
      }
      long there = table.peersIn(place);
      for (int i = 0; i < count; i++) {
        there -= table.peers.include(victims[i].request) && isAt(victims[i], table, place) ? 1 : 0;
      }
      return there - (isAt(instance, table, place) ? own(table) : 0);
    }

    long keepers(PeerTable table, Object place) {
      long there = table.keepersIn(place);
      for (int i = 0; i < count; i++) {
        there -= isAt(victims[i], table, place) ? keeps(victims[i], table) : 0;
      }
      return there - (isAt(instance, table, place) ? keeps(instance, table) : 0);
    }

    private static boolean isAt(RuledInstance instance, PeerTable table, Object place) {
      RuledHost host = instance.place();
      return host != null && place.equals(table.placeOf(host));
    }

    private static long keeps(RuledInstance instance, PeerTable table) {
      long rules = 0;
      if (instance.rules != null) {
        for (Term<PlacementRule.Apart> each : instance.rules.apart) {
          rules += each.table() == table ? 1 : 0;
        }
      }
      return rules;
    }
  }

  /** Returns whether an instance that comes to a host may make rules refuse a host to another. */
  public static boolean mayHinder(RuledInstance coming, RuledInstance other) {
    return (coming.rules != null && mention(coming.rules.apart, other))
        || (other.rules != null
            && (mention(other.rules.apart, coming)
                || mention(other.rules.spread, coming)
                || other.rules.near.stream()
                    .map(Term::table)
                    .anyMatch(it -> it.onHosts() == 0 && it.peers.include(coming.request))));
  }

  private static <T> boolean mention(List<Term<T>> rules, RuledInstance instance) {
    return rules.stream().anyMatch(each -> each.table().peers.include(instance.request));
  }

  // ---- Preferences

  /** Returns what a host is worth for a pending instance; more is better. */
  public long worth(RuledInstance instance, RuledHost host) {
    return worthByAttributes(instance, host) + worthByHost(instance, host);
  }

  /** Returns the part of the worth that hosts with equal attributes and taints share. */
  public long worthByAttributes(RuledInstance instance, RuledHost host) {
    long worth = -TAINT * host.untoleratedSoft(instance.request);
    InstanceRules rules = instance.rules;
    if (rules != null) {
      for (int i = 0; i < rules.wishesOnHost.size(); i++) {
        Preference.OnHost each = rules.wishesOnHost.get(i);
        worth += each.constraint().holdsOn(host) ? each.weight() : 0;
      }
      worth += worthOfPeers(rules, host, false);
    }
    return worth;
  }

  /** Returns the part of the worth that depends on the instances on the host itself. */
  public long worthByHost(RuledInstance instance, RuledHost host) {
    return instance.rules == null ? 0 : worthOfPeers(instance.rules, host, true);
  }

  private static long worthOfPeers(InstanceRules rules, RuledHost host, boolean byHost) {
    long worth = 0;
    for (int i = 0; i < rules.wishesNear.size(); i++) {
      PeerTable table = rules.wishesNear.get(i).table();
      if (table.isByHost() == byHost && table.peersIn(table.placeOf(host)) > 0) {
        worth += rules.wishesNear.get(i).weight();
      }
    }
    for (int i = 0; i < rules.wishesApart.size(); i++) {
      PeerTable table = rules.wishesApart.get(i).table();
      if (table.isByHost() == byHost) {
        Object place = table.placeOf(host);
        long peers = place == null ? table.mostPeers() : table.peersIn(place);
        worth -= rules.wishesApart.get(i).weight() * peers;
      }
    }
    return worth;
  }

  /** Returns whether preferences value a host for the instances that are on it. */
  public static boolean isValuedForItself(RuledInstance instance, RuledHost host) {
    InstanceRules rules = instance.rules;
    if (rules == null) {
      return false;
    }
    for (int i = 0; i < rules.wishesNear.size(); i++) {
      PeerTable table = rules.wishesNear.get(i).table();
      if (table.isByHost() && table.peersIn(host) > 0) {
        return true;
      }
    }
    for (int i = 0; i < rules.wishesApart.size(); i++) {
      PeerTable table = rules.wishesApart.get(i).table();
      if (table.isByHost() && table.peersIn(host) > 0) {
        return true;
      }
    }
    return false;
  }
}
