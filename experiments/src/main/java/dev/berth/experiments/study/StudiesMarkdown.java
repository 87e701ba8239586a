package dev.berth.experiments.study;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.hash.Hashing;
import dev.berth.report.render.TextRenderer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Studies as one Markdown document: the claims of the documents, a summary of all claims of the
 * studies, then a section for each study with its notes, its command and the output of that
 * command. Of a long output it has the digest. Studies that do not run keep what an earlier version
 * of the document has.
 */
public final class StudiesMarkdown {

  private static final Pattern RUN =
      Pattern.compile(
          "^```sh\\R\\./berth reproduce ([a-z0-9-]+)(?: --log \\S+)?\\R```\\R\\R(```text\\R.*?\\R```|It prints [^`]*`\\w+`\\.)$",
          Pattern.DOTALL | Pattern.MULTILINE);
  private static final int MOST_LINES = 100; // of an output
  private static final int DIGITS = 16;
  private static final String SUMMARY = "## Summary";
  private static final DocumentClaims DOCUMENTS = DocumentClaims.read();

  private final Map<String, String> outputs = new LinkedHashMap<>(); // as paragraphs
  private final ClaimSummary claims = new ClaimSummary();

  /** Creates a document without results. */
  public StudiesMarkdown() {}

  /** Returns a document with the results that an earlier version has. */
  public static StudiesMarkdown parse(String earlier) {
    StudiesMarkdown document = new StudiesMarkdown();
    Matcher runs = RUN.matcher(earlier);
    while (runs.find()) {
      document.outputs.put(runs.group(1), runs.group(2));
    }
    int from = earlier.indexOf(SUMMARY);
    if (from >= 0) {
      int to = earlier.indexOf("\n## ", from + 1);
      document.claims.read(
          earlier.substring(from, to < 0 ? earlier.length() : to).lines().toList());
    }
    return document;
  }

  /** Returns whether the document has the result of a study. */
  public boolean has(String study) {
    return outputs.containsKey(study);
  }

  /** Returns how the claims of the documents and those of the studies fail to match. */
  List<String> problems() {
    return DOCUMENTS.problems(claims);
  }

  /** Sets the result of a study. */
  public void put(Study study, StudyResult result) {
    outputs.put(
        study.name(), paragraph(new TextRenderer().lines(StudyPage.section(study, result))));
    claims.put(study.name(), result.claims());
  }

  /**
   * Returns the Markdown.
   *
   * @param studies in the order of their sections
   * @throws IllegalStateException if a study has no result
   */
  public String render(List<Study> studies) {
    StringBuilder text =
        new StringBuilder(Resource.text(StudiesMarkdown.class, "experiments.md").strip());
    text.append('\n');
    paragraph(text, DOCUMENTS.counts(claims).strip());
    paragraph(text, "## Claims");
    paragraph(text, DOCUMENTS.markdown(claims).strip());
    paragraph(text, SUMMARY);
    paragraph(
        text,
        claims.markdown(studies.stream().map(Study::name).toList(), DOCUMENTS.ours()).strip());
    for (Study each : studies) {
      String output = outputs.get(each.name());
      checkState(output != null, "Study %s has no result.", each.name());
      StudyNotes notes = each.notes();
      paragraph(text, "## <a id=\"%s\"></a>%s".formatted(each.name(), each.title()));
      paragraph(text, notes.before());
      paragraph(text, "```sh\n" + command(each) + "\n```");
      paragraph(text, output);
      if (!notes.after().isEmpty()) {
        paragraph(text, notes.after());
      }
    }
    return text.toString();
  }

  private static String paragraph(List<String> lines) {
    String output = String.join("\n", lines);
    if (lines.size() <= MOST_LINES) {
      return "```text\n" + output + "\n```";
    }
    String digest = Hashing.sha256().hashString(output, StandardCharsets.UTF_8).toString();
    return "It prints %s lines. Their SHA-256 begins with `%s`."
        .formatted(lines.size(), digest.substring(0, DIGITS));
  }

  private static String command(Study study) {
    return "./berth reproduce "
        + study.name()
        + study.input().map(input -> " --log " + input.name()).orElse("");
  }

  private static void paragraph(StringBuilder text, String paragraph) {
    text.append('\n').append(paragraph).append('\n');
  }
}
