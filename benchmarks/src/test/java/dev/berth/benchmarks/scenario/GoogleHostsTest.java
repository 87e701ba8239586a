package dev.berth.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.traces.prepare.GoogleLikeHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoogleHostsTest {

  @Test
  void repeatsTheHostsOfASample(@TempDir Path folder) throws IOException {
    Path sample = folder.resolve("sample.txt");
    Files.writeString(
        sample,
        """
        {7,"Host_7",0.5,0.2493,[{"9e","2"}]}.
        {9,"Host_9",1,1,[]}.
        """);
    List<HostSpec> hosts = GoogleHosts.of(3, sample);
    assertThat(hosts).extracting(HostSpec::id).containsExactly("host-0", "host-1", "host-2");
    assertThat(hosts)
        .extracting(each -> each.capacity().toString())
        .containsExactly("cpu 0.5, memory 0.2493", "cpu 1, memory 1", "cpu 0.5, memory 0.2493");
    assertThat(hosts.get(2).attributes()).isEqualTo(hosts.get(0).attributes()).isNotEmpty();
  }

  @Test
  void drawsHostsOfTheSameShapeWithoutASample(@TempDir Path folder) {
    assertThat(GoogleHosts.of(20, folder.resolve("none.txt.gz")))
        .isEqualTo(GoogleLikeHosts.of(20, ScenarioRun.SEED).hosts());
  }
}
