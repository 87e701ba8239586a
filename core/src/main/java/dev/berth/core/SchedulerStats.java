package dev.berth.core;

import dev.berth.api.InstanceState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The figures of a scheduler at one moment. Immutable.
 *
 * @param now time of the latest event or pass; {@link Long#MIN_VALUE} before the first
 * @param hosts number of hosts that are up
 * @param instances number of instances that are not done, by the name of their service class (most
 *     important first) and by state; states without instances are absent
 * @param passes number of passes that succeeded
 * @param passesUndone number of passes that failed and were undone
 * @param lastPassAt time of the latest pass that succeeded, or empty
 * @param actions number of actions of all plans so far, by kind: {@code place}, {@code preempt},
 *     {@code resize}, {@code pause}, {@code suspend}, {@code resume}, {@code migrate}, {@code
 *     reject}, {@code provision}, {@code release}, {@code assign} and {@code cancel}, all of them,
 *     in this order
 * @param eventsRefused number of events and passes that were refused as invalid, other than stale
 *     reports
 * @param staleReports number of reports that were refused because they came too late or twice; see
 *     {@link dev.berth.core.error.StaleReportException}
 * @param actionsUndone number of these actions that were undone, because they or others could not
 *     be carried out
 */
public record SchedulerStats(
    long now,
    int hosts,
    Map<String, Map<InstanceState, Integer>> instances,
    long passes,
    long passesUndone,
    OptionalLong lastPassAt,
    Map<String, Long> actions,
    long eventsRefused,
    long staleReports,
    long actionsUndone) {

  /** Copies the maps. */
  public SchedulerStats {
    Map<String, Map<InstanceState, Integer>> byClass = new LinkedHashMap<>();
    instances.forEach(
        (name, states) ->
            byClass.put(name, Collections.unmodifiableMap(new LinkedHashMap<>(states))));
    instances = Collections.unmodifiableMap(byClass);
    actions = Collections.unmodifiableMap(new LinkedHashMap<>(actions));
  }

  /** Returns the number of instances in a state, of all classes. */
  public int instances(InstanceState state) {
    return instances.values().stream().mapToInt(each -> each.getOrDefault(state, 0)).sum();
  }
}
