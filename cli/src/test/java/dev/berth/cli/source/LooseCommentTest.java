package dev.berth.cli.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Documentation comments precede declarations, as compilers demand since JDK 23. */
class LooseCommentTest {

  private static final Pattern LOOSE =
      Pattern.compile("/\\*\\*(?:[^*]|\\*(?!/))*+\\*/[ \\t]*+\\R(?:\\s*+/\\*\\*|[ \\t]*+\\R)");

  @Test
  void commentsPrecedeDeclarations() throws IOException {
    List<String> loose = new ArrayList<>();
    for (Path each : HiddenFieldTest.mainSources()) {
      if (isLoose(Files.readString(each))) {
        loose.add(each.toString());
      }
    }
    assertThat(loose).isEmpty();
  }

  @Test
  void findsLooseComments() {
    assertThat(isLoose("/** A. */\n\nclass A {}\n")).isTrue();
    assertThat(isLoose("  /** A. */\n  /** B. */\n  class B {}\n")).isTrue();
    assertThat(isLoose("/**\n * A * B.\n */\nclass A {\n\n  /** B. */\n  int b;\n}\n")).isFalse();
  }

  private static boolean isLoose(String source) {
    return LOOSE.matcher(source).find();
  }
}
