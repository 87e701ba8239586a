package dev.berth.experiments.study;

import static com.google.common.base.Preconditions.checkState;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Resources beside a class. */
public final class Resource {

  private Resource() {}

  /**
   * Returns the text of a resource.
   *
   * @throws IllegalStateException if it is missing
   */
  public static String text(Class<?> owner, String name) {
    try (InputStream input = owner.getResourceAsStream(name)) {
      checkState(input != null, "Resource %s of %s is missing.", name, owner.getName());
      return new String(input.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * Returns the tree of a resource.
   *
   * @throws IllegalStateException if it is missing or is not JSON
   */
  public static JsonNode json(Class<?> owner, String name) {
    try {
      return new JsonMapper().readTree(text(owner, name));
    } catch (JsonProcessingException malformed) {
      throw new IllegalStateException("Resource %s is not JSON.".formatted(name), malformed);
    }
  }
}
