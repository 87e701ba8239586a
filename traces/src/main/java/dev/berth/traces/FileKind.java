package dev.berth.traces;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.spi.ServiceClassCatalog;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** What a file of Berth's input holds. */
public enum FileKind {

  /** A workload. */
  REQUESTS("requests", "give it as the workload"),

  /** An infrastructure. */
  HOSTS("hosts", "give it as the infrastructure"),

  /** Events of hosts, and of the limits that they share. */
  HOST_EVENTS("events of hosts", "give it as the events"),

  /** A JSON list of service classes. */
  SERVICE_CLASSES("service classes", "give it as the classes"),

  /** The specification of an experiment in JSON. */
  EXPERIMENT("an experiment", "run it with berth experiment");

  private static final JsonMapper JSON = new JsonMapper();

  private final String words;
  private final String use;

  FileKind(String words, String use) {
    this.words = words;
    this.use = use;
  }

  /**
   * Returns what a file holds, as far as its first line shows it; JSON is read in full.
   *
   * @param input a file or folder
   * @return empty if the file cannot be read, or holds nothing that Berth knows
   */
  public static Optional<FileKind> of(Input input) {
    try {
      return Arrays.stream(values()).filter(each -> each.isIn(input)).findFirst();
    } catch (InputException unreadable) {
      return Optional.empty();
    }
  }

  private boolean isIn(Input input) {
    return switch (this) {
      case REQUESTS ->
          Formats.workloads(new ServiceClassCatalog(ServiceClasses.goldSilverBronze(Duration.ZERO)))
              .anyFits(input);
      case HOSTS -> Formats.infrastructures().anyFits(input);
      case HOST_EVENTS -> Formats.hostEvents().anyFits(input);
      case SERVICE_CLASSES -> json(input, '[').path(0).has("name");
      case EXPERIMENT -> {
        JsonNode object = json(input, '{');
        yield object.has("workloads") && object.has("policies");
      }
    };
  }

  /** Returns a JSON text that begins with a character; a missing node if the file is another. */
  private static JsonNode json(Input input, char first) {
    if (input.firstLine().filter(line -> line.charAt(0) == first).isEmpty()) {
      return JSON.missingNode();
    }
    try {
      return JSON.readTree(ServiceClassFile.text(input));
    } catch (JsonProcessingException malformed) {
      return JSON.missingNode();
    }
  }

  /**
   * Returns the error that a file holds this, and not what was expected.
   *
   * @param expected what it must hold
   */
  public InputException insteadOf(FileKind expected, Input input) {
    return input.error("holds %s, must hold %s".formatted(words, expected.words), use);
  }
}
