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
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads YAML 1.2, of which JSON is a part, as a tree of JSON. */
final class YamlText {

  private static final int LONGEST = 1 << 20; // no ConfigMap is larger
  private static final int DEEPEST = 100;

  private YamlText() {}

  /**
   * Returns the tree of a document.
   *
   * @param path name of the document, for messages
   * @param problems where a problem is added if it cannot be read
   * @return {@link MissingNode} if it cannot be read
   */
  static JsonNode read(String path, String text, List<Problem> problems) {
    // Aliases of collections are refused, so that a short text cannot become a large tree.
    LoadSettings settings =
        LoadSettings.builder()
            .setAllowDuplicateKeys(false)
            .setAllowNonScalarKeys(false)
            .setMaxAliasesForCollections(0)
            .setCodePointLimit(LONGEST)
            .build();
    try {
      requireShallow(settings, text);
      return new ObjectMapper().valueToTree(new Load(settings).loadFromString(text));
    } catch (YamlEngineException | IllegalArgumentException malformed) {
      problems.add(new Problem(path, "not YAML", "must be YAML or JSON: " + words(malformed), ""));
      return MissingNode.getInstance();
    }
  }

  private static void requireShallow(LoadSettings settings, String text) {
    int depth = 0;
    for (Event each : new Parse(settings).parseString(text)) {
      switch (each.getEventId()) {
        case MappingStart, SequenceStart -> depth++;
        case MappingEnd, SequenceEnd -> depth--;
        default -> {}
      }
      if (depth > DEEPEST) {
        throw new IllegalArgumentException("it is nested deeper than %s".formatted(DEEPEST));
      }
    }
  }

  private static String words(RuntimeException malformed) {
    if (malformed instanceof MarkedYamlEngineException marked) {
      Optional<String> where =
          marked
              .getProblemMark()
              .map(
                  mark ->
                      " (line %s, column %s)".formatted(mark.getLine() + 1, mark.getColumn() + 1));
      return marked.getProblem() + where.orElse("");
    }
    String message = String.valueOf(malformed.getMessage());
    return message.lines().findFirst().orElse(message);
  }
}
