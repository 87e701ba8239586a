package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README shows is what the example has, which continuous integration builds and runs. */
class ReadmeTest {

  private static final Path README = Path.of("../README.md");
  private static final Path EXAMPLE = Path.of("../examples/custom-policy/src/main/java/acme");

  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final int FEW_LINES = 50;

  @Test
  void showsTheEmbeddingCodeOfTheExample() throws IOException {
    String body = shown(1).replaceAll("(?m)^(?=.)", "    "); // as deep as it is in a method
    assertThat(source("Embedding.java")).contains(body);
  }

  @Test
  void showsTheCustomPolicyOfTheExample() throws IOException {
    assertThat(source("BestFit.java")).isEqualTo(shown(2));
    assertThat(shown(2).lines()).hasSizeLessThan(FEW_LINES);
  }

  private static String source(String name) throws IOException {
    return Files.readString(EXAMPLE.resolve(name));
  }

  /** Returns the nth piece of Java that it shows. */
  private static String shown(int nth) throws IOException {
    Matcher pieces = JAVA.matcher(Files.readString(README));
    for (int i = 0; i < nth; i++) {
      assertThat(pieces.find()).as("the README shows %s pieces of Java", nth).isTrue();
    }
    return pieces.group(1);
  }
}
