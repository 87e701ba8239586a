package dev.berth.experiments.study;

import dev.berth.experiments.output.MarkdownBlocks;
import dev.berth.report.Block;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What is to be said of an experiment that no run prints, from the resource {@code
 * notes/<name>.md}: in front of the line {@code {{run}}} where it is from and what is compared,
 * behind it what was chosen, why ours differ, and what else there is to see. Markdown, with
 * headings of the third level.
 *
 * @param before Markdown, without blank lines around it
 * @param after Markdown, without blank lines around it; may be empty
 */
record StudyNotes(String before, String after) {

  private static final String FOLDER = "notes/";
  private static final String RUN = "{{run}}";

  /** Returns those of an experiment. */
  static StudyNotes of(Study experiment) {
    String text = resource(experiment.name() + ".md");
    int at = text.indexOf("\n" + RUN);
    if (at < 0) {
      throw new IllegalStateException(
          "the notes of %s lack the line %s.".formatted(experiment.name(), RUN));
    }
    return new StudyNotes(
        text.substring(0, at).strip(), text.substring(at + 1 + RUN.length()).strip());
  }

  /** Returns a resource of the folder of notes. */
  static String resource(String name) {
    try (InputStream input = StudyNotes.class.getResourceAsStream(FOLDER + name)) {
      if (input == null) {
        throw new IllegalStateException("resource " + FOLDER + name + " is missing from the jar.");
      }
      return new String(input.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Returns what comes before the figures, for a page. */
  List<Block> blocksBefore(String id) {
    return new MarkdownBlocks(id + "-source").of(before);
  }

  /** Returns what comes after the figures, for a page. */
  List<Block> blocksAfter(String id) {
    return new MarkdownBlocks(id + "-notes").of(after);
  }
}
