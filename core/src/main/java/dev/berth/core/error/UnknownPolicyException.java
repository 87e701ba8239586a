package dev.berth.core.error;

import java.util.List;

/** Thrown if no policy has the requested id. The message lists the known ids. */
public final class UnknownPolicyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an exception that lists the known ids. */
  public UnknownPolicyException(String id, List<String> known) {
    super(
        known.isEmpty()
            ? "no policy %s: no policies were found. Maybe a jar with policies is missing on the class path."
                .formatted(id)
            : "no policy %s. Known: %s.".formatted(id, String.join(", ", known)));
  }
}
