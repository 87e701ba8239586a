package dev.berth.cli.session;

/** A command that only has subcommands: prints its usage if none is given. */
public abstract class CommandGroup extends SessionCommand implements Runnable {

  @Override
  public final void run() {
    spec().commandLine().usage(out());
  }
}
