package dev.berth.cli.terminal;

import dev.berth.cli.error.ExitCode;
import dev.berth.report.render.Printable;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Notices that something else than the command ends the process. If a plugin calls {@code
 * System.exit}, that is a failure: the command has no result, so its exit code must not be {@link
 * ExitCode#DONE}. A signal ends the process with its usual exit code, after a message that says
 * what is kept.
 */
public final class ExitGuard {

  private final Interruption interruption;
  private final Runnable silence;
  private final Thread hook;

  private ExitGuard(Runnable cleanUp, Interruption interruption, Runnable silence) {
    this.interruption = interruption;
    this.silence = silence;
    this.hook = new Thread(() -> check(cleanUp), "berth-exit");
  }

  /**
   * Guards the process from now on.
   *
   * @param cleanUp runs before the process ends by a plugin
   * @param interruption is reported if a signal ends the process
   * @param silence suppresses later messages of the command, which continues until the process ends
   */
  public static ExitGuard install(Runnable cleanUp, Interruption interruption, Runnable silence) {
    ExitGuard guard = new ExitGuard(cleanUp, interruption, silence);
    Runtime.getRuntime().addShutdownHook(guard.hook);
    return guard;
  }

  /**
   * Allows the process to end: the command has done so. Does not return if the process is ending
   * already, because then the exit code is not that of the command: it may have failed only because
   * its temporary files are gone.
   */
  public void release() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      while (true) {
        LockSupport.park();
      }
    }
  }

  private void check(Runnable cleanUp) {
    Optional<String> culprit = callerOfExit();
    if (culprit.isEmpty()) { // a signal
      silence.run();
      interruption.report(System.err);
      return;
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
