package dev.berth.core.internal.snapshot;

import com.google.common.base.Enums;
import dev.berth.api.Domain;
import dev.berth.api.LimitUse;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.core.config.Durations;
import dev.berth.core.snapshot.HostData.TaintData;
import dev.berth.core.snapshot.PlacementData;
import dev.berth.core.snapshot.PlacementData.LimitUseData;
import dev.berth.core.snapshot.PlacementData.PeersData;
import dev.berth.core.snapshot.PlacementData.PreferenceData;
import dev.berth.core.snapshot.PlacementData.RuleData;
import dev.berth.core.snapshot.PlacementData.TolerationData;
import dev.berth.core.snapshot.RequestData.ConstraintData;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Taints, tolerations, rules and preferences as plain data. */
final class Placements {

  private Placements() {}

  // ---- Requests

  static Optional<PlacementData> write(PlacementSpec spec) {
    return spec.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PlacementData(
                spec.tolerations().stream().map(Placements::write).toList(),
                spec.rules().stream().map(Placements::write).toList(),
                spec.preferences().stream().map(Placements::write).toList(),
                spec.limits().stream().map(Placements::write).toList()));
  }

  /**
   * Returns the specification of plain data.
   *
   * @throws IllegalArgumentException if there is no such specification
   */
  static PlacementSpec read(PlacementData data) {
    return new PlacementSpec(
        data.tolerations().stream().map(Placements::read).toList(),
        data.rules().stream().map(Placements::read).toList(),
        data.preferences().stream().map(Placements::read).toList(),
        data.limits().stream().map(Placements::read).toList());
  }

  private static LimitUseData write(LimitUse use) {
    return new LimitUseData(use.limit(), use.kind().name(), use.amount());
  }

  private static LimitUse read(LimitUseData data) {
    LimitUse.Kind kind = named(LimitUse.Kind.class, data.kind(), "use of limits");
    return new LimitUse(data.limit(), kind, data.amount());
  }

  private static <E extends Enum<E>> E named(Class<E> type, String name, String what) {
    return Enums.getIfPresent(type, name)
        .toJavaUtil()
        .orElseThrow(
            () -> new IllegalArgumentException("no %s is called %s".formatted(what, name)));
  }

  private static TolerationData write(Toleration toleration) {
    return new TolerationData(
        toleration.key(),
        toleration.value(),
        toleration.effect().map(Enum::name),
        toleration.atMost().stream().mapToLong(Durations::toNanosSaturated).findFirst());
  }

  private static Toleration read(TolerationData data) {
    return new Toleration(
        data.key(),
        data.value(),
        data.effect().map(Placements::effect),
        data.atMostNanos().stream().mapToObj(Duration::ofNanos).findFirst());
  }

  private static PeersData write(Peers peers) {
    if (peers instanceof Peers.OfJob ofJob) {
      return new PeersData("OfJob", ofJob.job(), Optional.empty());
    }
    Peers.Labelled labelled = (Peers.Labelled) peers;
    return new PeersData("Labelled", labelled.name(), Optional.of(labelled.value()));
  }

  private static Peers read(PeersData data) {
    return switch (data.type()) {
      case "OfJob" -> Peers.ofJob(data.name());
      case "Labelled" -> Peers.labelled(data.name(), data.value().orElse(""));
      default -> throw new IllegalArgumentException("no peers are called " + data.type());
    };
  }

  private static RuleData write(PlacementRule rule) {
    return new RuleData(
        rule.getClass().getSimpleName(),
        write(rule.peers()),
        rule.domain().attribute(),
        rule instanceof PlacementRule.Spread spread ? spread.maxSkew() : 0);
  }

  private static PlacementRule read(RuleData data) {
    Peers peers = read(data.peers());
    Domain domain = new Domain(data.attribute());
    return switch (data.type()) {
      case "Near" -> new PlacementRule.Near(peers, domain);
      case "Apart" -> new PlacementRule.Apart(peers, domain);
      case "Spread" -> new PlacementRule.Spread(peers, domain, data.maxSkew());
      default -> throw new IllegalArgumentException("no placement rule is called " + data.type());
    };
  }

  private static PreferenceData write(Preference preference) {
    String type = preference.getClass().getSimpleName();
    int weight = preference.weight();
    if (preference instanceof Preference.OnHost onHost) {
      Optional<ConstraintData> constraint = Optional.of(Reasons.write(onHost.constraint()));
      return new PreferenceData(type, weight, constraint, Optional.empty(), Optional.empty());
    } else if (preference instanceof Preference.Near near) {
      return write(type, weight, near.peers(), near.domain());
    }
    Preference.Apart apart = (Preference.Apart) preference;
    return write(type, weight, apart.peers(), apart.domain());
  }

  private static PreferenceData write(String type, int weight, Peers peers, Domain domain) {
    return new PreferenceData(
        type, weight, Optional.empty(), Optional.of(write(peers)), domain.attribute());
  }

  private static Preference read(PreferenceData data) {
    int weight = data.weight();
    if (data.type().equals("OnHost")) {
      return new Preference.OnHost(
          Reasons.read(data.constraint().orElseThrow(() -> lacks("constraint", data))), weight);
    }
    Peers peers = read(data.peers().orElseThrow(() -> lacks("peers", data)));
    Domain domain = new Domain(data.attribute());
    return switch (data.type()) {
      case "Near" -> new Preference.Near(peers, domain, weight);
      case "Apart" -> new Preference.Apart(peers, domain, weight);
      default -> throw new IllegalArgumentException("no preference is called " + data.type());
    };
  }

  private static IllegalArgumentException lacks(String what, PreferenceData data) {
    return new IllegalArgumentException("a preference %s has no %s".formatted(data.type(), what));
  }

  // ---- Hosts

  static TaintData write(Taint taint, OptionalLong since) {
    return new TaintData(
        taint.key(),
        taint.value(),
        taint.effect().name(),
        Durations.toNanosSaturated(taint.grace()),
        since);
  }

  /**
   * Returns the taint of plain data.
   *
   * @throws IllegalArgumentException if there is no such taint
   */
  static Taint read(TaintData data) {
    return new Taint(
        data.key(), data.value(), effect(data.effect()), Duration.ofNanos(data.graceNanos()));
  }

  private static Taint.Effect effect(String name) {
    return named(Taint.Effect.class, name, "effect of taints");
  }

  // ---- Reasons

  /** Returns a taint or a rule as plain values, or null for another value. */
  static @Nullable Map<String, Object> plain(Object value) {
    Map<String, Object> values = new TreeMap<>();
    if (value instanceof Taint taint) {
      values.put("key", taint.key());
      values.put("value", taint.value());
      values.put("effect", taint.effect().name());
      values.put("graceNanos", Durations.toNanosSaturated(taint.grace()));
      return values;
    }
    if (value instanceof PlacementRule rule) {
      RuleData data = write(rule);
      values.put("type", data.type());
      values.put("peers", data.peers().type());
      values.put("name", data.peers().name());
      data.peers().value().ifPresent(it -> values.put("value", it));
      data.attribute().ifPresent(it -> values.put("attribute", it));
      values.put("maxSkew", (long) data.maxSkew());
      return values;
    }
    return null;
  }

  static boolean isPlain(Class<?> type) {
    return type == Taint.class || PlacementRule.class.isAssignableFrom(type);
  }

  /**
   * Returns the taint or the rule of plain values.
   *
   * @throws IllegalArgumentException if there is no such taint or rule
   * @throws ClassCastException if a value is of another type
   */
  static Object read(Class<?> type, Map<?, ?> values) {
    if (type == Taint.class) {
      return read(
          new TaintData(
              text("key", values),
              text("value", values),
              text("effect", values),
              (Long) Reasons.member(values, "graceNanos"),
              OptionalLong.empty()));
    }
    return type.cast(
        read(
            new RuleData(
                text("type", values),
                new PeersData(
                    text("peers", values), text("name", values), optional("value", values)),
                optional("attribute", values),
                Math.toIntExact((Long) Reasons.member(values, "maxSkew")))));
  }

  private static String text(String name, Map<?, ?> values) {
    return (String) Reasons.member(values, name);
  }

  private static Optional<String> optional(String name, Map<?, ?> values) {
    return Optional.ofNullable((String) values.get(name));
  }
}
