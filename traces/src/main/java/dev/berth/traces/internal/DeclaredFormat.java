package dev.berth.traces.internal;

import dev.berth.traces.input.Input;
import dev.berth.traces.spi.Format;
import java.util.function.Predicate;

/** A format that is declared: its name, its description, and how its files look. */
public abstract class DeclaredFormat implements Format {

  private final String name;
  private final String description;
  private final Predicate<Input> isRecognised;

  protected DeclaredFormat(String name, String description, Predicate<Input> isRecognised) {
    this.name = name;
    this.description = description;
    this.isRecognised = isRecognised;
  }

  /** Returns whether the first line of a file looks so. */
  protected static Predicate<Input> firstLine(Predicate<String> looks) {
    return input -> input.firstLine().filter(looks).isPresent();
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String description() {
    return description;
  }

  @Override
  public final boolean recognises(Input input) {
    return isRecognised.test(input);
  }
}
