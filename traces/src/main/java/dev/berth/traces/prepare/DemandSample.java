package dev.berth.traces.prepare;

import dev.berth.api.Resources;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The demand of all running instances at one time, if every request starts at its admission.
 *
 * @param at the time in nanoseconds since the start
 * @param byClass the demand of each class that has had a request so far, in the order of the
 *     workload's classes
 */
public record DemandSample(long at, Map<String, Resources> byClass) {

  /** Copies the map. */
  public DemandSample {
    byClass = Collections.unmodifiableMap(new LinkedHashMap<>(byClass));
  }
}
