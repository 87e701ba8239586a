package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The README and the guide show the code of the examples, which the continuous build tests. */
class ReadmeTest {

  private static final Path README = Path.of("../README.md");
  private static final Path GUIDE = Path.of("../docs/guide/writing-a-policy.md");
  private static final Path EXAMPLE = Path.of("../examples/custom-policy/src/main/java/acme");
  private static final Path POLICIES = Path.of("../testkit/src/test/java/acme");
  private static final Path GROUPS =
      Path.of("../core/src/test/java/dev/berth/core/GroupsGuideTest.java");
  private static final Path EMBEDDING = Path.of("../docs/guide/embedding.md");
  private static final Path FARM = Path.of("../examples/render-farm");
  private static final Path FARM_SOURCES = FARM.resolve("src/main/java/acme/farm");
  private static final Path RUNNERS = Path.of("../examples/ci-runners/src/main/java/acme/ci");

  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern XML = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL);
  private static final int FEW_LINES = 50;

  @Test
  void readmeShowsEmbeddingExample() throws IOException {
    String body = firstJava(README).replaceAll("(?m)^(?=.)", "    "); // indented as in a method
    assertThat(source("Embedding.java")).contains(body);
  }

  @Test
  void guideShowsCustomPolicyExample() throws IOException {
    assertThat(source("BestFit.java")).isEqualTo(firstJava(GUIDE));
    assertThat(firstJava(GUIDE).lines()).hasSizeLessThan(FEW_LINES);
    assertThat(Files.readString(GUIDE)).contains(source("AcmePolicies.java"));
  }

  @ParameterizedTest
  @CsvSource({
    "## Preemption, 2, LeastLost.java",
    "## Users and labels, 2, FairShare.java FairShareFactory.java"
  })
  void guideShowsPiecesOfTestedPolicies(String heading, int pieces, String files)
      throws IOException {
    StringBuilder source = new StringBuilder();
    for (String each : Splitter.on(' ').split(files)) {
      source.append(Files.readString(POLICIES.resolve(each)));
    }
    String guide = Files.readString(GUIDE);
    int begin = guide.indexOf("\n" + heading + "\n");
    String section = guide.substring(begin, guide.indexOf("\n## ", begin + 1));
    assertThat(JAVA.matcher(section).results())
        .hasSize(pieces)
        .allSatisfy(
            block ->
                assertThat(unindented(source.toString())).contains(unindented(block.group(1))));
  }

  @Test
  void embeddingGuideShowsRenderFarm() throws IOException {
    String guide = Files.readString(EMBEDDING);
    guide = guide.substring(0, guide.indexOf("\n## A policy that does not return"));
    String source = unindented(Files.readString(FARM_SOURCES.resolve("RenderFarm.java")));
    assertThat(JAVA.matcher(guide).results())
        .hasSize(6)
        .allSatisfy(block -> assertThat(source).contains(unindented(block.group(1))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"failures.md", "maintenance.md", "restarting.md"})
  void guidesShowResilientFarm(String guide) throws IOException {
    String source = unindented(Files.readString(FARM_SOURCES.resolve("ResilientFarm.java")));
    assertThat(JAVA.matcher(Files.readString(EMBEDDING.resolveSibling(guide))).results())
        .hasSizeGreaterThan(4)
        .allSatisfy(block -> assertThat(source).contains(unindented(block.group(1))));
  }

  @Test
  void runningGuideShowsRunners() throws IOException {
    StringBuilder source = new StringBuilder();
    for (String each : List.of("CiService.java", "ProcessFleet.java", "Running.java")) {
      source.append(Files.readString(RUNNERS.resolve(each)));
    }
    assertThat(JAVA.matcher(Files.readString(EMBEDDING.resolveSibling("running.md"))).results())
        .hasSize(3)
        .allSatisfy(
            block ->
                assertThat(unindented(source.toString())).contains(unindented(block.group(1))));
  }

  @Test
  void groupsGuideShowsTestedCode() throws IOException {
    String source = unindented(Files.readString(GROUPS));
    assertThat(JAVA.matcher(Files.readString(EMBEDDING.resolveSibling("groups.md"))).results())
        .hasSize(1)
        .allSatisfy(block -> assertThat(source).contains(unindented(block.group(1))));
  }

  @Test
  void embeddingGuideShowsDependenciesOfRenderFarm() throws IOException {
    String pom = unindented(Files.readString(FARM.resolve("pom.xml")));
    String version = pom.replaceAll("(?s).*<berth.version>(.*)</berth.version>.*", "$1");
    assertThat(XML.matcher(Files.readString(EMBEDDING)).results())
        .singleElement()
        .satisfies(
            block ->
                assertThat(pom.replace("${berth.version}", version))
                    .contains(unindented(block.group(1))));
  }

  private static String unindented(String code) {
    return code.replaceAll("(?m)^ +", "");
  }

  private static String source(String name) throws IOException {
    return Files.readString(EXAMPLE.resolve(name));
  }

  /** Returns the first Java block of a document. */
  private static String firstJava(Path document) throws IOException {
    Matcher pieces = JAVA.matcher(Files.readString(document));
    assertThat(pieces.find()).as("%s shows Java", document).isTrue();
    return pieces.group(1);
  }
}
