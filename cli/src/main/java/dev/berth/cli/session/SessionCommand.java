package dev.berth.cli.session;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command: the writers that it prints with, and the session that all commands share. */
public abstract class SessionCommand {

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  /** Returns the model of this command. */
  protected final CommandSpec spec() {
    return spec;
  }

  /** Returns the writer of standard output. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Returns the writer of standard error. */
  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Returns the session, which is the top-level command. */
  protected final Session session() {
    return (Session) spec.root().userObject();
  }
}
