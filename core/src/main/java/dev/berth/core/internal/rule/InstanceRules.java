package dev.berth.core.internal.rule;

import dev.berth.api.PlacementRule;
import dev.berth.api.Preference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules and preferences of an instance, with the counts that they refer to. */
public final class InstanceRules {

  /**
   * A rule, or a preference about peers, and its counts.
   *
   * @param weight of the preference
   * @param maxSkew of a rule of the kind {@link PlacementRule.Spread}
   */
  record Term<T>(T what, PeerTable table, int weight, int maxSkew) {}

  final List<Term<PlacementRule.Near>> near;
  final List<Term<PlacementRule.Apart>> apart;
  final List<Term<PlacementRule.Spread>> spread;
  final List<Term<Preference.Near>> wishesNear;
  final List<Term<Preference.Apart>> wishesApart;
  final List<Preference.OnHost> wishesOnHost;
  private final List<PeerTable> tables;
  private final List<PeerTable> valuedByHost;

  InstanceRules(
      List<Term<PlacementRule.Near>> near,
      List<Term<PlacementRule.Apart>> apart,
      List<Term<PlacementRule.Spread>> spread,
      List<Term<Preference.Near>> wishesNear,
      List<Term<Preference.Apart>> wishesApart,
      List<Preference.OnHost> wishesOnHost,
      List<PeerTable> tables) {
    this.near = List.copyOf(near);
    this.apart = List.copyOf(apart);
    this.spread = List.copyOf(spread);
    this.wishesNear = List.copyOf(wishesNear);
    this.wishesApart = List.copyOf(wishesApart);
    this.wishesOnHost = List.copyOf(wishesOnHost);
    this.tables = List.copyOf(tables);
    List<PeerTable> byHost = new ArrayList<>(0);
    wishesNear.forEach(each -> addIfByHost(each.table(), byHost));
    wishesApart.forEach(each -> addIfByHost(each.table(), byHost));
    this.valuedByHost = List.copyOf(byHost);
  }

  private static void addIfByHost(PeerTable table, List<PeerTable> byHost) {
    if (table.isByHost()) {
      byHost.add(table);
    }
  }

  /** Returns whether rules may refuse a host. */
  public boolean restrict() {
    return !near.isEmpty() || !apart.isEmpty() || !spread.isEmpty();
  }

  /** Returns whether a victim that leaves may break a rule: one to be near a peer. */
  public boolean dependOnVictims() {
    return !near.isEmpty();
  }

  /** Returns all counts that the rules and preferences refer to, once for each reference. */
  List<PeerTable> tables() {
    return tables;
  }

  /** Returns the counts by host on which preferences depend. */
  public List<PeerTable> valuedByHost() {
    return valuedByHost;
  }

  /** Returns the hosts that alone may obey the rules, or null if these cannot be listed. */
  public @Nullable Iterable<?> onlyHosts() {
    for (Term<PlacementRule.Near> each : near) {
      if (each.table().isByHost() && each.table().onHosts() > 0) {
        return each.table().occupied();
      }
    }
    return null;
  }
}
