package dev.berth.core.engine;

import dev.berth.api.Constraint;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts satisfy which list of constraints, for the lists that live requests carry; many
 * requests share few lists. Kept up to date as hosts come and go, so a pass looks up one bit.
 */
final class ConstraintIndex {

  private final Map<List<Constraint>, Entry> entries =
      new HashMap<>(); // order of iteration does not matter

  /** Returns the entry of a list for one more request, or null for the empty list. */
  @Nullable Entry acquire(List<Constraint> constraints, HostTable table) {
    if (constraints.isEmpty()) {
      return null;
    }
    Entry entry = entries.get(constraints);
    if (entry == null) {
      entry = new Entry(constraints);
      for (int slot = 0; slot < table.slots(); slot++) {
        HostRecord host = table.host(slot);
        if (host != null) {
          entry.evaluate(host);
        }
      }
      entries.put(constraints, entry);
    }
    entry.users++;
    return entry;
  }

  void release(@Nullable Entry entry) {
    if (entry != null && --entry.users == 0) {
      entries.remove(entry.constraints);
    }
  }

  void added(HostRecord host) {
    entries.values().forEach(entry -> entry.evaluate(host));
  }

  /** One list of constraints and the slots of the hosts where all of them hold. */
  static final class Entry {

    final List<Constraint> constraints;
    private final BitSet matching = new BitSet();
    private int users;

    private Entry(List<Constraint> constraints) {
      this.constraints = constraints;
    }

    boolean holdsOn(int slot) {
      return matching.get(slot);
    }

    private void evaluate(HostRecord host) {
      matching.set(
          host.slot, constraints.stream().allMatch(constraint -> constraint.holdsOn(host)));
    }
  }
}
