package dev.berth.cli.prose;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of plain English that a program can check, and the rule that links resolve. */
final class ProseRules {

  /** The most words of a sentence. */
  static final int MOST_WORDS = 40;

  /** The most words of nine sentences in ten of a file. */
  static final int USUAL_WORDS = 25;

  private static final int LONG_SENTENCES_ONE_IN = 10;

  /** The most columns of a line of prose. */
  static final int WIDTH = 120;

  private static final List<Phrase> PHRASES =
      List.of(
          phrase("who(m)?ever", "name the thing: each instance that"),
          phrase("nobody|no one", "name the thing: no instance, no host"),
          phrase("somebody|someone", "name the thing: an instance, a request"),
          phrase("everybody|everyone", "name the thing: every instance"),
          phrase(
              "(?<!(?:user|users|person|people|author|authors|reader|readers|contributor"
                  + "|contributors|maintainer|maintainers) )who(m)?",
              "which or that, for a thing; name the person otherwise"),
          phrase("(?:live|lives|lived|living) on", "depends on, requires"),
          phrase("(?:is|are|was|were) to be had", "is available"),
          phrase("(?:go|goes|went|going|gone) by", "depends on, is ordered by"),
          phrase("(?:go|goes|went|going|gone) on", "continues, resumes"),
          phrase("in vain", "without result"),
          phrase("(?:stand|stands|stood|standing) still", "is paused, does not change"),
          phrase("(?:tell|tells|told|telling)", "reports, says, shows"),
          phrase("(?:bear|bears|borne)", "tolerates"),
          phrase("(?:hold|holds|held|holding) (?:\\w+ )?against", "compares with"),
          phrase("(?:is|are|was|were) none for", "is not feasible for"),
          phrase("better off|worse off", "with a higher value, with a lower value"),
          phrase("of one's own", "of your own"),
          phrase("save for", "except"),
          phrase("to speak of", "significant"),
          phrase("what there is", "what exists, what is free"),
          phrase("in the way", "conflicts with"),
          phrase("beneath", "below"),
          phrase("hearken|wherefore|thereof|whence|thence", "a modern word"));

  private ProseRules() {}

  /** A phrase to avoid, and its replacement. */
  record Phrase(Pattern pattern, String suggestion) {}

  /** A place that breaks a rule. */
  record Finding(String file, int line, String rule, String text, String suggestion) {

    @Override
    public String toString() {
      return "%s:%d: %s: \"%s\". Maybe: %s.".formatted(file, line, rule, text, suggestion);
    }
  }

  private static Phrase phrase(String regex, String suggestion) {
    return new Phrase(
        Pattern.compile("\\b(?:" + regex + ")\\b", Pattern.CASE_INSENSITIVE), suggestion);
  }

  /** Finds phrases to avoid in one line of text. */
  static List<Finding> phrases(String file, int line, String text) {
    List<Finding> findings = new ArrayList<>();
    for (Phrase phrase : PHRASES) {
      Matcher matcher = phrase.pattern().matcher(text);
      while (matcher.find()) {
        findings.add(
            new Finding(
                file,
                line,
                "not \"%s\"".formatted(matcher.group()),
                text.strip(),
                phrase.suggestion()));
      }
    }
    return findings;
  }

  /** Finds phrases to avoid in a document, including tables but not quotes and code. */
  static List<Finding> phrases(String file, Markdown document) {
    List<Finding> findings = new ArrayList<>();
    for (Markdown.Line line : document.lines()) {
      if (line.kind() != Markdown.Kind.QUOTE) {
        findings.addAll(phrases(file, line.number(), line.prose()));
      }
    }
    return findings;
  }

  /** Finds sentences that are too long, and files in which too many are longer than usual. */
  static List<Finding> sentences(String file, Markdown document) {
    List<Finding> tooLong = new ArrayList<>();
    List<Finding> longer = new ArrayList<>();
    List<Markdown.Sentence> sentences = document.sentences();
    for (Markdown.Sentence sentence : sentences) {
      int words = sentence.words();
      if (words > MOST_WORDS) {
        tooLong.add(
            new Finding(
                file,
                sentence.line(),
                "%d words, the limit is %d".formatted(words, MOST_WORDS),
                sentence.text(),
                "one idea a sentence"));
      } else if (words > USUAL_WORDS) {
        longer.add(
            new Finding(
                file,
                sentence.line(),
                "%d words, and more than one sentence in %d of this file has over %d"
                    .formatted(words, LONG_SENTENCES_ONE_IN, USUAL_WORDS),
                sentence.text(),
                "two sentences"));
      }
    }
    int allowed = Math.max(1, sentences.size() / LONG_SENTENCES_ONE_IN);
    if (tooLong.size() + longer.size() > allowed) {
      tooLong.addAll(longer);
    }
    return tooLong;
  }

  /** Finds lines of prose that are too wide, without the targets of links. */
  static List<Finding> widths(String file, Markdown document) {
    List<Finding> findings = new ArrayList<>();
    for (Markdown.Line line : document.lines()) {
      String text = Markdown.withoutTargets(line.text());
      int width = text.codePointCount(0, text.length());
      if (line.kind() != Markdown.Kind.TABLE && width > WIDTH) {
        findings.add(
            new Finding(
                file,
                line.number(),
                "%d characters, the limit is %d".formatted(width, WIDTH),
                text.strip(),
                "wrap the line"));
      }
    }
    return findings;
  }

  /**
   * Finds relative links to files or headings that do not exist.
   *
   * @param folder of the file
   * @param read returns the document at a path that exists
   */
  static List<Finding> links(
      String file, Path folder, Markdown document, Function<Path, Markdown> read) {
    List<Finding> findings = new ArrayList<>();
    for (Markdown.Link link : document.links()) {
      String target = link.target();
      if (target.contains("://") || target.startsWith("mailto:")) {
        continue;
      }
      int hash = target.indexOf('#');
      String name = hash < 0 ? target : target.substring(0, hash);
      Path path = folder.resolve(name).normalize();
      if (!name.isEmpty() && !Files.exists(path)) {
        findings.add(
            new Finding(file, link.line(), "no such file", target, "a path relative to this file"));
      } else if (hash >= 0) {
        Markdown there = name.isEmpty() ? document : read.apply(path);
        if (!there.anchors().contains(target.substring(hash + 1))) {
          findings.add(
              new Finding(
                  file, link.line(), "no such heading", target, "one of " + there.anchors()));
        }
      }
    }
    return findings;
  }
}
