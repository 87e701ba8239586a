package dev.berth.experiments.study;

import static com.google.common.base.Preconditions.checkState;

/**
 * Notes on a study, in Markdown with headings of the third level: everything that no run prints.
 *
 * @param before the source of the study and what it compares; without blank lines around it
 * @param after choices, differences and further reading; without blank lines around it, may be
 *     empty
 */
public record StudyNotes(String before, String after) {

  private static final String RUN = "{{run}}";

  /**
   * Reads notes from a resource. The line {@code {{run}}} separates the text before the figures
   * from the text after them.
   *
   * @param owner the class beside which the resource is
   * @param name of the resource, relative to the class
   * @throws IllegalStateException if the resource or the line {@code {{run}}} is missing
   */
  public static StudyNotes read(Class<?> owner, String name) {
    String text = Resource.text(owner, name);
    int at = text.indexOf("\n" + RUN);
    checkState(at >= 0, "Resource %s lacks the line %s.", name, RUN);
    return new StudyNotes(
        text.substring(0, at).strip(), text.substring(at + 1 + RUN.length()).strip());
  }
}
