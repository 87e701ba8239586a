package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script that builds Berth and runs it, with a Maven and a JVM that only pretend. */
@DisabledOnOs(OS.WINDOWS)
class BerthScriptTest {

  @TempDir private Path root;

  @BeforeEach
  void prepare() throws IOException {
    Path script =
        List.of(Path.of("..", "berth"), Path.of("berth")).stream()
            .filter(Files::isRegularFile)
            .findFirst()
            .orElseThrow();
    executable("berth", Files.readString(script));
    Files.writeString(root.resolve("pom.xml"), "<project/>");
    Files.createDirectories(root.resolve(".mvn"));
    executable(
        "jdk/bin/java",
        """
        #!/bin/sh
        echo 'java.specification.version = 17' >&2
        echo "ran $*"
        """);
    executable(
        "bin/mvn",
        """
        #!/bin/sh
        mkdir -p cli/target/quick/lib
        touch cli/target/quick/berth-cli-1.jar
        tries=0 # it builds until the script has said what it says, up to a minute
        until grep -q '60 s so far' err.txt || [ "$tries" = 600 ]; do
          tries=$((tries + 1))
          /bin/sleep 0.1
        done
        """);
    executable("bin/sleep", "#!/bin/sh\nexec /bin/sleep 0.1\n"); // time runs fast
  }

  @Test
  void saysAtOnceThatItBuildsAndThenThatItStillDoes() throws Exception {
    assertThat(errors()).contains("Still building, 30 s so far.", "Still building, 60 s so far.");
    assertThat(errors()).as("nothing to build").isEmpty();
    Files.writeString(root.resolve("pom.xml"), "<project></project>");
    Files.setLastModifiedTime(
        root.resolve("pom.xml"), FileTime.fromMillis(System.currentTimeMillis() + 5_000));
    assertThat(errors().get(0)).startsWith("Building Berth (its sources have changed;");
  }

  @Test
  void saysHowLongTheFirstBuildTakes() throws Exception {
    assertThat(errors().get(0))
        .startsWith("Building Berth (first run; about a minute, downloads libraries); log: ");
  }

  /** Runs the script and returns what it printed on standard error. */
  private List<String> errors() throws IOException, InterruptedException {
    Path err = root.resolve("err.txt");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", root.resolve("berth").toString(), "compare")
            .redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
    builder.environment().merge("PATH", root.resolve("bin") + ":", (path, first) -> first + path);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s", Files.readString(err)).isZero();
    assertThat(out).startsWith("ran ").contains("dev.berth.cli.Berth compare");
    return Files.readAllLines(err).stream().filter(line -> !line.startsWith("java.spec")).toList();
  }

  private void executable(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
