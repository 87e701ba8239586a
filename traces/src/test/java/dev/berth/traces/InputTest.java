package dev.berth.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.WorkloadFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputTest {

  private static final byte[] HOSTS = "id,cpu,memory\nh1,4,8\n".getBytes(UTF_8);

  @Test
  void fileInMemoryIsReadLikeAFile() {
    ReadResult<Infrastructure> read =
        Readers.infrastructure(csv(), Input.of("hosts.csv", HOSTS), ReadOptions.STRICT);

    assertThat(read.value().name()).isEqualTo("hosts.csv");
    assertThat(read.value().hosts()).hasSize(1);
    assertThat(read.report().lines()).isEqualTo(2);
  }

  @Test
  void errorNamesTheFileInMemory() {
    Input input = Input.of("hosts.csv", "id,cpu,memory\nh1,x,8\n".getBytes(UTF_8));

    assertThatThrownBy(() -> Readers.infrastructure(csv(), input, ReadOptions.STRICT))
        .isInstanceOf(InputException.class)
        .hasMessage("hosts.csv, line 2: cpu was \"x\", must be a number.");
  }

  @Test
  void serviceClassesAreReadFromMemory() {
    Input input = Input.of("classes.json", "[{\"name\":\"best\",\"slo\":0.5}]".getBytes(UTF_8));

    assertThat(Readers.serviceClasses(input, Duration.ZERO))
        .singleElement()
        .satisfies(each -> assertThat(each.name()).isEqualTo("best"));
  }

  @Test
  void contentInMemoryIsCopied() {
    byte[] content = HOSTS.clone();
    Input input = Input.of("hosts.csv", content);
    content[0] = '?';

    assertThat(input.firstLine()).hasValue("id,cpu,memory");
  }

  @Test
  void folderInMemoryIsLikeAFolder(@TempDir Path disk) throws IOException {
    Files.createDirectories(disk.resolve("trace/part"));
    Files.write(disk.resolve("trace/b"), HOSTS);
    Files.write(disk.resolve("trace/a-b"), HOSTS);
    Files.write(disk.resolve("trace/.hidden"), HOSTS);
    Files.write(disk.resolve("trace/part/c"), HOSTS);
    Map<String, byte[]> files = Map.of("b", HOSTS, "a-b", HOSTS, ".hidden", HOSTS, "part/c", HOSTS);

    for (Input folder :
        new Input[] {Input.of("trace", files), Input.of(disk.resolve("trace").toString())}) {
      assertThat(folder.isFolder()).isTrue();
      assertThat(folder.name()).isEqualTo("trace");
      assertThat(folder.firstLine()).isEmpty();
      assertThat(folder.members()).extracting(Input::name).containsExactly("a-b", "b", "part");
      assertThat(folder.members()).extracting(Input::isFolder).containsExactly(false, false, true);
      Input part = folder.members().get(2);
      assertThat(part.members()).extracting(Input::name).containsExactly("c");
      Input leaf = part.members().get(0);
      assertThat(leaf.sibling("part/c", "b")).isPresent();
      assertThat(leaf.sibling("part/c", "d")).isEmpty();
      assertThatThrownBy(folder::open).hasMessageEndingWith("is a directory, must be a file.");
    }
  }

  @Test
  void workloadInAFolderInMemoryCanBeReadTwice() {
    byte[] table =
        """
        601000000,,6,0,,0,v=,0,2,0.5,0.25,0.1,0
        602000000,,6,0,77,1,v=,0,2,0.5,0.25,0.1,0
        607000000,,6,0,77,4,v=,0,2,0.5,0.25,0.1,0
        """
            .getBytes(UTF_8);
    WorkloadFormat google =
        Readers.workloadFormats().stream()
            .filter(each -> each.name().equals("google-2011"))
            .findFirst()
            .orElseThrow();
    Input folder = Input.of("google", Map.of("task_events/part-00000-of-00500.csv", table));

    assertThat(google.recognises(folder)).isTrue();
    FileWorkload workload =
        Readers.workload(
            google, folder, ServiceClasses.goldSilverBronze(Duration.ZERO), ReadOptions.STRICT);
    assertThat(workload.size()).hasValue(1);
    assertThat(workload.open().next().request().id()).isEqualTo("6/0");
  }

  private static InfrastructureFormat csv() {
    return Readers.infrastructureFormats().stream()
        .filter(each -> each.name().equals("csv"))
        .findFirst()
        .orElseThrow();
  }
}
