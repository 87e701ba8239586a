package dev.berth.traces.internal.util;

import dev.berth.core.decision.SeededTieBreaker;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds duplicate ids in any number of them with two readings. The first reading stores a hash of
 * eight bytes for each id. The second stores only the ids whose hash occurred more than once.
 */
public final class DuplicateIds {

  private long[] hashes = new long[1024];
  private int size;

  /** Starts the first reading. */
  public DuplicateIds() {}

  /** Adds an id in the first reading. */
  public void add(String id) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * size);
    }
    hashes[size++] = hash(id);
  }

  /** Ends the first reading and returns the hashes that occurred more than once; mostly none. */
  public Set<Long> candidates() {
    Arrays.sort(hashes, 0, size);
    Set<Long> repeated = new HashSet<>();
    for (int i = 1; i < size; i++) {
      if (hashes[i] == hashes[i - 1]) {
        repeated.add(hashes[i]);
      }
    }
    return Set.copyOf(repeated);
  }

  private static long hash(String id) {
    return SeededTieBreaker.hash(0, id);
  }

  /**
   * The second reading.
   *
   * @param <L> the type of the location of an id
   */
  public static final class Finder<L> {

    private final Set<Long> hashes;
    private final Map<String, L> locations = new HashMap<>();

    /**
     * Starts a second reading.
     *
     * @param candidates what the first one returned
     */
    public Finder(Set<Long> candidates) {
      this.hashes = candidates;
    }

    /** Returns the location of an earlier equal id; empty if this is the first. */
    public Optional<L> earlier(String id, L location) {
      if (hashes.isEmpty() || !hashes.contains(hash(id))) {
        return Optional.empty();
      }
      return Optional.ofNullable(locations.putIfAbsent(id, location));
    }
  }
}
