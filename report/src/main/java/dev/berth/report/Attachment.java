package dev.berth.report;

/**
 * A text file that belongs to a document, such as the series behind a table.
 *
 * @param name of the file; not blank
 * @param mediaType such as {@code text/csv}
 * @param content of the file, which is written as UTF-8
 * @param embedded whether an HTML page holds the file and offers to save it; otherwise the file
 *     stands beside the page, which suits large ones
 */
public record Attachment(String name, String mediaType, String content, boolean embedded) {

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException if the name or the media type is blank
   */
  public Attachment {
    Checks.notBlank("name", name);
    Checks.notBlank("mediaType of " + name, mediaType);
  }

  /** Returns a file that a page holds. */
  public static Attachment embedded(String name, String mediaType, String content) {
    return new Attachment(name, mediaType, content, true);
  }

  /** Returns a file that stands beside a page. */
  public static Attachment beside(String name, String mediaType, String content) {
    return new Attachment(name, mediaType, content, false);
  }
}
