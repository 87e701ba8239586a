package dev.berth.kubernetes.meaning;

import dev.berth.core.error.ConfigException.Problem;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * A reason why a pod or a node is refused, or why a part of it is left out.
 *
 * @param path place in the object: {@code "spec.volumes[0].persistentVolumeClaim"}
 * @param value the value found there, for people
 * @param rule the rule that it breaks, beginning with "must"; or what is the case, beginning with
 *     "is" or "has"
 * @param hint sentences with the nearest thing that works; empty if there is none
 */
public record Refusal(String path, String value, String rule, String hint) {

  /** Returns the reason in one line that is safe to print. */
  public String describe() {
    return new Problem(path, value, rule, hint).describe();
  }

  /** Returns reasons in one text, for a condition or an event; empty if there are none. */
  public static String describe(Collection<Refusal> reasons) {
    return reasons.stream().map(Refusal::describe).collect(Collectors.joining(" "));
  }
}
