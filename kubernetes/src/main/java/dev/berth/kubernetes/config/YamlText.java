package dev.berth.kubernetes.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.core.error.ConfigException.Problem;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads YAML 1.2, of which JSON is a part, as a tree of JSON. */
final class YamlText {

  private static final int LONGEST = 1 << 20; // no ConfigMap is larger
  private static final int DEEPEST = 100;
  private static final int LONGEST_PLAIN = 1_000;

  private YamlText() {}

  /**
   * Returns the tree of a document.
   *
   * @param path name of the document, for messages
   * @param problems where a problem is added if it cannot be read
   * @return {@link MissingNode} if it cannot be read
   */
  static JsonNode read(String path, String text, List<Problem> problems) {
    // Without aliases, a short text cannot become a large tree.
    LoadSettings settings =
        LoadSettings.builder()
            .setAllowDuplicateKeys(false)
            .setAllowNonScalarKeys(false)
            .setCodePointLimit(LONGEST)
            .build();
    try {
      requireSmall(settings, text);
      return new ObjectMapper().valueToTree(new Load(settings).loadFromString(text));
    } catch (YamlEngineException | IllegalArgumentException malformed) {
      problems.add(new Problem(path, "not YAML", "must be YAML or JSON: " + words(malformed), ""));
      return MissingNode.getInstance();
    }
  }

  private static void requireSmall(LoadSettings settings, String text) {
    if (text.length() > LONGEST) { // the parser would check that in square time
      throw new IllegalArgumentException("it has more than %s characters".formatted(LONGEST));
    }
    int depth = 0;
    for (Event each : new Parse(settings).parseString(text)) {
      switch (each.getEventId()) {
        case MappingStart, SequenceStart -> depth++;
        case MappingEnd, SequenceEnd -> depth--;
        case Alias ->
            throw new IllegalArgumentException("it has an alias" + at(each.getStartMark()));
        case Scalar -> requireShort((ScalarEvent) each);
        default -> {}
      }
      if (depth > DEEPEST) {
        throw new IllegalArgumentException("it is nested deeper than %s".formatted(DEEPEST));
      }
    }
  }

  /** A number of a million digits takes minutes. */
  private static void requireShort(ScalarEvent scalar) {
    if (scalar.isPlain() && scalar.getValue().length() > LONGEST_PLAIN) {
      throw new IllegalArgumentException(
          "it has more than %s characters without quotes%s"
              .formatted(LONGEST_PLAIN, at(scalar.getStartMark())));
    }
  }

  private static String at(Optional<Mark> place) {
    return place
        .map(mark -> " (line %s, column %s)".formatted(mark.getLine() + 1, mark.getColumn() + 1))
        .orElse("");
  }

  private static String words(RuntimeException malformed) {
    if (malformed instanceof MarkedYamlEngineException marked) {
      return marked.getProblem() + at(marked.getProblemMark());
    }
    String message = String.valueOf(malformed.getMessage());
    return message.lines().findFirst().orElse(message);
  }
}
