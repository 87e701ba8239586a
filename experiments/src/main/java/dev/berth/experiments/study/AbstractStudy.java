package dev.berth.experiments.study;

import dev.berth.traces.input.Input;
import java.util.Optional;

/** A study whose name, title and input are set when it is created. */
public abstract class AbstractStudy implements Study {

  private final String name;
  private final String title;
  private final Optional<Input> input;

  /** Creates a study without input. */
  protected AbstractStudy(String name, String title) {
    this(name, title, Optional.empty());
  }

  /** Creates a study that reads a file or folder. */
  protected AbstractStudy(String name, String title, Input input) {
    this(name, title, Optional.of(input));
  }

  /** Creates a study that may read a file or folder. */
  protected AbstractStudy(String name, String title, Optional<Input> input) {
    this.name = name;
    this.title = title;
    this.input = input;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String title() {
    return title;
  }

  @Override
  public final Optional<Input> input() {
    return input;
  }
}
