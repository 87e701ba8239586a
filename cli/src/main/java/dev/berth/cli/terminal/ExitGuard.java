package dev.berth.cli.terminal;

import dev.berth.report.render.Printable;
import java.util.Optional;

/**
 * Notices that a plugin ends the process with {@code System.exit}, and makes that a failure: the
 * command has no result, so its exit code must not be {@link ExitCode#DONE}. Signals still end the
 * process as usual.
 */
public final class ExitGuard {

  private volatile boolean released;

  private ExitGuard() {}

  /**
   * Guards the process from now on.
   *
   * @param cleanUp runs before the process ends by a plugin
   */
  public static ExitGuard install(Runnable cleanUp) {
    ExitGuard guard = new ExitGuard();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> guard.check(cleanUp), "berth-exit"));
    return guard;
  }

  /** Allows the process to end: the command has done so. */
  public void release() {
    released = true;
  }

  private void check(Runnable cleanUp) {
    if (released) {
      return;
    }
    Optional<String> culprit = callerOfExit();
    if (culprit.isEmpty()) {
      return; // a signal
    }
    cleanUp.run();
    System.err.println(
        "berth: %s called System.exit, which policies must not do; the command has no result."
            .formatted(Printable.line(culprit.get())));
    System.err.flush();
    Runtime.getRuntime().halt(ExitCode.FAILED);
  }

  /** Returns the class that called {@code exit}; its thread waits for the shutdown to end. */
  private static Optional<String> callerOfExit() {
    for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
      for (int i = stack.length - 2; i >= 0; i--) {
        if (isExit(stack[i])) {
          return Optional.of(stack[i + 1].getClassName());
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isExit(StackTraceElement frame) {
    return frame.getMethodName().equals("exit")
        && (frame.getClassName().equals("java.lang.System")
            || frame.getClassName().equals("java.lang.Runtime"));
  }
}
