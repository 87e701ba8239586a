package dev.berth.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All that a page shows, in order.
 *
 * @param title not blank
 * @param subtitle may be empty
 * @param sections not empty
 * @param downloads what the page offers as files, each under a name of its own
 */
public record Page(
    String title, String subtitle, List<Section> sections, List<Download> downloads) {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if the title is blank, there is no section, or two parts or
   *     two downloads have one name
   */
  public Page {
    Checks.notBlank("title", title);
    sections = List.copyOf(sections);
    downloads = List.copyOf(downloads);
    Checks.notEmpty("sections", sections);
    Checks.unique("downloads", downloads, Download::name);
    List<String> ids = new ArrayList<>();
    for (Section section : sections) {
      ids.add(section.id());
      section.charts().forEach(chart -> ids.add(chart.id()));
      section.tables().forEach(table -> ids.add(table.id()));
    }
    Checks.unique("ids", ids, Function.identity());
  }

  /** Returns the charts of all sections, also those in grids, in order. */
  public List<Chart> charts() {
    return sections.stream().flatMap(section -> section.charts().stream()).toList();
  }

  /** Returns the tables of all sections, in order. */
  public List<Table> tables() {
    return sections.stream().flatMap(section -> section.tables().stream()).toList();
  }

  /**
   * A part of a page with a heading.
   *
   * @param id names it in links; small letters, digits and '-', unique on the page
   * @param title not blank
   * @param blocks may be empty
   */
  public record Section(String id, String title, List<Block> blocks) {

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if the id has other characters or the title is blank
     */
    public Section {
      Checks.id(id);
      Checks.notBlank("title of " + id, title);
      blocks = List.copyOf(blocks);
    }

    List<Chart> charts() {
      return blocks.stream()
          .flatMap(
              block ->
                  block instanceof Grid grid
                      ? grid.charts().stream()
                      : block instanceof Chart chart ? Stream.of(chart) : Stream.empty())
          .toList();
    }

    List<Table> tables() {
      return blocks.stream().filter(Table.class::isInstance).map(Table.class::cast).toList();
    }
  }

  /**
   * A text that the page offers to save as a file.
   *
   * @param name of the file; not blank
   * @param mediaType such as {@code text/csv}
   * @param content of the file, which is written as UTF-8
   */
  public record Download(String name, String mediaType, String content) {

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if the name or the media type is blank
     */
    public Download {
      Checks.notBlank("name", name);
      Checks.notBlank("mediaType of " + name, mediaType);
    }
  }
}
