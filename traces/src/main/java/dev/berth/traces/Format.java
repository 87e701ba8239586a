package dev.berth.traces;

/** A file format that users may name. */
public interface Format {

  /** Returns its name: lower-case words with {@code -} between, {@code "google-2011"}. */
  String name();

  /** Returns what it is, in a line without a full stop, for help texts. */
  String description();

  /**
   * Returns whether an input looks like it: cheaply, by its {@linkplain Input#firstLine first line}
   * or, for a folder, by the names in it. At most one format should say yes.
   *
   * @throws InputException if the input cannot be read
   */
  boolean recognises(Input input);
}
