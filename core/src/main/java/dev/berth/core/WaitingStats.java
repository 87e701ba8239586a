package dev.berth.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How many instances are pending, and why, as far as the latest pass has left a reason behind.
 * Immutable.
 *
 * <p>Each pending instance counts once. Its reason is the first of these that holds:
 *
 * <ul>
 *   <li>{@code waits-for}: it is to start {@linkplain dev.berth.api.Request#after after} others;
 *   <li>{@code held-back}: the engine holds it back after failed starts;
 *   <li>{@value #UNDECIDED}: no pass has seen it since it became pending;
 *   <li>the {@linkplain dev.berth.api.Reason#code code} of the reason that the policy or the engine
 *       gave in the latest pass, for the instance or else for its bag of tasks;
 *   <li>{@code queued-behind}: it waits behind the first instance in queue order that found no
 *       room;
 *   <li>{@code pass-full}: the latest pass placed as many instances as it may;
 *   <li>{@value #NO_ROOM}: the latest pass neither placed it nor gave a reason. As a rule no host
 *       had room; {@link dev.berth.core.explain.Explainer#whyPending} lists the obstacles.
 * </ul>
 *
 * @param byClass the numbers by the name of the service class (most important first, all of them)
 *     and by reason (in alphabetical order, those that occur)
 * @param oldestSince since when the instance is pending that has been pending the longest, without
 *     those that wait for others; empty if none is
 */
public record WaitingStats(Map<String, Map<String, Integer>> byClass, OptionalLong oldestSince) {

  /** The reason of instances that became pending after the latest pass. */
  public static final String UNDECIDED = "undecided";

  /** The reason of instances that the latest pass considered and left without a reason. */
  public static final String NO_ROOM = "no-room";

  /** Copies the maps. */
  public WaitingStats {
    Map<String, Map<String, Integer>> copy = new LinkedHashMap<>();
    byClass.forEach(
        (name, reasons) ->
            copy.put(name, Collections.unmodifiableMap(new LinkedHashMap<>(reasons))));
    byClass = Collections.unmodifiableMap(copy);
  }

  /** Returns the number of pending instances of all classes. */
  public int total() {
    return byClass.values().stream()
        .flatMap(each -> each.values().stream())
        .mapToInt(Integer::intValue)
        .sum();
  }
}
