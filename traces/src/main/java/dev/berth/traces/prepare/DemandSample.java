package dev.berth.traces.prepare;

import dev.berth.api.Resources;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What runs at a moment if every request runs at once.
 *
 * @param at nanoseconds since the start
 * @param byClass the demand of the instances of each class that has had a request by then, in the
 *     order of the workload's classes
 */
public record DemandSample(long at, Map<String, Resources> byClass) {

  /** Copies the map. */
  public DemandSample {
    byClass = Collections.unmodifiableMap(new LinkedHashMap<>(byClass));
  }
}
