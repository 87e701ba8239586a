package dev.berth.cli.error;

import dev.berth.core.error.PolicyFailedException;
import dev.berth.experiments.run.PolicyUnusableException;
import java.util.Arrays;
import java.util.List;

/** Finds where the code of a policy failed. */
final class PolicyFrames {

  private static final int MOST = 5;

  /** Beginnings of the names of classes that call policies, or that policies call. */
  private static final List<String> OTHERS =
      List.of(
          "dev.berth.api.",
          "dev.berth.cli.",
          "dev.berth.core.",
          "dev.berth.experiments.",
          "dev.berth.simulator.",
          "com.google.common.",
          "com.sun.",
          "java.",
          "jdk.",
          "picocli.",
          "sun.");

  private PolicyFrames() {}

  /**
   * Returns the calls of a policy in the stack trace of its failure, the failed one first.
   *
   * @param failure of a run
   * @return at most {@value #MOST} lines; none if no policy failed
   */
  static List<String> of(Throwable failure) {
    boolean ofPolicy = false;
    Throwable deepest = failure;
    for (Throwable each = failure; each != null; each = each.getCause()) {
      ofPolicy |= each instanceof PolicyFailedException || each instanceof PolicyUnusableException;
      deepest = each;
    }
    return ofPolicy
        ? Arrays.stream(deepest.getStackTrace())
            .filter(frame -> OTHERS.stream().noneMatch(frame.getClassName()::startsWith))
            .limit(MOST)
            .map(PolicyFrames::text)
            .toList()
        : List.of();
  }

  private static String text(StackTraceElement frame) {
    String file = frame.getFileName() == null ? "unknown source" : frame.getFileName();
    return "%s.%s (%s%s)"
        .formatted(
            frame.getClassName(),
            frame.getMethodName(),
            file,
            frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "");
  }
}
