package dev.berth.kubernetes.meaning;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what a translation refuses and what it leaves out; not thread-safe. */
final class Findings {

  private final List<Refusal> refused = new ArrayList<>();
  private final List<Refusal> leftOut = new ArrayList<>();

  /** Adds a reason to refuse. */
  void refuse(String path, @Nullable Object value, String rule, String hint) {
    refused.add(new Refusal(path, String.valueOf(value), rule, hint));
  }

  /** Adds a reason to refuse, without a hint. */
  void refuse(String path, @Nullable Object value, String rule) {
    refuse(path, value, rule, "");
  }

  /** Adds a wish that is left out. */
  void leaveOut(String path, String value, String rule, String hint) {
    leaveOut(new Refusal(path, value, rule, hint));
  }

  /** Adds a wish that is left out. */
  void leaveOut(Refusal wish) {
    leftOut.add(wish);
  }

  List<Refusal> refused() {
    return List.copyOf(refused);
  }

  List<Refusal> leftOut() {
    return List.copyOf(leftOut);
  }
}
