package dev.berth.runtime;

/**
 * A pass of a replay gave another plan, or led to another state, than the journal says. Then the
 * policy, its configuration or Berth itself decides differently from the one that wrote the
 * journal.
 */
public final class ReplayMismatchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long pass;
  private final long record;

  ReplayMismatchException(long pass, long record, String message) {
    super("record %s, pass %s: %s".formatted(record, pass, message));
    this.pass = pass;
    this.record = record;
  }

  /** Returns the number of the first pass that differs. */
  public long pass() {
    return pass;
  }

  /** Returns the number of the record of that pass. */
  public long record() {
    return record;
  }
}
