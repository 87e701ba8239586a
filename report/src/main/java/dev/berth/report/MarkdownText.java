package dev.berth.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * Prose written in Markdown, such as notes from a file. Markdown and text show the source; HTML and
 * JSON show its {@linkplain #blocks() blocks}.
 *
 * @param id prefix for the ids of its tables; small letters, digits and '-'
 * @param source in the subset that {@link MarkdownReader} reads; may be empty
 */
public record MarkdownText(String id, String source) implements Block {

  /**
   * Checks the id.
   *
   * @throws IllegalArgumentException if it has other characters
   */
  public MarkdownText {
    Checks.id(id);
  }

  /** Returns headings, paragraphs, lists, tables and fenced text of the source. */
  public List<Block> blocks() {
    return new MarkdownReader(id).read(source);
  }

  @Override
  public Stream<Block> leaves(Medium medium) {
    return medium == Medium.HTML || medium == Medium.JSON ? blocks().stream() : Stream.of(this);
  }
}
