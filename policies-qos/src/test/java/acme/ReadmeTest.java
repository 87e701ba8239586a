package acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Action;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the README shows compiles, runs, and does what it says. */
class ReadmeTest {

  private static final Path SOURCES = Path.of("src/test/java/acme");
  private static final Path README = Path.of("../README.md");

  @Test
  void theReadmeShowsTheCustomPolicyAsItIs() throws IOException {
    String source = Files.readString(SOURCES.resolve("BestFit.java"));
    assertThat(Files.readString(README)).contains("```java\n" + source + "```");
    assertThat(source.lines().count()).isLessThan(50);
  }

  @Test
  void theReadmeShowsTheEmbeddingCodeAsItIs() throws IOException {
    String source = Files.readString(SOURCES.resolve("Embedding.java"));
    String shown =
        source
            .substring(
                source.indexOf("// README: embedding\n") + 21, source.indexOf("    // README: end"))
            .stripTrailing()
            .stripIndent();
    assertThat(Files.readString(README)).contains("```java\n" + shown + "\n```");
  }

  @Test
  void theEmbeddingCodePlacesTheRequest() {
    assertThat(Embedding.run().actions()).containsExactly(new Action.Place("r1", "h1", List.of()));
  }

  @Test
  void theCustomPolicyIsFoundAndPacksTightly() {
    assertThat(PolicyRegistry.load().ids()).contains("acme.best-fit");
    Scheduler scheduler =
        Scheduler.builder()
            .policy("acme.best-fit", "{\"reserve\": 0.25}")
            .serviceClasses(ServiceClass.builder("only").build())
            .build();
    scheduler.addHost(new HostSpec("small", Resources.of(Dimension.CPU, 4)), 0);
    scheduler.addHost(new HostSpec("large", Resources.of(Dimension.CPU, 8)), 0);
    for (int i = 0; i < 4; i++) {
      Resources one = Resources.of(Dimension.CPU, 1);
      scheduler.submit(Request.builder("r" + i, "only").demand(one).build(), i);
    }
    assertThat(scheduler.schedule(4).placements())
        .extracting(Action.Place::host)
        .containsExactly("small", "small", "small", "large"); // a quarter of small stays free
  }
}
