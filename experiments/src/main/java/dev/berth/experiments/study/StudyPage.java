package dev.berth.experiments.study;

import dev.berth.report.Block;
import dev.berth.report.Details;
import dev.berth.report.Document;
import dev.berth.report.MarkdownText;
import dev.berth.report.Medium;
import dev.berth.report.OnlyFor;
import dev.berth.report.Section;
import dev.berth.report.Text;
import dev.berth.report.render.TextRenderer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Collects results of studies in one document: a section with notes for each study. */
public final class StudyPage {

  private final List<Section> sections = new ArrayList<>();
  private final ClaimSummary summary = new ClaimSummary();
  private final long seed;

  /**
   * Creates a page without studies.
   *
   * @param seed of the runs
   */
  public StudyPage(long seed) {
    this.seed = seed;
  }

  /** Returns the result of a study as a section without notes, for a terminal. */
  public static Section section(Study study, StudyResult result) {
    return new Section(study.name(), study.title(), result.blocks());
  }

  private Text outstanding(List<Study> studies) {
    return Text.of(
        "This page is incomplete: it has %s of %s studies. Outstanding: %s."
            .formatted(
                sections.size(),
                sections.size() + studies.size(),
                studies.stream().map(Study::name).collect(Collectors.joining(", "))));
  }

  /** Adds a study. */
  public void add(Study study, StudyResult result) {
    StudyNotes notes = study.notes();
    List<Block> blocks = new ArrayList<>();
    blocks.add(new MarkdownText(study.name() + "-source", notes.before()));
    blocks.addAll(result.blocks());
    blocks.add(
        OnlyFor.of(
            Medium.HTML,
            new Details(
                "Text output of the command",
                String.join("\n", new TextRenderer().lines(section(study, result))))));
    if (!result.series().isEmpty()) {
      blocks.add(
          Text.of(
              result.series().stream()
                  .map(each -> each.name() + ".csv")
                  .collect(Collectors.joining(", ", "Series in files beside this page: ", "."))));
    }
    if (!notes.after().isEmpty()) {
      blocks.add(new MarkdownText(study.name() + "-notes", notes.after()));
    }
    sections.add(new Section(study.name(), study.title(), blocks));
    summary.put(study.name(), result.claims());
  }

  /**
   * Returns the document; at least one study must have been added.
   *
   * @param outstanding studies that the page will have later; it names them
   */
  public Document document(List<Study> outstanding) {
    List<Section> all = new ArrayList<>();
    if (!outstanding.isEmpty()) {
      all.add(new Section("outstanding", "", List.of(outstanding(outstanding))));
    }
    if (!summary.isEmpty()) {
      all.add(new Section("summary", "Summary", List.of(summary.table())));
    }
    all.addAll(sections);
    return new Document(
        "Published studies, reproduced",
        "Published figures beside ours, also where ours look worse. Seed %s.".formatted(seed),
        all,
        List.of());
  }
}
