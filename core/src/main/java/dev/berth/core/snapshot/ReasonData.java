package dev.berth.core.snapshot;

import java.util.Map;

/**
 * A {@link dev.berth.api.Reason}.
 *
 * @param type the simple name of its record: {@code "PolicyChoice"}
 * @param values its components by name; plain data
 */
public record ReasonData(String type, Map<String, Object> values) {

  /** Copies the values, in ascending order of name. */
  public ReasonData {
    values = Plain.copy("reason " + type, values);
  }
}
