package dev.berth.core.error;

import java.util.List;

/**
 * Thrown if no policy has the requested id. The message lists the known ids. It names the artifact
 * that has a policy of Berth, and the nearest id for any other.
 */
public final class UnknownPolicyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an exception that lists the known ids. */
  public UnknownPolicyException(String id, List<String> known) {
    super(
        known.isEmpty()
            ? "no policy %s: no policies were found. Maybe add an artifact with policies, such as %s."
                .formatted(id, ShippedPolicies.artifactOf(id).orElse(ShippedPolicies.FIRST))
            : "no policy %s.%s Known: %s."
                .formatted(id, hint(id, known), String.join(", ", known)));
  }

  private static String hint(String id, List<String> known) {
    String hint =
        ShippedPolicies.artifactOf(id)
            .map("Maybe add the artifact %s."::formatted)
            .orElseGet(() -> NearestName.hint(id, known));
    return hint.isEmpty() ? "" : " " + hint;
  }
}
