package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfrastructureReaderTest {

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  @Nested
  class Ours {

    @Test
    void readsAPlainFile() {
      Infrastructure infrastructure =
          Readers.infrastructure(
              files.write(
                  "hosts.csv",
                  "id,cpu,memory,gpu,attributes",
                  "h1,3.75,16,2,zone=a;rank=5",
                  "h2,0.5,0.2493,0,"));

      assertThat(infrastructure.name()).isEqualTo("hosts.csv");
      assertThat(infrastructure.hosts())
          .containsExactly(
              new HostSpec(
                  "h1",
                  Resources.builder()
                      .put(Dimension.CPU, 3_750_000_000L)
                      .put(Dimension.MEMORY, 16_000_000_000L)
                      .put(new Dimension("gpu", 1_000_000), 2_000_000)
                      .build(),
                  Map.of("zone", "a", "rank", "5")),
              new HostSpec(
                  "h2", Resources.of(Dimension.CPU, 500_000_000, Dimension.MEMORY, 249_300_000)));
    }

    @Test
    void refusesInvalidEvents() {
      String twice = files.write("a.csv", "id,cpu,memory", "h1,1,1", "h2,1,1", "h1,1,1");
      files.assertRefused(
          "a.csv, line 4: id was \"h1\", must be unique, line 2 has the same.",
          () -> Readers.infrastructure(twice));
      String none = files.write("b.csv", "id,cpu,memory");
      files.assertRefused("b.csv: holds no host.", () -> Readers.infrastructure(none));
      String attribute = files.write("c.csv", "id,cpu,memory,attributes", "h1,1,1,zone");
      files.assertRefused(
          "c.csv, line 2: attributes was \"zone\", must be attributes like zone=a;rank=5.",
          () -> Readers.infrastructure(attribute));
      String negative = files.write("d.csv", "id,cpu,memory", "h1,1,-4");
      files.assertRefused(
          "d.csv, line 2: memory was \"-4\", must not be negative.",
          () -> Readers.infrastructure(negative));
    }
  }

  @Nested
  class Qos {

    @Test
    void readsAPlainFile() {
      Infrastructure infrastructure =
          Readers.infrastructure(
              files.gzip(
                  "hosts.txt",
                  "{1,\"Host_1\",3.75,3.75,[]}.",
                  "{31,\"Host_31\",0.5,0.2493,[{\"9e\",\"2\"},{\"o/\",\"F+\"}]}."));

      assertThat(infrastructure.hosts())
          .containsExactly(
              new HostSpec(
                  "1",
                  Resources.of(Dimension.CPU, 3_750_000_000L, Dimension.MEMORY, 3_750_000_000L)),
              new HostSpec(
                  "31",
                  Resources.of(Dimension.CPU, 500_000_000, Dimension.MEMORY, 249_300_000),
                  Map.of("9e", "2", "o/", "F+")));
    }

    @Test
    void refusesInvalidEvents() {
      String few = files.write("a.txt", "{1,\"Host_1\",3.75,3.75}.");
      files.assertRefused(
          "a.txt, line 1: has 4 fields, must have 5: host id, name, cpu, ram, attributes.",
          () -> Readers.infrastructure("qos-infrastructure:" + few));
      String odd = files.write("b.txt", "{1,\"Host_1\",3.75,3.75,[{\"a\"}]}.");
      files.assertRefused(
          "b.txt, line 1: attributes was \"{a}\", must be an attribute like {\"name\",\"value\"}.",
          () -> Readers.infrastructure("qos-infrastructure:" + odd));
      String twice = files.write("c.txt", "{1,\"A\",1,1,[]}.", "{1,\"B\",1,1,[]}.");
      files.assertRefused(
          "c.txt, line 2: id was \"1\", must be unique, line 1 has the same.",
          () -> Readers.infrastructure("qos-infrastructure:" + twice));
    }
  }

  @Nested
  class HostEvents {

    @Test
    void readsAPlainFile() {
      assertThat(
              Readers.hostEvents(
                  files.write(
                      "events.csv",
                      "time,host,event",
                      "10m,h1,fails",
                      "660,h2,fails",
                      "660.5,h1,recovers",
                      "700,h1,fails")))
          .containsExactly(
              new HostEvent.Fails(600_000_000_000L, "h1"),
              new HostEvent.Fails(660_000_000_000L, "h2"),
              new HostEvent.Recovers(660_500_000_000L, "h1"),
              new HostEvent.Fails(700_000_000_000L, "h1"));
    }

    @Test
    void acceptsAFileWithoutEvents() {
      assertThat(Readers.hostEvents(files.write("events.csv", "time,host,event"))).isEmpty();
    }

    @Test
    void refusesInvalidEvents() {
      assertRefused(
          "line 3: event \"fails\" is impossible, host h1 is down.", "1,h1,fails", "2,h1,fails");
      assertRefused("line 2: event \"recovers\" is impossible, host h1 is up.", "1,h1,recovers");
      assertRefused(
          "line 2: event was \"down\", must be fails, recovers, taints or limit. Maybe you meant \"fails\".",
          "1,h1,down");
      assertRefused(
          "line 2: event was \"burns\", must be fails, recovers, taints or limit.", "1,h1,burns");
      assertRefused(
          "line 3: time was \"1\", must not be before the time of an earlier line, 2s; lines must be"
              + " in order of time.",
          "2,h1,fails",
          "1,h2,fails");
      String header = files.write("e.csv", "time,host,event,why", "1,h1,fails,fire");
      files.assertRefused(
          "e.csv, line 1: header \"why\" is not a column, must be one of time, host, event, value.",
          () -> Readers.hostEvents(header));
      files.assertRefused(
          "none.csv: does not exist.",
          () -> Readers.hostEvents(folder.resolve("none.csv").toString()));
    }

    private void assertRefused(String message, String... rows) {
      String file = files.write("e.csv", "time,host,event\n" + String.join("\n", rows));
      files.assertRefused("e.csv, " + message, () -> Readers.hostEvents(file));
    }
  }
}
