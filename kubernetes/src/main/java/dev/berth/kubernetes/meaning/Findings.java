package dev.berth.kubernetes.meaning;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a translation refuses and what it leaves out: the first of each, so that an object
 * with a hundred thousand faults takes no more room than one with a few. Not thread-safe.
 */
final class Findings {

  private static final int MOST = 16;
  private static final int LONGEST_VALUE = 200;

  private final List<Refusal> refused = new ArrayList<>();
  private final List<Refusal> leftOut = new ArrayList<>();
  private int faults;

  /** Adds a reason to refuse. */
  void refuse(String path, @Nullable Object value, String rule, String hint) {
    faults++;
    add(refused, new Refusal(path, shortened(String.valueOf(value)), rule, hint));
  }

  /** Adds a reason to refuse, without a hint. */
  void refuse(String path, @Nullable Object value, String rule) {
    refuse(path, value, rule, "");
  }

  /** Adds a wish that is left out. */
  void leaveOut(String path, String value, String rule, String hint) {
    leaveOut(new Refusal(path, shortened(value), rule, hint));
  }

  /** Adds a wish that is left out. */
  void leaveOut(Refusal wish) {
    add(leftOut, wish);
  }

  private static void add(List<Refusal> to, Refusal found) {
    if (to.size() < MOST) {
      to.add(found);
    }
  }

  private static String shortened(String value) {
    return value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) + "…" : value;
  }

  /** Returns the number of reasons to refuse, also of those that are not kept. */
  int faults() {
    return faults;
  }

  List<Refusal> refused() {
    return List.copyOf(refused);
  }

  List<Refusal> leftOut() {
    return List.copyOf(leftOut);
  }
}
