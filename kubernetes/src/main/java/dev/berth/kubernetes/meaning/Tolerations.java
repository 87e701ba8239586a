package dev.berth.kubernetes.meaning;

import dev.berth.api.PlacementSpec;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Translates tolerations. */
final class Tolerations {

  /** The rule for effects, for messages. */
  static final String EFFECT_RULE = "must be one of NoSchedule, PreferNoSchedule, NoExecute";

  /**
   * How long pods stay on a node that is not ready or not reachable, if they say nothing else: the
   * default of API servers.
   */
  static final Duration DEFAULT_STAY = Duration.ofMinutes(5);

  private static final Set<String> NOT_READY =
      Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  private static final String PATH = "spec.tolerations";
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private Tolerations() {}

  /** Returns the effect of that name; empty if there is none. */
  static Optional<Taint.Effect> effect(String name) {
    return switch (name) {
      case "NoSchedule" -> Optional.of(Taint.Effect.NO_NEW);
      case "PreferNoSchedule" -> Optional.of(Taint.Effect.PREFER_NOT);
      case "NoExecute" -> Optional.of(Taint.Effect.LEAVE);
      default -> Optional.empty();
    };
  }

  /** Returns how long instances that do not tolerate a taint may stay. */
  static Duration grace(String key, Taint.Effect effect) {
    return effect == Taint.Effect.LEAVE && NOT_READY.contains(key) ? DEFAULT_STAY : Duration.ZERO;
  }

  /**
   * Returns tolerations without those that API servers add to each pod. Their time is the grace of
   * the taint, so that most pods say nothing about their nodes, and are searched for together.
   */
  private static List<Toleration> withoutDefaults(Set<Toleration> tolerations) {
    return tolerations.stream()
        .filter(
            each ->
                !isDefault(each)
                    || tolerations.stream().anyMatch(other -> concernsSameKey(other, each)))
        .toList();
  }

  private static boolean isDefault(Toleration toleration) {
    return toleration.key().filter(NOT_READY::contains).isPresent()
        && toleration.value().isEmpty()
        && toleration.effect().filter(Taint.Effect.LEAVE::equals).isPresent()
        && toleration.atMost().filter(DEFAULT_STAY::equals).isPresent();
  }

  private static boolean concernsSameKey(Toleration other, Toleration than) {
    return !other.equals(than) && (other.key().isEmpty() || other.key().equals(than.key()));
  }

  static List<Toleration> read(
      List<io.fabric8.kubernetes.api.model.Toleration> given, Findings findings) {
    Set<Toleration> tolerations = new LinkedHashSet<>();
    for (int i = 0; i < given.size(); i++) {
      read("%s[%s]".formatted(PATH, i), given.get(i), findings).ifPresent(tolerations::add);
    }
    List<Toleration> own = withoutDefaults(tolerations);
    if (own.size() > PlacementSpec.MOST) {
      findings.refuse(
          PATH,
          own.size() + " tolerations",
          "must have at most %s different ones".formatted(PlacementSpec.MOST));
    }
    return own;
  }

  private static Optional<Toleration> read(
      String path, io.fabric8.kubernetes.api.model.Toleration given, Findings findings) {
    String key = Nulls.text(given.getKey());
    String operator = Nulls.text(given.getOperator());
    String effect = Nulls.text(given.getEffect());
    boolean exists = operator.equals("Exists");
    int before = findings.faults();
    if (!exists && !operator.isEmpty() && !operator.equals("Equal")) {
      findings.refuse(path + ".operator", operator, "must be one of Equal, Exists");
    } else if (key.isBlank() && (!exists || !key.isEmpty())) {
      findings.refuse(path + ".key", key, "must not be blank unless the operator is Exists");
    }
    if (!effect.isEmpty() && effect(effect).isEmpty()) {
      findings.refuse(path + ".effect", effect, EFFECT_RULE);
    }
    if (findings.faults() > before) {
      return Optional.empty();
    }
    return Optional.of(
        new Toleration(
            key.isEmpty() ? Optional.empty() : Optional.of(key),
            exists ? Optional.empty() : Optional.of(Nulls.text(given.getValue())),
            effect.isEmpty() ? Optional.empty() : effect(effect),
            longest(given, effect)));
  }

  /** Returns how long a taint is tolerated. A time beyond what can be counted is for ever. */
  private static Optional<Duration> longest(
      io.fabric8.kubernetes.api.model.Toleration given, String effect) {
    Long seconds = given.getTolerationSeconds();
    if (seconds == null || !effect.equals("NoExecute")) {
      return Optional.empty();
    }
    return Optional.of(Duration.ofSeconds(Math.max(0, seconds)))
        .filter(time -> time.compareTo(LONGEST) <= 0);
  }
}
