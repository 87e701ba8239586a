package dev.berth.experiments.study;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.berth.report.Block;
import dev.berth.report.CsvText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Results of studies as JSON. A result that was written and read is equal to the original. */
final class StudyJson {

  private static final String NAME = "name";
  private static final String TEXT = "text";
  private static final TypeReference<List<Block>> BLOCKS = new TypeReference<>() {};
  private static final JsonMapper MAPPER = mapper();

  private StudyJson() {}

  private static JsonMapper mapper() {
    JsonMapper mapper =
        JsonMapper.builder()
            .addModule(new Jdk8Module())
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS) // they are no parts of records
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addMixIn(Block.class, Typed.class)
            .build();
    register(mapper, Block.class);
    return mapper;
  }

  /** Blocks state their type, as the types of a sealed interface are known. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "block")
  private interface Typed {}

  private static void register(JsonMapper mapper, Class<?> type) {
    if (!type.isSealed()) {
      mapper.registerSubtypes(new NamedType(type, type.getSimpleName()));
      return;
    }
    for (Class<?> each : type.getPermittedSubclasses()) {
      register(mapper, each);
    }
  }

  static String text(StudyResult result) {
    ObjectNode root = MAPPER.createObjectNode();
    try {
      // By their declared type, which makes them state their own.
      root.set(
          "blocks", MAPPER.readTree(MAPPER.writerFor(BLOCKS).writeValueAsString(result.blocks())));
      root.set("claims", MAPPER.valueToTree(result.claims()));
      ArrayNode series = root.putArray("series");
      result
          .series()
          .forEach(each -> series.addObject().put(NAME, each.name()).put(TEXT, each.toString()));
      return MAPPER.writeValueAsString(root);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Reads what {@link #text} returned. */
  static StudyResult parse(String text) {
    try {
      JsonNode root = MAPPER.readTree(text);
      List<Block> blocks = MAPPER.readerFor(BLOCKS).readValue(root.get("blocks"));
      List<Claim> claims = MAPPER.readerForListOf(Claim.class).readValue(root.get("claims"));
      List<CsvText> series = new ArrayList<>();
      for (JsonNode each : root.get("series")) {
        series.add(CsvText.parse(each.get(NAME).textValue(), each.get(TEXT).textValue()));
      }
      return new StudyResult(blocks, claims, series);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
