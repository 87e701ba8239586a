package dev.berth.core.error;

import dev.berth.api.Experimental;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a scheduler cannot be restored from a snapshot, if none can be taken, or if a file
 * holds none. Holds all problems found, not only the first.
 */
@Experimental
public final class SnapshotException extends RuntimeException {

  private static final long serialVersionUID = 1;
  private static final int MOST_IN_MESSAGE = 20;

  private final transient List<String> problems;

  /**
   * Creates an exception.
   *
   * @param problems sentences without a full stop, at least one
   */
  public SnapshotException(List<String> problems) {
    this(problems, null);
  }

  /**
   * Creates an exception for one problem.
   *
   * @param problem a sentence without a full stop
   * @param cause what showed the problem, or null
   */
  public SnapshotException(String problem, @Nullable Throwable cause) {
    this(List.of(problem), cause);
  }

  private SnapshotException(List<String> problems, @Nullable Throwable cause) {
    super(message(problems), cause);
    this.problems = List.copyOf(problems);
  }

  private static String message(List<String> problems) {
    String first =
        problems.stream()
            .limit(MOST_IN_MESSAGE)
            .map(each -> "snapshot: " + Printable.phrase(each) + ".")
            .collect(Collectors.joining("\n"));
    int more = problems.size() - MOST_IN_MESSAGE;
    return more > 0 ? first + "\nsnapshot: " + more + " more problems." : first;
  }

  /** Returns all problems; never empty. */
  public List<String> problems() {
    return problems;
  }
}
