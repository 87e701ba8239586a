package dev.berth.kubernetes.command;

import dev.berth.core.error.ConfigException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in an event about the ConfigMap what is wrong with it: all problems at once. */
final class ConfigurationEvent {

  private static final Logger LOG = LoggerFactory.getLogger(ConfigurationEvent.class);

  /** The API server takes no longer note. */
  private static final int LONGEST = 1_000;

  private ConfigurationEvent() {}

  static void send(
      KubernetesClient client, ConfigMap map, ConfigException invalid, String identity) {
    String note =
        invalid.problems().stream()
            .map(ConfigException.Problem::describe)
            .collect(Collectors.joining(" "));
    Instant now = Instant.now();
    try {
      client
          .resource(
              new EventBuilder()
                  .withNewMetadata()
                  .withName("%s.%x".formatted(map.getMetadata().getName(), now.toEpochMilli()))
                  .withNamespace(map.getMetadata().getNamespace())
                  .endMetadata()
                  .withEventTime(new MicroTime(now.truncatedTo(ChronoUnit.MICROS).toString()))
                  .withReportingController("berth.dev/scheduler")
                  .withReportingInstance(identity)
                  .withAction("Configuring")
                  .withType("Warning")
                  .withReason("InvalidConfiguration")
                  .withNote(note.length() > LONGEST ? note.substring(0, LONGEST) + "…" : note)
                  .withNewRegarding()
                  .withApiVersion("v1")
                  .withKind("ConfigMap")
                  .withNamespace(map.getMetadata().getNamespace())
                  .withName(map.getMetadata().getName())
                  .withUid(map.getMetadata().getUid())
                  .endRegarding()
                  .build())
          .create();
    } catch (KubernetesClientException unsent) {
      LOG.warn("An event about the configuration was not written: {}", unsent.getMessage());
    }
  }
}
