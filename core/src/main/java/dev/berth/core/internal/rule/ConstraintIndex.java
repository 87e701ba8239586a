package dev.berth.core.internal.rule;

import dev.berth.api.Constraint;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that satisfy each list of constraints of live requests; many requests share few lists.
 * Follows hosts that join and leave, so a pass looks up one bit.
 */
public final class ConstraintIndex {

  private static final int RARE = 32;

  private final Map<List<Constraint>, Entry> entries =
      new HashMap<>(); // order of iteration does not matter

  /**
   * Returns the entry of a list for one more request, or null for the empty list.
   *
   * @param hosts those that are up
   */
  public @Nullable Entry acquire(
      List<Constraint> constraints, Collection<? extends RuledHost> hosts) {
    if (constraints.isEmpty()) {
      return null;
    }
    Entry entry = entries.get(constraints);
    if (entry == null) {
      entry = new Entry(constraints);
      for (RuledHost host : hosts) {
        entry.evaluate(host);
      }
      entries.put(constraints, entry);
    }
    entry.users++;
    return entry;
  }

  public void release(@Nullable Entry entry) {
    if (entry != null && --entry.users == 0) {
      entries.remove(entry.constraints);
    }
  }

  public void added(RuledHost host) {
    entries.values().forEach(entry -> entry.evaluate(host));
  }

  /** One list of constraints and the slots of the hosts where all of them hold. */
  public static final class Entry {

    public final List<Constraint> constraints;
    private final BitSet matching = new BitSet(); // slots of hosts that left may still be set
    private int matches;
    private int users;

    private Entry(List<Constraint> constraints) {
      this.constraints = constraints;
    }

    public boolean holdsOn(int slot) {
      return matching.get(slot);
    }

    /** Returns the first slot from a given one on of a host where all constraints hold, or -1. */
    public int nextSlot(int from) {
      return matching.nextSetBit(from);
    }

    /** Returns whether the constraints hold on so few hosts that evaluating each is fastest. */
    public boolean areRare(int hosts) {
      return matches <= hosts / RARE;
    }

    private void evaluate(RuledHost host) {
      boolean before = matching.get(host.slot()); // perhaps from the former host in this slot
      boolean holds = constraints.stream().allMatch(constraint -> constraint.holdsOn(host));
      matching.set(host.slot(), holds);
      matches += (holds ? 1 : 0) - (before ? 1 : 0);
    }
  }
}
