package dev.berth.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * Blocks that a page unfolds on demand. The other media show them like blocks of the section.
 *
 * @param summary shown when folded; not blank
 * @param blocks shown when unfolded; without charts, which need to know their width
 */
public record Folded(String summary, List<Block> blocks) implements Block {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if the summary is blank
   */
  public Folded {
    Checks.notBlank("summary", summary);
    blocks = List.copyOf(blocks);
  }

  @Override
  public Stream<Block> leaves(Medium medium) {
    return blocks.stream().flatMap(each -> each.leaves(medium));
  }
}
