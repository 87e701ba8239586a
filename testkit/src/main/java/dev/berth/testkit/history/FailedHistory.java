package dev.berth.testkit.history;

/**
 * A history in which a rule was broken. The message names the violation alone, because test
 * platforms print it several times; the transcript is apart.
 */
public final class FailedHistory extends AssertionError {

  private static final long serialVersionUID = 1;

  private final String transcript;

  FailedHistory(String violation, String transcript, Throwable cause) {
    super(violation, cause);
    this.transcript = transcript;
  }

  /** Returns the events and plans up to the violation, a line each. */
  public String transcript() {
    return transcript;
  }
}
