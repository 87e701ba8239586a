package dev.berth.traces.format.kubectl;

import dev.berth.api.HostSpec;
import dev.berth.api.Taint;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.JsonObject;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The nodes of a cluster with Kubernetes, as {@code kubectl get nodes -o json} prints them. Hosts
 * have what is allocatable, the labels as attributes, and the taints.
 */
public final class KubectlInfrastructureFormat extends DeclaredFormat
    implements InfrastructureFormat {

  public KubectlInfrastructureFormat() {
    super(
        KubectlObjects.FORMAT,
        "nodes of Kubernetes: kubectl get nodes -o json",
        KubectlObjects::isIn);
  }

  @Override
  public EntryReader<HostSpec> open(Input input, SkipReport skips) {
    return Entries.ofSome(
        KubectlObjects.open(input, KubectlObjects.NODE),
        node -> Optional.of(node.convert(KubectlInfrastructureFormat::host)));
  }

  private static HostSpec host(JsonObject node) {
    JsonObject meta = node.required("metadata");
    Map<String, String> attributes = new TreeMap<>();
    meta.object("labels")
        .ifPresent(
            all -> all.fields().forEach((name, field) -> attributes.put(name, field.text())));
    return new HostSpec(
        meta.field("name").required(),
        KubectlAmounts.capacity(node),
        attributes,
        false,
        node.object("spec").flatMap(spec -> spec.objects("taints")).orElse(List.of()).stream()
            .map(KubectlInfrastructureFormat::taint)
            .toList());
  }

  private static Taint taint(JsonObject taint) {
    return new Taint(
        taint.field("key").required(),
        taint.optional("value").map(Field::text).orElse(""),
        effect(taint.field("effect")),
        Duration.ZERO);
  }

  static Taint.Effect effect(Field effect) {
    return switch (effect.text()) {
      case "NoSchedule" -> Taint.Effect.NO_NEW;
      case "PreferNoSchedule" -> Taint.Effect.PREFER_NOT;
      case "NoExecute" -> Taint.Effect.LEAVE;
      default -> throw effect.error("must be one of NoSchedule, PreferNoSchedule, NoExecute");
    };
  }
}
