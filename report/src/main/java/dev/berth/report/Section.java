package dev.berth.report;

import java.util.List;

/**
 * A part of a document.
 *
 * @param id names it in links and in JSON; small letters, digits and '-', unique in the document
 * @param title its heading; empty for none
 * @param blocks may be empty
 */
public record Section(String id, String title, List<Block> blocks) {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if the id has other characters
   */
  public Section {
    Checks.id(id);
    blocks = List.copyOf(blocks);
  }

  /** Returns what a medium shows, in order, with containers dissolved. */
  public List<Block> leaves(Medium medium) {
    return blocks.stream().flatMap(block -> block.leaves(medium)).toList();
  }
}
