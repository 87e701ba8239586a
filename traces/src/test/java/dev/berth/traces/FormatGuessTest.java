package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A format is guessed only if the first line fits it; otherwise the error lists the formats. */
class FormatGuessTest {

  private static final List<ServiceClass> CLASSES = ServiceClasses.goldSilverBronze(Duration.ZERO);
  private static final String NO_WORKLOAD =
      "looks like none of the formats alibaba-openb, alibaba-spot-2026, bitbrains, borg-simulator,"
          + " csv, google-2011, jsonl, kubectl, qos-experiment, qos-simulation, sacct, swf";
  private static final String NO_INFRASTRUCTURE =
      "looks like none of the formats alea-machines, alibaba-openb, alibaba-spot-2026,"
          + " borg-simulator, csv, google-2011, jsonl, kubectl, qos-infrastructure";
  private static final String EXPERIMENT = "0,1,7,u,0,11,600,-1,0.5,0.25,gold,1";

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  @Test
  void aCommaFileWithoutAHeaderIsNoExperiment() {
    String file = files.write("x", "# comment", "1,2,3,4,5,6", EXPERIMENT);

    files.assertRefused(
        "x, line 2: "
            + NO_WORKLOAD
            + ". Maybe it is meant as qos-experiment, but the line has 6 fields, must have 12:"
            + " admission,task id,job id,user,anti-affinity,priority,duration,unused,cpu,ram,class,"
            + "slo; otherwise put the format in front, FORMAT:FILE.",
        () -> Readers.workload(file, CLASSES));
    assertThat(Readers.workload(files.write("x", EXPERIMENT), CLASSES).size()).hasValue(1);
  }

  @Property(tries = 40)
  void numbersAreNoWorkload(
      @ForAll @IntRange(min = 2, max = 25) int columns, @ForAll @IntRange(max = 99) int number)
      throws IOException {
    Path file = Files.createTempFile("numbers", ".csv");
    try {
      Files.writeString(
          file,
          IntStream.range(0, columns)
              .mapToObj(each -> Integer.toString(number + 12 + each))
              .collect(Collectors.joining(",", "", "\n")));
      assertThatThrownBy(() -> Readers.workload(file.toString(), CLASSES))
          .isInstanceOf(InputException.class)
          .hasMessageContaining(NO_WORKLOAD);
    } finally {
      Files.delete(file);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "0,1,7,u,0,12,600,-1,0.5,0.25,gold,1 | qos-experiment, but priority was \"12\", must be a"
            + " whole number from 0 to 11",
        "0,0,4,0.5,0.25,11,1,[Ql] | borg-simulator, but constraints was \"Ql\"",
        "{a,b}. | qos-simulation, but the line has 2 fields",
        "{\"time\":1} | jsonl, but time \"1\" is not a member",
        "{\"admitted\":0,\"id\":\"a | jsonl, but the line is not JSON",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 | swf, but the line has 19 fields",
        "0,,5,0,,0,u=,3,99,0.5,0.25,0.1,1 | google-2011, but priority was \"99\""
      })
  void namesWhyTheNearestWorkloadFormatDoesNotFit(String line, String reason) {
    String file = files.write("x", line);

    assertThatThrownBy(() -> Readers.workload(file, CLASSES))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(", line 1: " + NO_WORKLOAD + ". Maybe it is meant as " + reason)
        .hasMessageEndingWith("; otherwise put the format in front, FORMAT:FILE.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id,name,size",
        "timestamp,user,bytes",
        "cpu,job,queue",
        "; last modified by an editor",
        "12;7;9",
        "1\t2\t3"
      })
  void aForeignTableIsNoWorkload(String line) {
    String file = files.write("x", line, "1,2,3");

    assertThatThrownBy(() -> Readers.workload(file, CLASSES))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(", line 1: " + NO_WORKLOAD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id,name,size",
        "1,2,3,4,5,6",
        "0,2,0,p,x,1",
        "1 2 3 4 5 6",
        "{1,2}.",
        "5,Host_5,a,0.25,[]",
        "{\"id\":1,\"cores\":4}"
      })
  void aForeignTableIsNoInfrastructure(String line) {
    String file = files.write("x", line);

    assertThatThrownBy(() -> Readers.infrastructure(file))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(", line 1: " + NO_INFRASTRUCTURE);
  }

  @Test
  void aForeignTableHasNoHostEvents() {
    for (String line : List.of("time,machine", "event,severity,text,host2", "1,2,9,p,1,1")) {
      String file = files.write("x", line);
      assertThatThrownBy(() -> Readers.hostEvents(file))
          .isInstanceOf(InputException.class)
          .hasMessageContaining(
              ", line 1: looks like none of the formats csv, google-2011, jsonl. Maybe ");
    }
  }

  @Test
  void aWrongColumnIsAnErrorOfItsFormat() {
    String file = files.write("x", "id,class,service_time,cpu,memory", "r1,gold,1,1,1");

    files.assertRefused(
        "x, line 1: header was \"id,class,service_time,cpu,memory\", must name the column admitted.",
        () -> Readers.workload(file, CLASSES));
  }

  @Test
  void aBadLineAfterAGoodOneIsAnErrorOfItsFormat() {
    String file = files.write("x", EXPERIMENT, "1,2,3");

    assertThatThrownBy(() -> Readers.workload(file, CLASSES))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(", line 2: has 3 fields, must have 12");
    assertThat(Readers.workload(file, CLASSES, new ReadOptions(1)).size()).hasValue(1);
  }

  @Test
  void commentsOfALogMayPrecedeItsJobs() {
    String[] log = {"; Version: 2.2", ";", "1 0 0 10 4 -1 -1 4 60 1000 1 12 1 1 1 1 -1 -1"};

    assertThat(Readers.workload(files.write("x", log), CLASSES).size()).hasValue(1);
    String text = files.write("y", "; comments of another language", "mov eax, 1");
    assertThatThrownBy(() -> Readers.workload(text, CLASSES))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(", line 1: " + NO_WORKLOAD);
  }
}
