package dev.berth.core.config.tree;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.core.error.JsonWords;
import dev.berth.core.error.NearestName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Binds JSON configurations, mainly of policies, to their records.
 *
 * <p>The user's tree overrides the tree of the defaults: objects merge, other values replace. The
 * binder collects all unknown keys, wrong types and values out of range before it reports them.
 * Enumerations are written as their {@code toString()}, durations as in {@link DurationText}.
 * Thread-safe.
 */
public final class TreeBinder {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .addModule(
              new SimpleModule()
                  .addSerializer(Duration.class, new DurationWriter())
                  .addDeserializer(Duration.class, new DurationReader()))
          .build();

  private TreeBinder() {}

  /** Returns a configuration as JSON. */
  public static ObjectNode toJson(Record config) {
    return MAPPER.valueToTree(config);
  }

  /**
   * Reads JSON text.
   *
   * @param subject the configured thing, for messages: {@code "policy qos-driven"}
   * @throws ConfigException if it is not JSON
   */
  public static JsonNode parse(String subject, String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException malformed) {
      String where =
          malformed.getLocation() == null
              ? ""
              : " (line %s, column %s)"
                  .formatted(
                      malformed.getLocation().getLineNr(), malformed.getLocation().getColumnNr());
      throw new ConfigException(
          subject,
          List.of(
              new Problem(
                  "config",
                  "not JSON",
                  "must be a JSON object: " + JsonWords.describe(malformed) + where,
                  "")));
    }
  }

  /**
   * Returns the configuration of a policy, with the user's values over the defaults.
   *
   * @throws ConfigException if the configuration is invalid; it lists all problems
   */
  public static <C extends Record> C bind(PolicyFactory<C> factory, JsonNode user) {
    return bind(factory, factory.defaults(), user);
  }

  /**
   * Returns the configuration of a policy, with the user's values over given defaults instead of
   * the defaults of its factory.
   *
   * @throws ConfigException if the configuration is invalid; it lists all problems
   */
  @SuppressWarnings("unchecked") // the class of a record of type C is a Class<C>
  public static <C extends Record> C bind(
      PolicyFactory<C> factory, C defaultValues, JsonNode user) {
    Class<C> type = (Class<C>) defaultValues.getClass();
    return bind("policy " + factory.id(), "config", type, defaultValues, user);
  }

  /**
   * Returns a configuration of any subject, with the user's values over the defaults.
   *
   * @param subject the configured thing, for messages
   * @param path path of the tree in the user's text, for messages: {@code "config"}; empty if the
   *     tree is the whole text
   * @param type class of the configuration; a value without a default may have any JSON type
   * @throws ConfigException if the configuration is invalid; it lists all problems
   */
  public static <C extends Record> C bind(
      String subject, String path, Class<C> type, C defaultValues, JsonNode user) {
    List<Problem> problems = new ArrayList<>();
    if (!user.isObject()) {
      problems.add(new Problem(path, user.toString(), "must be a JSON object", ""));
      throw new ConfigException(subject, problems);
    }
    ObjectNode defaults = toJson(defaultValues);
    List<Leaf> leaves = new ArrayList<>();
    walk(path, user, defaults, new ArrayList<>(), leaves, problems);
    ObjectNode merged = defaults.deepCopy();
    leaves.forEach(leaf -> leaf.putInto(merged));
    try {
      C bound = MAPPER.treeToValue(merged, type);
      if (problems.isEmpty()) {
        return bound;
      }
    } catch (JsonProcessingException together) {
      // Binding each value alone over the defaults finds all wrong values, not only the first.
      int before = problems.size();
      for (Leaf leaf : leaves) {
        ObjectNode single = defaults.deepCopy();
        leaf.putInto(single);
        Problem problem = tryBind(type, single, leaf);
        if (problem != null) {
          problems.add(problem);
        }
      }
      if (problems.size() == before) {
        problems.add(
            new Problem(
                path,
                user.toString(),
                "its values contradict each other",
                BrokenRule.cause(together)));
      }
    }
    throw new ConfigException(subject, problems);
  }

  private static void walk(
      String path,
      JsonNode user,
      JsonNode defaults,
      List<String> keys,
      List<Leaf> leaves,
      List<Problem> problems) {
    for (Map.Entry<String, JsonNode> entry : user.properties()) {
      String key = entry.getKey();
      JsonNode value = entry.getValue();
      JsonNode known = defaults.get(key);
      String here = path.isEmpty() ? key : path + "." + key;
      if (known == null) {
        List<String> names = new ArrayList<>();
        defaults.fieldNames().forEachRemaining(names::add);
        problems.add(
            new Problem(
                here,
                value.toString(),
                "but there is no such key",
                NearestName.hintAndList(key, names)));
        continue;
      }
      List<String> inner = new ArrayList<>(keys);
      inner.add(key);
      if (known.isNull()) {
        leaves.add(new Leaf(here, inner, value));
      } else if (known.isObject() && value.isObject() && !known.isEmpty()) {
        walk(here, value, known, inner, leaves, problems);
      } else if (known.isObject() != value.isObject()
          || known.getNodeType() != value.getNodeType()) {
        problems.add(
            new Problem(
                here,
                value.toString(),
                "must be " + typeOf(known),
                "The default is " + known + "."));
      } else {
        leaves.add(new Leaf(here, inner, value));
      }
    }
  }

  private static String typeOf(JsonNode known) {
    JsonNodeType type = known.getNodeType();
    return switch (type) {
      case BOOLEAN -> "true or false";
      case NUMBER -> "a number";
      case STRING -> "a text";
      case ARRAY -> "a list";
      case OBJECT -> "an object";
      case NULL, BINARY, MISSING, POJO -> "of type " + type;
    };
  }

  private static @Nullable Problem tryBind(Class<?> type, ObjectNode tree, Leaf leaf) {
    try {
      MAPPER.treeToValue(tree, type);
      return null;
    } catch (JsonProcessingException wrong) {
      return BrokenRule.of(wrong, leaf.path, leaf.keys.size(), leaf.value);
    }
  }

  /** A value of the user's tree that replaces a default as a whole. */
  private record Leaf(String path, List<String> keys, JsonNode value) {

    void putInto(ObjectNode tree) {
      ObjectNode inner = tree;
      for (String key : keys.subList(0, keys.size() - 1)) {
        inner = (ObjectNode) inner.get(key);
      }
      inner.set(keys.get(keys.size() - 1), value);
    }
  }

  private static final class DurationWriter extends StdSerializer<Duration> {

    private static final long serialVersionUID = 1;

    DurationWriter() {
      super(Duration.class);
    }

    @Override
    public void serialize(Duration value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(DurationText.format(value));
    }
  }

  private static final class DurationReader extends StdDeserializer<Duration> {

    private static final long serialVersionUID = 1;

    DurationReader() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser in, DeserializationContext context) throws IOException {
      try {
        return DurationText.parse(in.getText());
      } catch (IllegalArgumentException wrong) {
        throw JsonMappingException.from(in, DurationText.RULE);
      }
    }
  }
}
