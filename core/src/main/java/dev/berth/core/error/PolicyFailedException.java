package dev.berth.core.error;

/**
 * Thrown if a policy throws in a scheduling pass, or if its thread is interrupted meanwhile; then
 * the cause is a {@link java.util.concurrent.CancellationException}. All actions of the pass are
 * undone, and a pass that was due is still due.
 */
public final class PolicyFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an exception that names the policy and the pass. */
  public PolicyFailedException(String policyId, long pass, Throwable cause) {
    super("policy %s failed in pass %s: %s".formatted(policyId, pass, cause), cause);
  }
}
