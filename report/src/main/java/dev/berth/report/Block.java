package dev.berth.report;

import java.util.stream.Stream;

/** A part of a section; the blocks of a section follow each other from top to bottom. */
public sealed interface Block
    permits Heading,
        Text,
        Facts,
        Table,
        Chart,
        Grid,
        Details,
        Folded,
        Preformatted,
        MarkdownText,
        Stack,
        OnlyFor {

  /** Returns what a medium shows of this block, in order, with containers dissolved. */
  default Stream<Block> leaves(Medium medium) {
    return Stream.of(this);
  }
}
