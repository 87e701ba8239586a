package dev.berth.experiments.study;

import dev.berth.report.Block;
import dev.berth.report.CsvText;
import java.util.List;

/**
 * The result of a study.
 *
 * @param blocks tables, charts and remarks; their ids begin with the name of the study
 * @param claims the claims of the publication, checked; empty if it makes none
 * @param series the figures behind the tables, as CSV
 */
public record StudyResult(List<Block> blocks, List<Claim> claims, List<CsvText> series) {

  /** Copies the lists. */
  public StudyResult {
    blocks = List.copyOf(blocks);
    claims = List.copyOf(claims);
    series = List.copyOf(series);
  }
}
