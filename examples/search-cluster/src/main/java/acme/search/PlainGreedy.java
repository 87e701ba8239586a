package acme.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plain way to allocate copies, to compare with: for each copy it looks at all hosts, and takes
 * the one with the greatest free share of those that the rules admit. It keeps no state between two
 * allocations, follows no events and explains nothing.
 */
final class PlainGreedy {

  private static final class Candidate {
    final DataHost host;
    final Mark mark;
    final Set<String> shards = new HashSet<>(); // those with a copy there
    long free;

    Candidate(DataHost host, Mark mark) {
      this.host = host;
      this.mark = mark;
      this.free = host.gigabytes();
    }
  }

  private final List<Candidate> candidates = new ArrayList<>();
  private final Set<String> zones = new HashSet<>();
  private final Map<String, String> allocation = new HashMap<>();

  /** Adds a host without copies. */
  void add(DataHost host, Mark mark) {
    candidates.add(new Candidate(host, mark));
    zones.add(host.zone());
  }

  /** Allocates all copies of a shard. */
  void allocate(Shard shard) {
    Map<String, Integer> copiesByZone = new HashMap<>();
    zones.forEach(zone -> copiesByZone.put(zone, 0));
    for (int i = 0; i < Shard.COPIES; i++) {
      Candidate best = best(shard, copiesByZone);
      if (best != null) {
        best.free -= shard.gigabytes();
        best.shards.add(shard.name());
        copiesByZone.merge(best.host.zone(), 1, Integer::sum);
        allocation.put(shard.copy(i), best.host.name());
      }
    }
  }

  private Candidate best(Shard shard, Map<String, Integer> copiesByZone) {
    int fewest = Integer.MAX_VALUE;
    for (int copies : copiesByZone.values()) {
      fewest = Math.min(fewest, copies);
    }
    Candidate best = null;
    for (Candidate each : candidates) {
      if (each.mark.compareTo(Mark.LOW) < 0
          && each.free >= shard.gigabytes()
          && copiesByZone.get(each.host.zone()) == fewest // the skew is 1 at most
          && !each.shards.contains(shard.name())
          && (best == null || isBetter(each, best, shard))) {
        best = each;
      }
    }
    return best;
  }

  private static boolean isBetter(Candidate one, Candidate other, Shard shard) {
    boolean filling = one.mark == Mark.FILLING;
    return filling == (other.mark == Mark.FILLING)
        ? score(one, shard) > score(other, shard)
        : !filling;
  }

  /** Returns the free share of the host with the copy, as {@code leastRequested} does. */
  private static double score(Candidate candidate, Shard shard) {
    return (double) (candidate.free - shard.gigabytes()) / candidate.host.gigabytes();
  }

  /** Returns the host of each copy that has one. */
  Map<String, String> allocation() {
    return allocation;
  }
}
