package dev.berth.cli.prose;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Markdown document as the prose check needs it: its lines outside code, its sentences, links,
 * anchors and code spans.
 *
 * @param lines the lines outside fenced code, in order
 */
record Markdown(List<Line> lines) {

  private static final String FENCE = "```";
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)#*\\s*");
  private static final Pattern ITEM = Pattern.compile("^\\s*(?:[-*+]|\\d+\\.) +");
  private static final Pattern CODE = Pattern.compile("`+[^`]*`+");
  private static final Pattern IMAGE = Pattern.compile("!\\[[^\\]]*]\\([^)]*\\)");
  private static final Pattern LINK = Pattern.compile("\\[((?:[^\\[\\]])*)]\\(([^)\\s]+)\\)");
  private static final Pattern TARGET = Pattern.compile("!?\\[[^\\]]*]\\(([^)\\s]+)\\)");
  private static final Pattern MARKUP = Pattern.compile("\\*+|<[^>]+>|\\\\");
  private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");
  private static final Pattern NO_SLUG = Pattern.compile("[^\\p{L}\\p{N} _-]");

  /** A full stop within a sentence. It and the next word count as one word. */
  private static final Pattern ABBREVIATION =
      Pattern.compile("\\b(al|e\\.g|i\\.e|Eq|Eqs|Fig|No|vs|etc)\\. (?=\\S)");

  private static final Pattern SENTENCE_END =
      Pattern.compile("[.!?][\"')\\]”]*\\s+(?=[\\p{Lu}\\p{N}\"“(\\[_±Δασφ−])");
  private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

  /** Replaces a code span in a sentence; one word. */
  private static final String CODE_WORD = "Code";

  enum Kind {
    BLANK,
    HEADING,
    TABLE,
    QUOTE,
    ITEM,
    TEXT
  }

  /** A line outside fenced code, with its number from 1. */
  record Line(int number, String text, Kind kind) {

    /** Returns its words, without code, link targets and markup. */
    String prose() {
      return Markdown.prose(text, " ");
    }
  }

  /** A sentence of running text, and the line on which it starts. */
  record Sentence(int line, String text) {

    int words() {
      Matcher matcher = WORD.matcher(text);
      int words = 0;
      while (matcher.find()) {
        words++;
      }
      return words;
    }
  }

  /** The target of a link, and the line it is on. */
  record Link(int line, String target) {}

  /** A code span, and the line it is on. */
  record CodeSpan(int line, String text) {}

  static Markdown parse(String source) {
    List<Line> lines = new ArrayList<>();
    boolean inFence = false;
    int number = 0;
    for (String text : source.lines().toList()) {
      number++;
      if (text.strip().startsWith(FENCE)) {
        inFence = !inFence;
        lines.add(new Line(number, "", Kind.BLANK));
      } else if (!inFence) {
        lines.add(new Line(number, text, kindOf(text)));
      }
    }
    return new Markdown(List.copyOf(lines));
  }

  private static Kind kindOf(String text) {
    String stripped = text.strip();
    if (stripped.isEmpty()) {
      return Kind.BLANK;
    }
    if (HEADING.matcher(text).matches()) {
      return Kind.HEADING;
    }
    return switch (stripped.charAt(0)) {
      case '|' -> Kind.TABLE;
      case '>' -> Kind.QUOTE;
      default -> ITEM.matcher(text).lookingAt() ? Kind.ITEM : Kind.TEXT;
    };
  }

  /** Returns the sentences of paragraphs and list items. */
  List<Sentence> sentences() {
    List<Sentence> sentences = new ArrayList<>();
    List<Line> paragraph = new ArrayList<>();
    for (Line line : lines) {
      boolean runsOn = line.kind() == Kind.TEXT;
      if (!runsOn) {
        addSentences(paragraph, sentences);
        paragraph.clear();
      }
      if (runsOn || line.kind() == Kind.ITEM) {
        paragraph.add(line);
      }
    }
    addSentences(paragraph, sentences);
    return sentences;
  }

  private static void addSentences(List<Line> paragraph, List<Sentence> sentences) {
    StringBuilder text = new StringBuilder();
    List<Integer> ends = new ArrayList<>(); // of the lines, in the text
    for (Line line : paragraph) {
      String words = ITEM.matcher(line.text()).replaceFirst("");
      text.append(ABBREVIATION.matcher(prose(words, CODE_WORD).strip()).replaceAll("$1\u00a0"))
          .append(' ');
      ends.add(text.length());
    }
    Matcher end = SENTENCE_END.matcher(text);
    int from = 0;
    while (from < text.length()) {
      int to = end.find() ? end.end() : text.length();
      String sentence = text.substring(from, to).strip();
      if (!sentence.isEmpty()) {
        int line = 0;
        while (ends.get(line) <= from) {
          line++;
        }
        sentences.add(new Sentence(paragraph.get(line).number(), sentence));
      }
      from = to;
    }
  }

  /** Returns the targets of all links and images. */
  List<Link> links() {
    List<Link> links = new ArrayList<>();
    for (Line line : lines) {
      Matcher target = TARGET.matcher(CODE.matcher(line.text()).replaceAll("code"));
      while (target.find()) {
        links.add(new Link(line.number(), target.group(1)));
      }
    }
    return links;
  }

  /** Returns the code spans, without their back-ticks. */
  List<CodeSpan> codeSpans() {
    List<CodeSpan> spans = new ArrayList<>();
    for (Line line : lines) {
      Matcher code = CODE.matcher(line.text());
      while (code.find()) {
        spans.add(new CodeSpan(line.number(), code.group().replace("`", "")));
      }
    }
    return spans;
  }

  /** Returns the anchors that links may name: slugs of headings, as code hosts create them. */
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (Line line : lines) {
      Matcher explicit = ANCHOR.matcher(line.text());
      while (explicit.find()) {
        anchors.add(explicit.group(1));
      }
      Matcher heading = HEADING.matcher(line.text());
      if (heading.matches()) {
        String words = LINK.matcher(heading.group(1)).replaceAll("$1");
        String slug =
            NO_SLUG
                .matcher(words.strip().toLowerCase(Locale.ROOT))
                .replaceAll("")
                .replace(' ', '-');
        int before = seen.merge(slug, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? slug : slug + "-" + before);
      }
    }
    return anchors;
  }

  /** Returns a line without link targets, as wide as it is displayed. */
  static String withoutTargets(String text) {
    return LINK.matcher(text).replaceAll("[$1]");
  }

  private static String prose(String text, String code) {
    String words = CODE.matcher(text).replaceAll(code);
    words = IMAGE.matcher(words).replaceAll("");
    words = LINK.matcher(words).replaceAll("$1");
    return MARKUP.matcher(words).replaceAll("");
  }
}
