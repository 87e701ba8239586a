package dev.berth.traces.spi;

import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;

/**
 * A file format that users can name. Implementations are stateless and safe for use by several
 * threads.
 */
public interface Format {

  /**
   * Returns the name: lower-case words separated by {@code -}, such as {@code "google-2011"}. No
   * two formats for the same content may have the same name.
   */
  String name();

  /** Returns a one-line description for help texts, without a full stop. */
  String description();

  /**
   * Returns whether an input appears to be in this format. The check must be cheap: it looks at the
   * {@linkplain Input#firstLine first line} of a file or at the names in a folder. At most one
   * format should recognise an input. {@code Readers} selects the format only if it can also read
   * the first line.
   *
   * @throws InputException if the input cannot be read
   */
  boolean recognises(Input input);
}
