package dev.berth.report;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Blocks for some media only, such as a legend for the abbreviations of the text. All others skip
 * them.
 *
 * @param media that show the blocks; not empty
 * @param blocks may be empty
 */
public record OnlyFor(Set<Medium> media, List<Block> blocks) implements Block {

  /**
   * Copies set and list.
   *
   * @throws IllegalArgumentException if there is no medium
   */
  public OnlyFor {
    media = Set.copyOf(media);
    blocks = List.copyOf(blocks);
    Checks.notEmpty("media", List.copyOf(media));
  }

  /** Returns blocks for one medium. */
  public static OnlyFor of(Medium medium, Block... blocks) {
    return new OnlyFor(Set.of(medium), List.of(blocks));
  }

  /** Returns a paragraph that only text has. */
  public static OnlyFor inText(String paragraph) {
    return of(Medium.TEXT, Text.of(paragraph));
  }

  @Override
  public Stream<Block> leaves(Medium medium) {
    return media.contains(medium)
        ? blocks.stream().flatMap(each -> each.leaves(medium))
        : Stream.empty();
  }
}
