package dev.berth.report;

/**
 * A text file that belongs to a document, such as the series behind a table.
 *
 * @param name of the file; not blank
 * @param mediaType such as {@code text/csv}
 * @param content of the file, which is written as UTF-8
 */
public record Attachment(String name, String mediaType, String content) {

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException if the name or the media type is blank
   */
  public Attachment {
    Checks.notBlank("name", name);
    Checks.notBlank("mediaType of " + name, mediaType);
  }
}
