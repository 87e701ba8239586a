package dev.berth.core.error;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * States why a text is not JSON, in words for its author: messages of the parser name its own terms
 * and classes.
 */
public final class JsonWords {

  private static final String SHOWN = "\\(?'(.*)' \\(code .*";

  /**
   * Messages of the parser, and what they mean. The first that matches applies; {@code $1} is what
   * the parser found.
   */
  private static final List<Meaning> MEANINGS =
      List.of(
          meaning(
              "Unexpected character " + SHOWN + "comma to separate.*",
              "has '$1' where a comma must be"),
          meaning(
              "Unexpected character " + SHOWN + "colon to separate.*",
              "has '$1' where a colon must be"),
          meaning(
              "Unexpected character " + SHOWN + "double-quote to start.*",
              "has '$1' where a key in double quotes must be"),
          meaning(
              "Unexpected character " + SHOWN + "expected a (?:valid )?value.*",
              "has '$1' where a value must be"),
          meaning("Unexpected close marker '(.)': expected '(.)'.*", "has $1 where $2 must be"),
          meaning(
              "Unrecognized token '([^']*)'.*",
              "has the word '$1', must have double quotes around texts and keys"),
          meaning(
              "Unexpected end-of-input in VALUE_STRING.*|Unexpected end-of-input: was expecting closing quote.*",
              "ends within a text, a double quote is missing"),
          meaning("Unexpected end-of-input.*", "ends too early, a } or ] is missing"),
          meaning("Duplicate field '([^']*)'.*", "has the key '$1' twice"),
          meaning(
              "Illegal unquoted character.*",
              "has a line break or another control character within a text"),
          meaning("Unrecognized character escape.*", "has a backslash that begins no escape"),
          meaning("Non-standard token '([^']*)'.*", "has $1, which is no number of JSON"),
          meaning("Invalid numeric value.*|.*number.*not valid.*", "has a malformed number"),
          meaning("Trailing token.*", "goes on after its end"),
          meaning(".*nesting depth.*", "has too many objects and lists within each other"),
          meaning("Number value length.*", "has a number with too many digits"),
          meaning(
              "String value length.*|Name value length.*|Name length.*",
              "has a text that is too long"),
          meaning("No content to map.*", "is empty"));

  private JsonWords() {}

  /** A message of the parser, and its meaning. */
  private record Meaning(Pattern message, String words) {

    Optional<String> of(String text) {
      Matcher matcher = message.matcher(text);
      return matcher.matches() ? Optional.of(inserted(matcher)) : Optional.empty();
    }

    private String inserted(Matcher matcher) {
      String text = words;
      for (int i = 1; i <= matcher.groupCount() && matcher.group(i) != null; i++) {
        text = text.replace("$" + i, Printable.quote(matcher.group(i)));
      }
      return text;
    }
  }

  private static Meaning meaning(String message, String words) {
    return new Meaning(Pattern.compile(message, Pattern.DOTALL), words);
  }

  /**
   * Returns why a text is not JSON, without a full stop: {@code "has '}' where a value must be"}.
   *
   * @param malformed the failure of the parser
   */
  public static String describe(IOException malformed) {
    String message =
        malformed instanceof JsonProcessingException ours
            ? ours.getOriginalMessage()
            : String.valueOf(malformed.getMessage());
    return MEANINGS.stream()
        .flatMap(each -> each.of(message).stream())
        .findFirst()
        .orElse("is malformed");
  }
}
