package dev.berth.cli.session;

import dev.berth.cli.terminal.Output;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** A command that only has subcommands: prints its usage if none is given. */
public abstract class CommandGroup implements Runnable {

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private Session session;

  /** Returns the session that all commands share. */
  public final Session session() {
    return session;
  }

  @Override
  public final void run() {
    output.printUsage();
  }
}
