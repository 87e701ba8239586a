package dev.berth.core.error;

/**
 * A policy threw in a scheduling pass. The pass has left nothing behind, and what made it due still
 * does.
 */
public final class PolicyFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Makes one that names the policy and the pass. */
  public PolicyFailedException(String policyId, long pass, Throwable cause) {
    super("policy %s failed in pass %s: %s".formatted(policyId, pass, cause), cause);
  }
}
