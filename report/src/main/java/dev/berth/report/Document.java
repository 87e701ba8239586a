package dev.berth.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The content of a report, independent of the form in which it is shown: numbers, names and their
 * order. The renderers of {@code dev.berth.report.render} turn it into text, Markdown, JSON or
 * HTML. Immutable, so any thread may use it.
 *
 * @param title not blank
 * @param subtitle may be empty
 * @param sections not empty
 * @param attachments files that belong to it, with different names
 */
public record Document(
    String title, String subtitle, List<Section> sections, List<Attachment> attachments) {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if the title is blank, there is no section, two sections,
   *     tables or charts have the same id, or two attachments have the same name
   */
  public Document {
    Checks.notBlank("title", title);
    sections = List.copyOf(sections);
    attachments = List.copyOf(attachments);
    Checks.notEmpty("sections", sections);
    Checks.unique("attachments", attachments, Attachment::name);
    for (Medium medium : Medium.values()) {
      Checks.unique("ids", ids(sections, medium), Function.identity());
    }
  }

  /** Returns a document with one section, without subtitle and attachments. */
  public static Document of(String title, Block... blocks) {
    Section only = new Section("content", "", List.of(blocks));
    return new Document(title, "", List.of(only), List.of());
  }

  private static List<String> ids(List<Section> sections, Medium medium) {
    List<String> ids = new ArrayList<>();
    for (Section section : sections) {
      ids.add(section.id());
      for (Block leaf : section.leaves(medium)) {
        if (leaf instanceof Chart chart) {
          ids.add(chart.id());
        } else if (leaf instanceof Table table) {
          ids.add(table.id());
        }
      }
    }
    return ids;
  }

  /** Returns the charts that a medium shows, in order. */
  public List<Chart> charts(Medium medium) {
    return leaves(medium).filter(Chart.class::isInstance).map(Chart.class::cast).toList();
  }

  /** Returns the tables that a medium shows, in order. */
  public List<Table> tables(Medium medium) {
    return leaves(medium).filter(Table.class::isInstance).map(Table.class::cast).toList();
  }

  private Stream<Block> leaves(Medium medium) {
    return sections.stream().flatMap(section -> section.leaves(medium).stream());
  }
}
