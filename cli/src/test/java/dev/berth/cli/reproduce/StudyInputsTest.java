package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.error.BadInputException;
import dev.berth.experiments.studies.memory.MemoryStudy;
import dev.berth.experiments.studies.memory.QueueStudies;
import dev.berth.experiments.study.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyInputsTest {

  private static final String CEA = "CEA-Curie-2011-2.1-cln.swf";

  @TempDir private Path folder;

  private final Study cea = QueueStudies.all().get(0);
  private final Study hpc2n = QueueStudies.all().get(1);
  private final Study memic = MemoryStudy.first();

  private Path write(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "");
  }

  @Test
  void findsInputsByNameInFolder() throws IOException {
    Path log = write("a/b/" + CEA);
    Path other = write("HPC2N-2002-2.2-cln.swf.gz");

    StudyInputs inputs = StudyInputs.of(List.of(memic, cea, hpc2n), null, folder, false);

    assertThat(inputs.path(memic)).hasValue("");
    assertThat(inputs.path(cea)).hasValue(log.toString());
    assertThat(inputs.path(hpc2n)).hasValue(other.toString());
  }

  @Test
  void allSkipsStudiesWithoutInput() throws IOException {
    write(CEA + ".gz");
    List<Study> all = List.of(memic, cea, hpc2n);

    StudyInputs some = StudyInputs.of(all, null, folder, true);
    assertThat(some.path(cea)).isPresent();
    assertThat(some.path(hpc2n)).isEmpty();
    assertThat(some.skipped(hpc2n))
        .isEqualTo(
            "queues-hpc2n: skipped, it needs HPC2N-2002-2.2-cln.swf.gz of the Parallel Workloads Archive, which is not in \"%s\"."
                .formatted(folder));

    StudyInputs none = StudyInputs.of(all, null, null, true);
    assertThat(none.path(memic)).isPresent();
    assertThat(none.path(cea)).isEmpty();
    assertThat(none.skipped(cea)).startsWith("queues-cea: skipped, it needs " + CEA + ".gz");
    assertThat(none.skipped(cea)).endsWith("Archive. Maybe add --data DIR.");
  }

  @Test
  void acceptsLogOfAnyName() throws IOException {
    Path log = write("some.log");

    assertThat(StudyInputs.of(List.of(cea), log.toString(), null, false).path(cea))
        .hasValue(log.toString());
  }

  @Test
  void refusesAmbiguousInput() throws IOException {
    write("one/" + CEA);
    write("two/" + CEA + ".gz");

    assertThatThrownBy(() -> StudyInputs.of(List.of(cea), null, folder, true))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("several files are named")
        .hasMessageContaining("one")
        .hasMessageContaining("two");
  }
}
