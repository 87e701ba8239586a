package dev.berth.experiments.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RequestOutcome.End;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFileTest {

  private static final ServiceClass SILVER = ServiceClass.builder("silver").slo(0.9).build();

  @TempDir private Path folder;

  @Test
  void keepsAllFieldsOfJob() throws IOException {
    InstanceReport report = new InstanceReport("a\"\n,ü", SILVER, 1, 11, 9, 1, 2, 3, 0);
    write(
        folder.resolve("jobs"),
        List.of(
            outcome(report, End.COMPLETED, OptionalLong.of(4), OptionalLong.of(5), "h 1", "u1")));
    assertThat(read(folder.resolve("jobs")))
        .containsExactly(
            new RequestLife(
                "a\"\n,ü",
                "silver",
                Optional.of("u1"),
                1,
                OptionalLong.of(4),
                OptionalLong.of(5),
                OptionalLong.of(11),
                Optional.of("h 1"),
                3,
                2,
                9,
                1,
                Optional.of(true),
                End.COMPLETED));
  }

  @Test
  void keepsWhatIsUndefined() throws IOException {
    InstanceReport report = new InstanceReport("a", SILVER, 7, 7, 0, 0, 0, 0, 0);
    write(
        folder.resolve("jobs"),
        List.of(
            outcome(
                report, End.UNFINISHED, OptionalLong.empty(), OptionalLong.empty(), null, null)));
    assertThat(read(folder.resolve("jobs")))
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.user()).isEmpty();
              assertThat(job.placed()).isEmpty();
              assertThat(job.started()).isEmpty();
              assertThat(job.ended()).isEmpty();
              assertThat(job.host()).isEmpty();
              assertThat(job.availability()).isEmpty();
              assertThat(job.sloMet()).isEmpty();
            });
  }

  @Property
  void recordsAreInOrderOfEndThenIdWithUnfinishedLast(@ForAll("ends") List<Ended> all)
      throws IOException {
    List<Ended> inTime = new ArrayList<>(all);
    inTime.sort(Comparator.comparing(Ended::end, Comparator.nullsLast(Comparator.naturalOrder())));
    Path file = Files.createTempFile("berth-", ".jobs");
    try {
      write(file, inTime.stream().map(JobFileTest::outcome).toList());
      List<Ended> expected = new ArrayList<>(all);
      expected.sort(
          Comparator.comparing(Ended::end, Comparator.nullsLast(Comparator.naturalOrder()))
              .thenComparing(Ended::id));
      assertThat(read(file))
          .extracting(
              job -> new Ended(job.id(), job.ended().isPresent() ? job.ended().getAsLong() : null))
          .isEqualTo(expected);
    } finally {
      Files.delete(file);
    }
  }

  /** A request that ended, or is unfinished if its end is null. */
  record Ended(String id, @Nullable Long end) {}

  @Provide
  Arbitrary<List<Ended>> ends() {
    Arbitrary<Long> times = Arbitraries.longs().between(1, 5).injectNull(0.3);
    Arbitrary<String> ids = Arbitraries.strings().withCharRange('a', 'e').ofMaxLength(2);
    return Combinators.combine(ids, times).as(Ended::new).list().ofMaxSize(30);
  }

  @Test
  void replacesLinkInsteadOfFollowingIt() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Path link = Files.createSymbolicLink(folder.resolve("jobs"), victim);
    write(link, List.of());
    assertThat(victim).hasContent("precious");
    assertThat(read(link)).isEmpty();
  }

  @Test
  void errorsNameTheFile() throws IOException {
    Path missing = folder.resolve("missing").resolve("jobs");
    assertThatThrownBy(() -> write(missing, List.of()))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(missing.toString());
  }

  private static RequestOutcome outcome(Ended ended) {
    long end = ended.end() == null ? 9 : ended.end();
    return outcome(
        new InstanceReport(ended.id(), SILVER, 0, end, end, 0, 0, 1, 0),
        ended.end() == null ? End.UNFINISHED : End.COMPLETED,
        OptionalLong.of(0),
        OptionalLong.of(0),
        "h",
        null);
  }

  private static RequestOutcome outcome(
      InstanceReport report,
      End end,
      OptionalLong placed,
      OptionalLong ready,
      @Nullable String host,
      @Nullable String user) {
    return new RequestOutcome(
        0,
        Request.builder("r", "silver").demand(Resources.none()).build(),
        1,
        end,
        report,
        placed,
        ready,
        0,
        0,
        Optional.ofNullable(host),
        Optional.ofNullable(user));
  }

  private static void write(Path file, List<RequestOutcome> outcomes) throws IOException {
    try (JobFile.Writer writer = new JobFile.Writer(file)) {
      for (RequestOutcome each : outcomes) {
        writer.add(each);
      }
    }
  }

  private static List<RequestLife> read(Path file) throws IOException {
    List<RequestLife> jobs = new ArrayList<>();
    JobFile.read(Files.newInputStream(file), jobs::add);
    return jobs;
  }
}
