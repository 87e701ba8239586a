package dev.berth.experiments.study;

import dev.berth.report.Block;
import dev.berth.report.Details;
import dev.berth.report.Page;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Experiments that were made again, as a page: a section for each. Their series, which may be long,
 * are no part of it.
 */
public final class StudyPage {

  private final List<Page.Section> sections = new ArrayList<>();
  private final long seed;

  /** A page without sections, of runs with a seed. */
  public StudyPage(long seed) {
    this.seed = seed;
  }

  /** Adds an experiment and what came of it. */
  public void add(Study experiment, Study.Report report) {
    StudyNotes notes = StudyNotes.of(experiment);
    List<Block> blocks = new ArrayList<>(notes.blocksBefore(experiment.name()));
    blocks.addAll(report.blocks());
    blocks.add(new Details("As the command prints it", String.join("\n", report.lines())));
    if (!report.series().isEmpty()) {
      blocks.add(
          Text.of(
              report.series().stream()
                  .map(each -> each.name() + ".csv")
                  .collect(
                      Collectors.joining(", ", "The series behind are beside this page: ", "."))));
    }
    blocks.addAll(notes.blocksAfter(experiment.name()));
    sections.add(new Page.Section(experiment.name(), experiment.title(), blocks));
  }

  /** Returns the page; not before something was added. */
  public Page page() {
    return new Page(
        "Published experiments, made again",
        "What was published beside ours, also where ours look worse. Seed %s.".formatted(seed),
        sections,
        List.of());
  }
}
