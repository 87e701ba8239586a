package dev.berth.cli.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Variables of the main sources hide no field of another type. */
class HiddenFieldTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int FEWEST_SOURCES = 600;

  @Test
  void variablesHideNoFieldOfAnotherType() throws IOException {
    List<Path> sources = mainSources();
    assertThat(sources).hasSizeGreaterThan(FEWEST_SOURCES);
    try (StandardJavaFileManager files =
        ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)) {
      assertThat(HiddenFields.in(files.getJavaFileObjectsFromPaths(sources))).isEmpty();
    }
  }

  static List<Path> mainSources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      List<Path> roots =
          modules.map(each -> each.resolve("src/main/java")).filter(Files::isDirectory).toList();
      return roots.stream().flatMap(HiddenFieldTest::sources).sorted().toList();
    }
  }

  private static Stream<Path> sources(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(each -> each.toString().endsWith(".java")).toList().stream();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  // ---- The check itself

  @Test
  void findsALocalVariableThatHidesAField() {
    assertThat(findings("class A { long now; void run() { boolean now = true; } }"))
        .containsExactly("boolean now hides a field of type long");
  }

  @Test
  void findsAParameterThatHidesAField() {
    assertThat(findings("class A { long now; void run(boolean now) {} }"))
        .containsExactly("boolean now hides a field of type long");
  }

  @Test
  void findsAParameterOfALambda() {
    assertThat(findings("class A { long now; Runnable r(F f) { return f.of(now -> 1); } }"))
        .containsExactly("variable now hides a field of type long");
  }

  @Test
  void findsAVariableOfAnInnerClass() {
    assertThat(findings("class A { long now; class B { void run() { int now = 1; } } }"))
        .containsExactly("int now hides a field of type long");
  }

  @Test
  void acceptsTheSameType() {
    assertThat(findings("class A { long now; void at(long now) { this.now = now; } }")).isEmpty();
  }

  @Test
  void acceptsParametersOfConstructors() {
    assertThat(findings("class A { long now; A(int now) { this.now = now; } }")).isEmpty();
  }

  @Test
  void acceptsTheParameterOfASetter() {
    assertThat(findings("class A { Long now; void at(int now) { this.now = 1L * now; } }"))
        .isEmpty();
  }

  @Test
  void findsAParameterThatSetsAnotherField() {
    assertThat(findings("class A { int a; long b; void at(long a) { this.b = a; } }"))
        .containsExactly("long a hides a field of type int");
  }

  @Test
  void acceptsNamesWhereTheFieldCannotBeNamed() {
    assertThat(findings("class A { long now; static void run(boolean now) {} }")).isEmpty();
    assertThat(findings("class A { long now; static class B { void run(int now) {} } }")).isEmpty();
    assertThat(findings("class A { long now; record B(int x) { void run(int now) {} } }"))
        .isEmpty();
  }

  private static List<String> findings(String code) {
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
          }
        };
    return HiddenFields.in(List.of(source)).stream()
        .map(each -> each.toString().replaceFirst("^[^ ]* ", ""))
        .toList();
  }
}
