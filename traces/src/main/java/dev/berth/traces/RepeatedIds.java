package dev.berth.traces;

import dev.berth.core.decision.SeededTieBreaker;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds ids that occur twice among any number of them, in two readings: the first keeps eight bytes
 * of each, and only ids that look alike in those are kept as a whole in the second.
 */
final class RepeatedIds {

  private long[] fingerprints = new long[1024];
  private int size;

  /** First reading. */
  void add(String id) {
    if (size == fingerprints.length) {
      fingerprints = Arrays.copyOf(fingerprints, 2 * size);
    }
    fingerprints[size++] = fingerprint(id);
  }

  /** Ends the first reading: returns what to look at in a second one, possibly nothing. */
  Suspects suspects() {
    Arrays.sort(fingerprints, 0, size);
    Set<Long> twice = new HashSet<>();
    for (int i = 1; i < size; i++) {
      if (fingerprints[i] == fingerprints[i - 1]) {
        twice.add(fingerprints[i]);
      }
    }
    return new Suspects(twice);
  }

  private static long fingerprint(String id) {
    return SeededTieBreaker.hash(0, id);
  }

  /** Ids that may occur twice. */
  static final class Suspects {

    private final Set<Long> fingerprints;

    private Suspects(Set<Long> fingerprints) {
      this.fingerprints = fingerprints;
    }

    boolean isEmpty() {
      return fingerprints.isEmpty();
    }

    /** Starts a second reading. */
    Seen seen() {
      return new Seen();
    }

    /** What a second reading has met. */
    final class Seen {

      private final Map<String, Place> places = new HashMap<>();

      private Seen() {}

      /**
       * Second reading.
       *
       * @throws InputException if the id stood on an earlier line
       */
      void check(String id, Place place) {
        if (fingerprints.isEmpty() || !fingerprints.contains(fingerprint(id))) {
          return;
        }
        Place earlier = places.putIfAbsent(id, place);
        if (earlier != null) {
          throw repeated(id, place, earlier);
        }
      }
    }
  }

  /** An id that is that of an earlier line too. */
  static InputException repeated(String id, Place place, Place earlier) {
    return new Field(place, "id", id)
        .wrong(
            "must be unique, is that of line %s%s too"
                .formatted(
                    earlier.line(),
                    earlier.file().equals(place.file()) ? "" : " of " + earlier.file()));
  }
}
