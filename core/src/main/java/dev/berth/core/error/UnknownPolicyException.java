package dev.berth.core.error;

import java.util.List;

/** No policy has the id that was asked for; the message lists those that there are. */
public final class UnknownPolicyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Makes one that lists the known ids. */
  public UnknownPolicyException(String id, List<String> known) {
    super(
        known.isEmpty()
            ? "no policy %s, nor any other. Maybe a jar with policies is missing on the class path."
                .formatted(id)
            : "no policy %s. Known: %s.".formatted(id, String.join(", ", known)));
  }
}
