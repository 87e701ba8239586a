package dev.berth.experiments.study;

import java.util.ArrayList;
import java.util.List;

/**
 * A claim of a publication, checked against our figures.
 *
 * @param id unique within its study: small letters, digits and '-'
 * @param words the claim, without a full stop
 * @param published the published figure with its unit; empty if none was published
 * @param ours our figure with its unit; empty if it is undefined
 * @param verdict whether our figures support the claim
 * @param details where it holds and where not, and why; may be empty
 */
public record Claim(
    String id, String words, String published, String ours, Verdict verdict, List<String> details) {

  /** Whether our figures support a claim. */
  public enum Verdict {
    /** They do. */
    HOLDS("yes"),
    /** They do not. */
    FAILS("no"),
    /** A figure that decides is undefined. */
    UNDEFINED("undefined");

    private final String word;

    Verdict(String word) {
      this.word = word;
    }

    /** Returns {@code yes}, {@code no} or {@code undefined}. */
    public String word() {
      return word;
    }
  }

  /** Copies the details. */
  public Claim {
    details = List.copyOf(details);
  }

  /** Returns a claim without details whose figures are all defined. */
  public static Claim of(String id, String words, String published, String ours, boolean holds) {
    return new Claim(id, words, published, ours, holds ? Verdict.HOLDS : Verdict.FAILS, List.of());
  }

  /** Returns a claim that our figures leave undecided. */
  public static Claim undefined(String id, String words, String published) {
    return new Claim(id, words, published, "", Verdict.UNDEFINED, List.of());
  }

  /** Returns whether our figures support the claim. */
  public boolean holds() {
    return verdict == Verdict.HOLDS;
  }

  /** Returns the claim with more details. */
  public Claim with(List<String> more) {
    List<String> all = new ArrayList<>(details);
    all.addAll(more);
    return new Claim(id, words, published, ours, verdict, all);
  }
}
