package dev.berth.core.error;

import com.google.common.base.Ascii;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Finds the name that a user most likely meant by one that does not exist. */
public final class NearestName {

  private static final int TYPOS = 2; // of a short name
  private static final int LETTERS_PER_TYPO = 3; // of a long one

  private static final List<UnaryOperator<String>> FORMS =
      List.of(UnaryOperator.identity(), name -> name.substring(name.indexOf('.') + 1));

  private NearestName() {}

  /**
   * Returns the known name that differs from a given one in the fewest letters; the first of
   * several. Case does not matter. Of a name with a dot, the part after it may be given alone:
   * {@code "fair-share"} for {@code "acme.fair-share"}.
   *
   * @param known names to choose from, in the order of preference
   * @return empty if all of them differ in more than two letters, and in more than a third of the
   *     letters
   */
  public static Optional<String> of(String given, Collection<String> known) {
    return of(given, known, Math.max(TYPOS, given.length() / LETTERS_PER_TYPO));
  }

  /**
   * Returns the known name that differs from a given one in the fewest letters, as {@link
   * #of(String, Collection)}.
   *
   * @param most number of letters in which they differ at most
   */
  public static Optional<String> of(String given, Collection<String> known, int most) {
    String best = "";
    int bestDistance = most + 1;
    for (UnaryOperator<String> form : FORMS) { // of two that are as near, the whole name wins
      for (String name : known) {
        String its = form.apply(name);
        int distance = distance(Ascii.toLowerCase(given), Ascii.toLowerCase(its));
        if (distance < bestDistance && distance < its.length()) {
          best = name;
          bestDistance = distance;
        }
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  /** Returns a sentence for a message, {@code "Maybe you meant priority."}; empty without one. */
  public static String hint(String given, Collection<String> known) {
    return of(given, known).map("Maybe you meant %s."::formatted).orElse("");
  }

  /**
   * Returns a hint that ends in a list, {@code "Maybe you meant lead. Known: lead, zinc."}; without
   * its first sentence if no name is near.
   */
  public static String hintAndList(String given, Collection<String> known) {
    String hint = hint(given, known);
    return "%s%sKnown: %s.".formatted(hint, hint.isEmpty() ? "" : " ", String.join(", ", known));
  }

  /** Returns the Levenshtein distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
