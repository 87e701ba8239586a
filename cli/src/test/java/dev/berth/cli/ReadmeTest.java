package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README and the guide show the code of the example, which the continuous build compiles. */
class ReadmeTest {

  private static final Path README = Path.of("../README.md");
  private static final Path GUIDE = Path.of("../docs/guide/writing-a-policy.md");
  private static final Path EXAMPLE = Path.of("../examples/custom-policy/src/main/java/acme");

  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
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
