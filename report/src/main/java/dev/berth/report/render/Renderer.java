package dev.berth.report.render;

import dev.berth.report.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Turns documents into text of some medium. The same document gives the same characters. */
public interface Renderer {

  /** Returns the document in the medium; its last line has an end. */
  String render(Document document);

  /**
   * Writes the document to a file as UTF-8 and replaces previous content. Attachments are not
   * written.
   *
   * @throws IOException if the file cannot be written
   */
  default void write(Document document, Path file) throws IOException {
    Files.writeString(file, render(document));
  }
}
