package dev.berth.core.internal.rule;

import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.core.internal.digest.TrackedRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job with live instances. Counts its instances on each host, and those that refuse to share the
 * host.
 */
public final class JobRecord extends PeerGroup {

  public final String name;

  int members; // that are not done
  private @Nullable TrackedRecord budget;

  int refusals; // by instances on hosts
  private final Map<RuledHost, Presence> presences = new HashMap<>(); // in no order that matters

  public JobRecord(String name) {
    this.name = name;
  }

  /** Returns how many instances of the job are not done. */
  public int members() {
    return members;
  }

  /** Returns the record of the disruption budget; null: none, so that nothing is counted. */
  public @Nullable TrackedRecord budget() {
    return budget;
  }

  /** Sets the record of the disruption budget, or null. */
  public void protectedBy(@Nullable TrackedRecord itsBudget) {
    budget = itsBudget;
  }

  /** Returns whether a rule is the anti-affinity of this job. */
  boolean isKeptApartBy(PlacementRule rule) {
    return rule instanceof PlacementRule.Apart
        && rule.domain().attribute().isEmpty()
        && rule.peers() instanceof Peers.OfJob of
        && of.job().equals(name);
  }

  /** Returns the hosts of the instances, in no order. */
  public Set<RuledHost> hosts() {
    return presences.keySet();
  }

  /** Returns whether one of the instances on hosts refuses to share its host. */
  public boolean keepsApart() {
    return refusals > 0;
  }

  /** Returns whether the siblings on a host allow another instance of this job there. */
  public boolean admits(RuledHost host, boolean antiAffinity) {
    if (!antiAffinity && refusals == 0) {
      return true;
    }
    Presence there = presences.get(host);
    return there == null || !(antiAffinity || there.refusals > 0);
  }

  public void arrived(RuledHost host, boolean antiAffinity) {
    arrived(host);
    Presence there = presences.computeIfAbsent(host, h -> new Presence());
    there.instances++;
    there.refusals += antiAffinity ? 1 : 0;
    refusals += antiAffinity ? 1 : 0;
  }

  public void left(RuledHost host, boolean antiAffinity) {
    left(host);
    refusals -= antiAffinity ? 1 : 0;
    Presence there = presences.get(host);
    if (there == null) {
      throw new IllegalStateException("job " + name + " is not on " + host);
    }
    there.instances--;
    there.refusals -= antiAffinity ? 1 : 0;
    if (there.instances == 0) {
      presences.remove(host);
    }
  }

  @Override
  void countIn(PeerTable table) {
    presences.forEach((host, there) -> table.addPeers(host, there.instances));
  }

  private static final class Presence {
    int instances;
    int refusals; // by instances there; only one, unless an action was undone
  }
}
