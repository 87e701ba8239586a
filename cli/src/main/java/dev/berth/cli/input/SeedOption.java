package dev.berth.cli.input;

import picocli.CommandLine.Option;

/** The option {@code --seed} of commands whose default seed is {@value #DEFAULT}. */
public final class SeedOption {

  /** The seed without the option. */
  public static final long DEFAULT = 1;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "" + DEFAULT,
      description = "Seed of all random choices; default ${DEFAULT-VALUE}.")
  private long seed;

  /** Returns the seed. */
  public long value() {
    return seed;
  }
}
