package dev.berth.fuzzing;

/** The class that Jazzer calls. Its argument is the name of a {@link Target}. */
public final class Fuzzer {

  private static Target target = Target.DURATIONS;

  private Fuzzer() {}

  /** Called by Jazzer once, before the first input. */
  public static void fuzzerInitialize(String[] arguments) {
    target = Target.valueOf(arguments[0]);
  }

  /** Called by Jazzer for each input. */
  public static void fuzzerTestOneInput(byte[] input) {
    target.run(input);
  }
}
