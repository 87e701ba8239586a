package dev.berth.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * Blocks that belong together, such as a table and its legend. Text shows no blank line between
 * them; the other media show them like blocks of the section.
 *
 * @param blocks not empty
 */
public record Stack(List<Block> blocks) implements Block {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if there is no block
   */
  public Stack {
    blocks = List.copyOf(blocks);
    Checks.notEmpty("blocks", blocks);
  }

  /** Returns a stack of these blocks. */
  public static Stack of(Block... blocks) {
    return new Stack(List.of(blocks));
  }

  @Override
  public Stream<Block> leaves(Medium medium) {
    return blocks.stream().flatMap(each -> each.leaves(medium));
  }
}
