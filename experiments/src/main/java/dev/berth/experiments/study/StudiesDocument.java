package dev.berth.experiments.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All experiments as one Markdown document: for each its notes, the command that makes it, and what
 * that printed. Links find an experiment by its name.
 */
public final class StudiesDocument {

  private static final Pattern RUN =
      Pattern.compile(
          "^```sh\\R\\./berth reproduce ([a-z0-9-]+)(?: --log \\S+)?\\R```\\R\\R```text\\R(.*?)\\R```$",
          Pattern.DOTALL | Pattern.MULTILINE);

  private StudiesDocument() {}

  /** Returns what the runs in a document printed, by name. */
  public static Map<String, String> printed(String document) {
    Map<String, String> printed = new LinkedHashMap<>();
    Matcher runs = RUN.matcher(document);
    while (runs.find()) {
      printed.put(runs.group(1), runs.group(2));
    }
    return printed;
  }

  /**
   * Returns the document.
   *
   * @param printed what each experiment printed, by name, without the last line end
   */
  public static String of(List<Study> experiments, Map<String, String> printed) {
    StringBuilder text = new StringBuilder(StudyNotes.resource("experiments.md").strip());
    text.append('\n');
    for (Study each : experiments) {
      String run = printed.get(each.name());
      if (run == null) {
        throw new IllegalArgumentException("nothing was printed by %s.".formatted(each.name()));
      }
      StudyNotes notes = StudyNotes.of(each);
      paragraph(text, "## <a id=\"%s\"></a>%s".formatted(each.name(), each.title()));
      paragraph(text, notes.before());
      paragraph(text, "```sh\n" + command(each) + "\n```");
      paragraph(text, "```text\n" + run + "\n```");
      if (!notes.after().isEmpty()) {
        paragraph(text, notes.after());
      }
    }
    return text.toString();
  }

  private static String command(Study experiment) {
    return "./berth reproduce "
        + experiment.name()
        + experiment.input().map(input -> " --log " + input.name()).orElse("");
  }

  private static void paragraph(StringBuilder text, String paragraph) {
    text.append('\n').append(paragraph).append('\n');
  }
}
