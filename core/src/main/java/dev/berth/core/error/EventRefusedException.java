package dev.berth.core.error;

import com.google.common.collect.Lists;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if an event or call is invalid, such as the completion of an unknown instance. The
 * scheduler has not changed.
 *
 * <p>The message names the event, the value and the rule, and may give a hint; {@link #code} and
 * {@link #subject} say the same to a program.
 */
public sealed class EventRefusedException extends RuntimeException permits StaleReportException {

  private static final long serialVersionUID = 1;

  private final Code code;
  private final String subject;

  /** Why an event is refused. */
  public enum Code {
    /** A host, instance, bag or group of that id is present. */
    ID_IN_USE,
    /** There is no such instance, or it is done. */
    UNKNOWN_INSTANCE,
    /** No such host is present, or up. */
    UNKNOWN_HOST,
    /** There is no such bag, or it has ended. */
    UNKNOWN_BAG,
    /** There is no such group, or it has ended. */
    UNKNOWN_GROUP,
    /** The scheduler has no such service class. */
    UNKNOWN_CLASS,
    /** No plan has begun that attempt. */
    UNKNOWN_ATTEMPT,
    /** The instance is in a state in which this cannot happen to it. */
    WRONG_STATE,
    /** A report comes too late or twice: see {@link StaleReportException}. */
    STALE,
    /** The event is before one that the scheduler has heard of. */
    PAST_TIME,
    /** A time is outside of what is allowed. */
    INVALID_TIME,
    /** Another value is outside of what is allowed. */
    INVALID_VALUE,
    /** A dimension is counted on another scale than before. */
    OTHER_SCALE,
    /** A host would hold too much to be counted. */
    TOO_LARGE;

    /**
     * Returns a refusal for this reason, to be thrown.
     *
     * @param format message for the embedder's developer, as a format of {@link String#formatted}
     * @param subject what the event is about, as in {@link #subject}: the first value in the
     *     message
     * @param values the other values in the message
     */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
    public EventRefusedException refusal(
        String format, String subject, @Nullable Object... values) {
      String message = format.formatted(Lists.asList(subject, values).toArray());
      return this == STALE
          ? new StaleReportException(subject, message)
          : new EventRefusedException(this, subject, message);
    }
  }

  /**
   * Creates an exception.
   *
   * @param subject id of the host, instance, bag or group, or name of the job or limit, that the
   *     event is about
   * @param message for the embedder's developer
   */
  public EventRefusedException(Code code, String subject, String message) {
    super(message);
    this.code = Objects.requireNonNull(code, "code");
    this.subject = Objects.requireNonNull(subject, "subject");
  }

  /** Returns why the event is refused. */
  public Code code() {
    return code;
  }

  /** Returns the id or name of what the event is about; empty if it is about all. */
  public String subject() {
    return subject;
  }
}
