package dev.berth.testkit.reference;

import dev.berth.api.HostSpec;
import dev.berth.api.Taint;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Since when hosts have their taints, and until when instances may stay for that. */
public final class ReferenceTaints {

  private final Map<String, Map<Taint, Long>> taintedSince = new HashMap<>(); // by host

  ReferenceTaints() {}

  /** Notes since when a host has its taints: one that it had already, whatever its grace, stays. */
  void note(HostSpec spec, long now) {
    Map<Taint, Long> before = taintedSince.getOrDefault(spec.id(), Map.of());
    Map<Taint, Long> since = new HashMap<>();
    for (Taint each : spec.taints()) {
      since.put(
          each,
          before.keySet().stream()
              .filter(it -> it.key().equals(each.key()))
              .filter(it -> it.value().equals(each.value()))
              .filter(it -> it.effect() == each.effect())
              .findFirst()
              .map(before::get)
              .orElse(now));
    }
    taintedSince.put(spec.id(), since);
  }

  /** Returns when an instance must leave its host for a taint; empty if it may stay. */
  private OptionalLong departure(ReferenceInstance instance, HostSpec host, Taint taint) {
    long since = taintedSince.getOrDefault(host.id(), Map.of()).getOrDefault(taint, 0L);
    return ReferencePlacement.mustLeaveAt(instance, taint, since);
  }

  /** Returns when an instance must leave its host for the first of its taints; or empty. */
  OptionalLong departure(ReferenceInstance instance, HostSpec host) {
    return host.taints().stream()
        .flatMapToLong(each -> departure(instance, host, each).stream())
        .min();
  }

  /** Returns the first taint of a host for which an instance must have left it by now; or empty. */
  public Optional<Taint> expelling(ReferenceInstance instance, HostSpec host, long now) {
    return host.taints().stream()
        .filter(each -> departure(instance, host, each).stream().anyMatch(at -> at <= now))
        .findFirst();
  }

  /** The host has left. */
  void forget(String hostId) {
    taintedSince.remove(hostId);
  }

  void become(ReferenceTaints other) {
    taintedSince.clear();
    taintedSince.putAll(other.taintedSince);
  }
}
