package dev.berth.cli.prose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.cli.prose.ProseRules.Finding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Markdown of the project is plain English, and its links resolve.
 *
 * <p>{@code -Dberth.prose.report=FILE} also lists the phrases to avoid in comments and messages of
 * main sources.
 */
class ProseTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> DOCUMENTS =
      List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md");
  private static final List<String> FOLDERS = List.of("docs", "examples");
  private static final Set<String> NAMING_TYPES =
      Set.of("CONTRIBUTING.md", "docs/guide/glossary.md");
  private static final int FEWEST_DOCUMENTS = 25;

  private static final Pattern TYPE_NAME =
      Pattern.compile("([A-Z][a-z][A-Za-z0-9]*)(?:\\.([A-Za-z][A-Za-z0-9]*))?(?:\\(.*\\))?");
  private static final Pattern DECLARATION =
      Pattern.compile("\\b(?:class|interface|record|enum) +([A-Z]\\w*)");
  private static final String REPORT = "berth.prose.report";

  @Test
  void findsAllDocuments() {
    assertThat(documents()).hasSizeGreaterThan(FEWEST_DOCUMENTS);
  }

  @Test
  void usesPlainPhrases() {
    assertThat(inAll(ProseRules::phrases)).isEmpty();
  }

  @Test
  void keepsSentencesShort() {
    assertThat(inAll(ProseRules::sentences)).isEmpty();
  }

  @Test
  void wrapsLines() {
    assertThat(inAll(ProseRules::widths)).isEmpty();
  }

  @Test
  void linksResolve() {
    List<Finding> findings = new ArrayList<>();
    for (Path path : documents()) {
      findings.addAll(
          ProseRules.links(nameOf(path), path.getParent(), read(path), ProseTest::read));
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void namesTypesThatExist() {
    Map<String, String> sources = new TreeMap<>(); // by type
    for (Path path : moduleFiles("src", ".java")) {
      String source = text(path);
      Matcher declaration = DECLARATION.matcher(source);
      while (declaration.find()) {
        sources.merge(declaration.group(1), source, String::concat);
      }
    }
    List<Finding> findings = new ArrayList<>();
    for (String name : NAMING_TYPES) {
      findings.addAll(unknownTypes(name, read(ROOT.resolve(name)), sources));
    }
    assertThat(findings).isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(named = REPORT, matches = ".+")
  void reportsPhrasesOfSources() throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    List<Finding> findings = new ArrayList<>();
    for (Path path : moduleFiles("src/main", ".java")) {
      for (JavaText.Line line : JavaText.of(text(path))) {
        findings.addAll(ProseRules.phrases(nameOf(path), line.number(), line.text()));
      }
    }
    for (Path path : moduleFiles("src/main", ".md")) {
      findings.addAll(ProseRules.phrases(nameOf(path), read(path)));
    }
    for (Finding finding : findings) {
      counts.merge(finding.file().substring(0, finding.file().indexOf('/')), 1, Integer::sum);
    }
    List<String> lines = new ArrayList<>();
    counts.forEach(
        (module, count) -> lines.add(String.format(Locale.ROOT, "%5d  %s", count, module)));
    lines.add("");
    findings.forEach(each -> lines.add(each.toString()));
    Files.write(Path.of(System.getProperty(REPORT, "")), lines);
  }

  private interface Rule {
    List<Finding> check(String file, Markdown document);
  }

  private static List<Finding> inAll(Rule rule) {
    List<Finding> findings = new ArrayList<>();
    for (Path path : documents()) {
      String name = nameOf(path);
      findings.addAll(rule.check(name, read(path)));
    }
    return findings;
  }

  /** Finds code spans that look like a type or its member but name none of the sources. */
  private static List<Finding> unknownTypes(
      String file, Markdown document, Map<String, String> sources) {
    List<Finding> findings = new ArrayList<>();
    for (Markdown.CodeSpan span : document.codeSpans()) {
      Matcher name = TYPE_NAME.matcher(span.text());
      if (name.matches()) {
        String source = sources.get(name.group(1));
        String member = name.group(2);
        if (source == null
            || (member != null
                && !Pattern.compile("\\b" + member + "\\b").matcher(source).find())) {
          findings.add(
              new Finding(
                  file, span.line(), "no such type or member", span.text(), "its new name"));
        }
      }
    }
    return findings;
  }

  private static List<Path> documents() {
    List<Path> paths = new ArrayList<>();
    DOCUMENTS.forEach(each -> paths.add(ROOT.resolve(each)));
    FOLDERS.forEach(each -> paths.addAll(files(ROOT.resolve(each), ".md")));
    return paths;
  }

  /** Returns the files with an ending below a folder of each module. */
  private static List<Path> moduleFiles(String folder, String ending) {
    List<Path> paths = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.sorted().toList()) {
        if (Files.exists(module.resolve("pom.xml")) && Files.exists(module.resolve(folder))) {
          paths.addAll(files(module.resolve(folder), ending));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return paths;
  }

  private static List<Path> files(Path folder, String ending) {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths
          .filter(each -> each.toString().endsWith(ending))
          .filter(each -> !nameOf(each).contains("/target/"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String nameOf(Path path) {
    return ROOT.relativize(path).toString().replace('\\', '/');
  }

  private static Markdown read(Path path) {
    return Markdown.parse(text(path));
  }

  private static String text(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each rule finds violations and nothing else. */
  @Nested
  class Rules {

    private static final String FILE = "a.md";

    @Test
    void findPhrasesInTextAndTables() {
      Markdown document =
          Markdown.parse(
              """
              Whoever waits is placed.

              | a table | with somebody |
              | --- | --- |
              """);
      assertThat(ProseRules.phrases(FILE, document))
          .extracting(Finding::line, Finding::rule)
          .containsExactly(tuple(1, "not \"Whoever\""), tuple(3, "not \"somebody\""));
    }

    @Test
    void passCodeQuotesAndPersons() {
      Markdown document =
          Markdown.parse(
              """
              A user who cancels calls `whoever()`.

              ```java
              nobody();
              ```

              > Somebody said so.
              """);
      assertThat(ProseRules.phrases(FILE, document)).isEmpty();
    }

    @Test
    void findOneSentenceAboveTheLimit() {
      String words = "word ".repeat(ProseRules.MOST_WORDS).strip();
      assertThat(ProseRules.sentences(FILE, Markdown.parse("Short.\n\n" + words + ".\n")))
          .isEmpty();
      assertThat(ProseRules.sentences(FILE, Markdown.parse("Short.\n\n" + words + "\nmore.\n")))
          .singleElement()
          .satisfies(
              each -> {
                assertThat(each.line()).isEqualTo(3);
                assertThat(each.rule()).isEqualTo("41 words, the limit is 40");
              });
    }

    @Test
    void findTooManyLongSentences() {
      String sentence = "Word" + " word".repeat(ProseRules.USUAL_WORDS) + ". ";
      assertThat(ProseRules.sentences(FILE, Markdown.parse(sentence + "Short."))).isEmpty();
      assertThat(ProseRules.sentences(FILE, Markdown.parse(sentence.repeat(2)))).hasSize(2);
    }

    @Test
    void splitSentencesAtFullStopsOnly() {
      Markdown document =
          Markdown.parse(
              """
              - One sentence (Smith et al. 2005, Eq. 8) of 0.5 cores. Another `a. B` [one](x.md)
                here? Yes.
              - An item
              """);
      assertThat(document.sentences())
          .extracting(Markdown.Sentence::line, Markdown.Sentence::words)
          .containsExactly(tuple(1, 9), tuple(1, 4), tuple(2, 1), tuple(3, 2));
    }

    @Test
    void findWideLinesButNotWideTargetsOrTables() {
      String wide = "w".repeat(ProseRules.WIDTH + 1);
      Markdown document =
          Markdown.parse("[link](%s)\n\n| %s |\n\n%s\n".formatted(wide, wide, wide));
      assertThat(ProseRules.widths(FILE, document)).extracting(Finding::line).containsExactly(5);
    }

    @Test
    void findBrokenLinks(@TempDir Path folder) throws IOException {
      Files.writeString(folder.resolve("b.md"), "# One `code` & more\n\n# Twice\n\n# Twice\n");
      Markdown document =
          Markdown.parse(
              """
              [a](b.md) [b](b.md#one-code--more) [c](b.md#twice-1) [d](https://example.org) [e](#here)
              [f](c.md) [g](b.md#two) [h](#there)

              # Here
              """);
      assertThat(ProseRules.links(FILE, folder, document, ProseTest::read))
          .extracting(Finding::text)
          .containsExactly("c.md", "b.md#two", "#there");
    }

    @Test
    void findUnknownTypes() {
      Markdown document = Markdown.parse("`Known.run` `Known.gone(x)` `Unknown` `word` `ALL`\n");
      assertThat(unknownTypes(FILE, document, Map.of("Known", "class Known { void run() {} }")))
          .extracting(Finding::text)
          .containsExactly("Known.gone(x)", "Unknown");
    }

    @Test
    void seeCommentsAndLiteralsOfSources() {
      String source =
          """
          /** Takes {@code nobody} and whoever. */
          char quote = '"'; String whoever = "says \\" whoever"; // whoever
          """;
      Set<Integer> lines = new HashSet<>();
      int findings = 0;
      for (JavaText.Line line : JavaText.of(source)) {
        lines.add(line.number());
        findings += ProseRules.phrases(FILE, line.number(), line.text()).size();
      }
      assertThat(findings).isEqualTo(3);
      assertThat(lines).containsExactlyInAnyOrder(1, 2);
    }
  }
}
