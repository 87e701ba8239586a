package dev.berth.cli.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import dev.berth.cli.PluginJar;
import dev.berth.cli.error.ExitCode;
import dev.berth.cli.session.Policies;
import dev.berth.core.Scheduler;
import dev.berth.runtime.LoopSettings;
import dev.berth.runtime.ReplayMismatchException;
import dev.berth.runtime.journal.JournalInspection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that read the journal of a loop. */
class JournalCommandTest {

  /** Read by the smoke test of the continuous build. */
  private static final Path FOR_SMOKE_TEST = Path.of("target/journal");

  @TempDir private static Path shared;
  private static Path journal;

  @TempDir private Path folder;

  @BeforeAll
  static void record() throws IOException {
    journal = RecordedJournal.story(shared.resolve("journal"), "priority");
    delete(FOR_SMOKE_TEST);
    copy(journal, FOR_SMOKE_TEST);
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private static Path copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (Path each : files(from)) {
      Files.copy(each, to.resolve(each.getFileName()));
    }
    return to;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static Path log(Path directory) throws IOException {
    return files(directory).stream()
        .filter(each -> each.toString().endsWith(".log"))
        .findFirst()
        .orElseThrow();
  }

  /** Returns a copy of the journal with a flipped byte in the middle of its records. */
  private Path damaged() throws IOException {
    Path copy = copy(journal, folder.resolve("damaged"));
    byte[] bytes = Files.readAllBytes(log(copy));
    bytes[bytes.length / 2] ^= 1;
    Files.write(log(copy), bytes);
    return copy;
  }

  /** Returns a copy of the journal with a part of a record at its end. */
  private Path torn() throws IOException {
    Path copy = copy(journal, folder.resolve("torn"));
    byte[] bytes = Files.readAllBytes(log(copy));
    Files.write(log(copy), Arrays.copyOfRange(bytes, 60, 100), StandardOpenOption.APPEND);
    return copy;
  }

  /** Runs a command in which JOURNAL stands for a journal. */
  private static Cli.Result run(String command, Path directory, String... more) {
    List<String> args = new ArrayList<>();
    for (String each : command.split(" ", -1)) {
      args.add(each.replace("JOURNAL", directory.toString()));
    }
    args.addAll(List.of(more));
    return Cli.run(args.toArray(String[]::new));
  }

  private static String done(String command, Path directory, String... more) {
    Cli.Result result = run(command, directory, more);
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.DONE);
    return result.out();
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text);
  }

  @Nested
  class Describing {

    @Test
    void showsFilesSettingsAndRecords() {
      assertThat(done("journal describe JOURNAL", journal))
          .startsWith("records 1 to ")
          .contains(
              "0000000000000000001-0000000001.log: records 1 to ",
              "policy priority {",
              "seed 0, written by Berth ",
              "inputs from 1764000000000000000 ns to 1764000090000000000 ns, 1m30s")
          .containsPattern("  +3  input Submitted\n")
          .containsPattern("  +1  start of a scheduler\n");
    }

    @Test
    void showsWhatIsLeftOfADamagedJournal() throws IOException {
      Cli.Result result = run("journal describe JOURNAL", damaged());
      assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(result.out()).contains("policy priority {").containsPattern("log: byte [0-9]+: ");
    }

    @Test
    void saysThatARecordIsTorn() throws IOException {
      assertThat(done("journal describe JOURNAL", torn())).contains("that were not known to be");
    }
  }

  @Nested
  class Verifying {

    @Test
    void countsRecords() throws IOException {
      long last = JournalInspection.of(journal).lastNumber();
      assertThat(done("journal verify JOURNAL", journal))
          .isEqualTo(last + " records and 0 snapshots are undamaged\n");
    }

    @Test
    void saysThatARecordIsTorn() throws IOException {
      assertThat(done("journal verify JOURNAL", torn()))
          .containsPattern("0001.log: byte [0-9]+: .* are ignored\n")
          .contains(" snapshots are undamaged");
    }
  }

  @Nested
  class Exporting {

    @Test
    void printsAnObjectALine() throws IOException {
      List<JsonNode> records = new ArrayList<>();
      for (String line : done("journal export JOURNAL", journal).lines().toList()) {
        records.add(json(line));
      }
      assertThat(records).hasSize((int) JournalInspection.of(journal).lastNumber());
      assertThat(records.get(0).at("/Opened/settings/policy").textValue()).isEqualTo("priority");
      assertThat(records)
          .anySatisfy(
              each ->
                  assertThat(each.at("/Applied/input/Submit/request/id").textValue())
                      .isEqualTo("second"))
          .anySatisfy(each -> assertThat(each.at("/Passed/pass").longValue()).isEqualTo(1));
    }

    @Test
    void beginsWithARecord() throws IOException {
      long last = JournalInspection.of(journal).lastNumber();
      assertThat(done("journal export JOURNAL", journal, "--from", Long.toString(last)).lines())
          .hasSize(1);
      Cli.Result beyond = run("journal export JOURNAL", journal, "--from", "999");
      assertThat(beyond.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(beyond.err()).contains("--from was 999, must be from 1 to " + (last + 1) + ".");
    }

    @Test
    void printsTheRecordsBeforeDamage() throws IOException {
      Cli.Result result = run("journal export JOURNAL", damaged());
      assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(result.outLines()).hasSizeGreaterThan(2);
    }
  }

  @Nested
  class Compacting {

    @Test
    void saysWhatRemains() throws IOException {
      Path copy = copy(journal, folder.resolve("copy"));
      assertThat(done("journal compact JOURNAL", copy))
          .matches(
              """
              freed 0 bytes; records 1 to [0-9]+ remain
              records are dropped once there are 2 snapshots; there are 0
              """);
      assertThat(done("replay JOURNAL", copy)).contains("all plans and states are as recorded");
    }

    @Test
    void keepsAsManySnapshotsAsWished() throws IOException {
      Path recorded = folder.resolve("recorded");
      try (RecordedJournal running =
          RecordedJournal.begin(
              recorded,
              LoopSettings.defaults().withSnapshotEvery(13),
              () -> Scheduler.builder().policy("priority"))) {
        running.tell();
      }
      long covered = JournalInspection.of(recorded).snapshots().get(0).number();
      assertThat(done("journal compact JOURNAL", recorded))
          .startsWith("freed 0 bytes;")
          .endsWith("there is 1. Maybe use --keep 1\n");
      assertThat(done("journal compact JOURNAL --keep 1", recorded))
          .matches("freed [1-9][0-9]* bytes; records %s to [0-9]+ remain\n".formatted(covered + 1));
      assertThat(done("replay JOURNAL", recorded)).contains("are as recorded");
      assertThat(run("journal compact JOURNAL --keep 0", recorded).err())
          .contains("--keep was 0, must be 1 or more.");
    }

    @Test
    void isRefusedWhileALoopRuns() throws IOException {
      Path live = folder.resolve("live");
      try (RecordedJournal running = RecordedJournal.begin(live, "priority")) {
        running.addHost("h1", 4);
        Cli.Result result = run("journal compact JOURNAL", live);
        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(result.err())
            .startsWith("berth: " + live)
            .contains("Maybe stop the scheduler first.")
            .doesNotContain("    at ", "unexpected");
        running.submit("first", "gold", 1);
      }
      assertThat(done("replay JOURNAL", live)).startsWith("2 inputs ");
    }

    @Test
    void changesNothingOfADamagedJournal() throws IOException {
      Path damaged = damaged();
      List<Path> before = files(damaged);
      assertThat(run("journal compact JOURNAL", damaged).exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(files(damaged)).isEqualTo(before);
    }
  }

  @Test
  void nothingIsSalvagedFromAJournalThatReplays() {
    Cli.Result result = run("journal salvage JOURNAL", journal);
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).contains("replays as recorded up to its end");
    assertThat(Path.of(journal + "-salvaged")).doesNotExist();
  }

  @Nested
  class Replaying {

    @Test
    void verifiesEachPlan() {
      assertThat(done("replay JOURNAL", journal))
          .matches(
              "8 inputs and [0-9]+ passes from record 1 to [0-9]+: all plans and states are as"
                  + " recorded\n");
    }

    @Test
    void readsBesideARunningLoop() throws IOException {
      Path live = folder.resolve("live");
      try (RecordedJournal running = RecordedJournal.begin(live, "priority")) {
        running.tell();
        assertThat(done("replay JOURNAL", live)).startsWith("8 inputs ");
        assertThat(done("journal verify JOURNAL", live)).contains("are undamaged");
      }
    }

    @Test
    void notesATornRecord() throws IOException {
      Cli.Result result = run("replay JOURNAL", torn());
      assertThat(result.exitCode()).isEqualTo(ExitCode.DONE);
      assertThat(result.err()).startsWith("note: ").contains("log: byte ", "ignored");
      assertThat(result.out()).contains("all plans and states are as recorded");
    }

    @Test
    void beginsWithTheOldestSnapshot() throws IOException {
      Path compacted = folder.resolve("compacted");
      try (RecordedJournal running =
          RecordedJournal.begin(
              compacted,
              LoopSettings.defaults().withSnapshotEvery(4),
              () -> Scheduler.builder().policy("priority"))) {
        running.tell();
      }
      JournalInspection inspection = JournalInspection.of(compacted);
      assertThat(inspection.snapshots()).hasSize(2);
      long first = inspection.snapshots().get(0).number() + 1;
      assertThat(done("replay JOURNAL", compacted))
          .contains(" passes from record %s to ".formatted(first));
      assertThat(done("explain --journal JOURNAL second --at 1s", compacted))
          .startsWith("second at 1s, under priority: ");
    }

    @Test
    void showsWhatRanWhereAndWhen() {
      Path page = folder.resolve("replayed");
      done("replay JOURNAL --report " + page, journal);
      assertThat(page.resolve("index.html"))
          .content()
          .contains("figure class=\"chart\" id=\"timeline\"", "berth explain --journal ");
    }

    @Test
    void pointsToCommandsForOtherQuestions() {
      assertThat(Cli.run("replay", "--help").out())
          .contains("berth explain --journal", "berth compare --workload journal:");
    }
  }

  @Nested
  class Explaining {

    private String explain(String instance, String at, String... more) {
      return done("explain --journal JOURNAL %s --at %s".formatted(instance, at), journal, more);
    }

    private String refused(String instance, String at, String... more) {
      Cli.Result result =
          run("explain --journal JOURNAL %s --at %s".formatted(instance, at), journal, more);
      assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(result.err()).doesNotContain("    at ", "Exception");
      return result.err();
    }

    @Test
    void saysWhyAnInstanceWaited() {
      assertThat(explain("second", "40s"))
          .isEqualTo(
              """
              second at 40s, under priority: pending since 10s, for 30s
                class bronze, SLO 0.5; demand cpu 3
                admitted at 10s; in service 0s, not in service 30s
                availability 0.0000: below its SLO, which it meets again after 30s in service
                never placed, never preempted

              why it waits
                0 of 1 hosts: 1 full (cpu short by 2), 1 with no eligible victim (1 of no lower
                  priority)
              """);
    }

    @Test
    void saysWhyAnInstanceIsOnItsHost() {
      assertThat(explain("second", "80s"))
          .startsWith("second at 1m20s, under priority: running on h1 since 1m2s, for 18s\n")
          .contains("why it is there\n  second was placed on h1 at 1m, in pass ");
    }

    @Test
    void saysWhatAnEndedInstanceReceived() {
      assertThat(explain("first", "80s"))
          .startsWith("first at 1m20s, under priority: done since 1m\n")
          .contains("in service 58s, not in service 2s");
    }

    @Test
    void isOneJsonObjectOfTheUsualShape() throws IOException {
      JsonNode root = json(explain("second", "40s", "--json"));
      assertThat(root.get("journal").textValue()).isEqualTo(journal.toString());
      assertThat(root.get("policy").textValue()).isEqualTo("priority");
      assertThat(root.at("/config/watchdog").textValue()).isEqualTo("10s");
      assertThat(root.get("at").textValue()).isEqualTo("40s");
      assertThat(root.get("state").textValue()).isEqualTo("pending");
      assertThat(root.get("admittedAtSeconds").doubleValue()).isEqualTo(10);
      assertThat(root.at("/whyPending/timeSeconds").doubleValue()).isEqualTo(40);
      assertThat(root.at("/whyPending/obstacles/0/code").textValue())
          .isEqualTo("short-of-capacity");
    }

    @Test
    void namesTheNearestInstance() {
      assertThat(refused("secnd", "80s"))
          .contains("no instance \"secnd\" in ", "Maybe you meant second. There are 3: first,");
    }

    @Test
    void saysWhenAnInstanceIsAdmitted() {
      assertThat(refused("second", "5s"))
          .contains("instance second does not exist yet at 5s; it is admitted at 10s.");
    }

    /** The clock of the journal begins in 1970, as that of a loop without another one. */
    @Test
    void takesATimeOnTheCalendar() {
      assertThat(explain("second", "2025-11-24T16:00:40Z")).isEqualTo(explain("second", "40s"));
      assertThat(explain("second", "2025-11-24T17:00:40+01:00"))
          .isEqualTo(explain("second", "40s"));
      assertThat(refused("second", "2025-11-24T15:59:59Z"))
          .contains(
              "--at was 2025-11-24T15:59:59Z, must be from 2025-11-24T16:00:00Z to"
                  + " 2025-11-24T16:01:30Z, the times of the journal ");
      assertThat(refused("second", "2025-11-24T25:00:00Z"))
          .contains("must be a duration such as 2h, or a time such as 2025-11-24T16:00:40Z.");
      assertThat(refused("second", "+1000000000-12-31T23:59:59Z")).contains("must be from 2025-");
    }

    @Test
    void takesTheEndOfTheJournalByDefault() {
      assertThat(done("explain --journal JOURNAL second", journal))
          .isEqualTo(explain("second", "90s"));
    }

    @Test
    void saysWhenTheJournalEnds() {
      assertThat(refused("second", "2h"))
          .contains("--at was 2h, must be at most 1m30s, when the journal ");
    }

    @Test
    void refusesOptionsOfSimulations() {
      assertThat(refused("second", "40s", "--policy", "priority", "--seed", "4"))
          .contains(
              "--policy is about a simulation, must not be given with --journal.",
              "--seed is about a simulation, must not be given with --journal.");
    }

    @Test
    void needsAJournalThatExists() {
      Cli.Result result = run("explain --journal JOURNAL second --at 40s", folder.resolve("none"));
      assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(result.err()).contains("--journal: \"", "none\" does not exist.");
    }
  }

  @Nested
  class AsAWorkload {

    private static final String COMPARE =
        "compare --workload journal:JOURNAL --until 2m --no-bounds --json -";

    @Test
    void showsWhatOtherPoliciesHadDone() throws IOException {
      JsonNode root = json(done(COMPARE + " --policies priority,qos-driven,first-fit", journal));
      assertThat(root.at("/infrastructure/hosts").intValue()).isEqualTo(1);
      assertThat(root.get("runs")).hasSize(3);
      for (JsonNode each : root.get("runs")) {
        assertThat(each.at("/classes/0/count").intValue()).as(each.toString()).isEqualTo(1);
      }
    }

    /** The policy of the journal decides as it did, so its requests receive what they received. */
    @Test
    void repeatsWhatTheSamePolicyDid() throws IOException {
      JsonNode run =
          json(done(COMPARE + " --policies priority --overheads 2s", journal)).at("/runs/0");
      assertThat(run.at("/times/0/served").doubleValue()).isEqualTo(58);
      assertThat(run.at("/times/0/waitingMean").doubleValue()).isEqualTo(2);
      assertThat(run.at("/times/1/served").doubleValue()).isEqualTo(28);
      assertThat(run.at("/times/1/waitingMean").doubleValue()).isEqualTo(52);
    }

    @Test
    void acceptsTheJournalForHostsAndEventsToo() throws IOException {
      String explicit = COMPARE + " --infrastructure journal:JOURNAL --events journal:JOURNAL";
      assertThat(json(done(explicit, journal)).get("runs"))
          .isEqualTo(json(done(COMPARE, journal)).get("runs"));
    }

    @Test
    void countsWhatItLeavesOut() throws IOException {
      assertThat(run(COMPARE, torn()).err())
          .contains("left out 1: request that never ran", "left out 1: torn record at the end");
    }

    @Test
    void hasTheServiceClassesOfItsScheduler() throws IOException {
      JsonNode root =
          json(
              done(
                  "explain second --workload journal:JOURNAL --at 40s --policy priority --json",
                  journal));
      assertThat(root.get("class").textValue()).isEqualTo("bronze");
      assertThat(root.get("slo").doubleValue()).isEqualTo(0.5);
      assertThat(root.get("whyPending").isObject()).isTrue();
    }

    @Test
    void isAWorkloadOfAnExperiment() throws IOException {
      Path experiment =
          Files.writeString(
              folder.resolve("x.json"),
              """
              {"workloads": ["journal:%1$s"], "infrastructures": ["journal:%1$s"],
               "events": "journal:%1$s", "policies": ["priority", "first-fit"], "until": "2m"}
              """
                  .formatted(journal));
      assertThat(done("experiment JOURNAL", experiment, "--resume", folder + "/cells"))
          .contains("first-fit");
    }

    @Test
    void isDescribedAndConverted() throws IOException {
      assertThat(done("workload describe journal:JOURNAL", journal)).contains("gold", "bronze");
      Path csv = folder.resolve("requests.csv");
      done("workload convert journal:JOURNAL", journal, "--out", csv.toString());
      assertThat(Files.readString(csv)).contains("first", "second");
    }

    @Test
    void namesTheDamage() throws IOException {
      Cli.Result result = run(COMPARE, damaged());
      assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(result.err())
          .contains("is a damaged journal (")
          .containsPattern("log: byte [0-9]+: ")
          .doesNotContain("    at ");
    }

    @Test
    void needsAJournalThatExists() {
      Cli.Result result = run(COMPARE, folder.resolve("none"));
      assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(result.err()).contains("none\" is neither built in nor a file.");
    }
  }

  @Nested
  class WithAPlugin {

    private static final String PATIENT =
        """
        return new Policy() {
          public void schedule(SchedulingPass pass) {
            for (Instance instance : pass.pending()) {
              for (Host host : pass.hosts()) {
                if (pass.obstacle(instance, host, java.util.List.of()).isEmpty()
                    && pass.place(instance, host).accepted()) break;
              }
            }
          }
          public java.util.Optional<PolicyMemory> memory() {
            return java.util.Optional.of(PolicyMemory.none());
          }
        };
        """;

    private Path record(Path plugins) throws IOException {
      return record(plugins, LoopSettings.defaults());
    }

    private Path record(Path plugins, LoopSettings settings) throws IOException {
      PluginJar.write(plugins, "Patient", "acme.patient", PATIENT, "");
      Path recorded = folder.resolve("journal");
      loop(plugins, recorded, settings, RecordedJournal::tell);
      return recorded;
    }

    private void loop(
        Path plugins, Path journal, LoopSettings settings, Consumer<RecordedJournal> story)
        throws IOException {
      try (Policies policies = Policies.open(plugins);
          RecordedJournal running =
              RecordedJournal.begin(
                  journal,
                  settings,
                  () -> Scheduler.builder().registry(policies.registry()).policy("acme.patient"))) {
        story.accept(running);
      }
    }

    /** Replaces the policy by one that does not place {@code second}. */
    private void change(Path plugins) throws IOException {
      Files.delete(plugins.resolve("Patient.jar"));
      PluginJar.write(
          plugins,
          "Patient",
          "acme.patient",
          PATIENT.replace("pass.place(", "!instance.id().equals(\"second\") && pass.place("),
          "");
    }

    @ParameterizedTest
    @ValueSource(longs = {8, 1_000_000})
    void salvagesWhatALoopCanStartFrom(long snapshotEvery, @TempDir Path plugins)
        throws IOException {
      LoopSettings settings = LoopSettings.defaults().withSnapshotEvery(snapshotEvery);
      Path recorded = record(plugins, settings);
      List<JournalInspection.SnapshotInfo> saved = JournalInspection.of(recorded).snapshots();
      if (saved.size() == 2) { // the second follows the pass that is going to differ
        Files.delete(recorded.resolve(saved.get(1).file()));
      }
      change(plugins);
      assertThatThrownBy(() -> loop(plugins, recorded, settings, each -> {}))
          .isInstanceOf(ReplayMismatchException.class);
      List<Path> before = files(recorded);
      Path copy = folder.resolve("copy");

      String said =
          done("journal salvage JOURNAL --to " + copy, recorded, "--plugins", plugins.toString());

      assertThat(said)
          .containsPattern("^record [0-9]+, pass [0-9]+: the plan differs from the recorded one")
          .containsPattern("copy: [0-9]+ records were copied\n")
          .containsPattern(
              "left out: [0-9]+ records, [0-9]+ of them passes, from 2025-11-24T16:01:00Z on")
          .contains("  2 instances: second, third\n");
      assertThat(files(recorded)).isEqualTo(before);
      assertThat(JournalInspection.of(copy).snapshots()).hasSize(snapshotEvery == 8 ? 1 : 0);
      assertThat(done("replay JOURNAL", copy, "--plugins", plugins.toString()))
          .contains("are as recorded");
      loop(plugins, copy, settings, each -> each.at(100).submit("fourth", "gold", 1));
      assertThat(done("replay JOURNAL", copy, "--plugins", plugins.toString()))
          .contains("are as recorded");
    }

    @Test
    void salvagesIntoANewOrEmptyFolderOnly(@TempDir Path plugins) throws IOException {
      Path recorded = record(plugins);
      change(plugins);
      String[] option = {"--plugins", plugins.toString()};
      Path taken = Files.createDirectory(folder.resolve("taken"));
      assertThat(done("journal salvage JOURNAL --to " + taken, recorded, option))
          .contains("taken: ");
      Cli.Result again = run("journal salvage JOURNAL --to " + taken, recorded, option);
      assertThat(again.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(again.err()).contains("taken\" exists, must be new or an empty folder.");
      assertThat(done("journal salvage JOURNAL", recorded, option)).contains("journal-salvaged: ");
    }

    @Test
    void allCommandsFindItsPolicy(@TempDir Path plugins) throws IOException {
      Path recorded = record(plugins);
      String[] option = {"--plugins", plugins.toString()};
      assertThat(done("replay JOURNAL", recorded, option)).contains("are as recorded");
      assertThat(done("explain --journal JOURNAL second --at 40s", recorded, option))
          .startsWith("second at 40s, under acme.patient: pending since 10s")
          .contains("1 full (cpu short by 2)");
      assertThat(done("compare --workload journal:JOURNAL --until 2m", recorded, option))
          .contains("qos-attained");
      assertThat(done("explain second --workload journal:JOURNAL --at 40s", recorded, option))
          .startsWith("second at 40s, under qos-attained: ");
      assertThat(done("workload describe journal:JOURNAL", recorded, option)).contains("gold");
      Path experiment =
          Files.writeString(
              folder.resolve("x.json"),
              """
              {"workloads": ["journal:%1$s"], "infrastructures": ["journal:%1$s"],
               "policies": ["priority", "acme.patient"], "until": "2m"}
              """
                  .formatted(recorded));
      assertThat(done("experiment JOURNAL", experiment, option)).contains("acme.patient");
    }

    @Test
    void itsPolicyIsNamedIfItIsMissing(@TempDir Path plugins) throws IOException {
      Path recorded = record(plugins);
      for (String command :
          List.of(
              "replay JOURNAL",
              "journal salvage JOURNAL",
              "explain --journal JOURNAL second --at 40s",
              "compare --workload journal:JOURNAL")) {
        Cli.Result result = run(command, recorded);
        assertThat(result.exitCode()).as(command).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err())
            .contains("is the journal of the policy acme.patient, which is not available.")
            .contains("Maybe its jar is missing")
            .doesNotContain("    at ", "Exception");
      }
      assertThat(done("journal verify JOURNAL", recorded)).contains("are undamaged");
    }

    @Test
    void theContextClassLoaderIsRestored(@TempDir Path plugins) throws IOException {
      PluginJar.write(plugins, "Patient", "acme.patient", PATIENT, "");
      ClassLoader before = Thread.currentThread().getContextClassLoader();
      assertThat(Cli.run("policies", "--plugins", plugins.toString()).out())
          .contains("acme.patient");
      assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }

    @Test
    void anotherPolicyOfTheSameNameIsFoundOut(@TempDir Path plugins) throws IOException {
      Path recorded = record(plugins);
      Files.delete(plugins.resolve("Patient.jar"));
      PluginJar.write(
          plugins,
          "Patient",
          "acme.patient",
          PATIENT.replace("pass.place(", "false && pass.place("),
          "");
      Cli.Result result = run("replay JOURNAL", recorded, "--plugins", plugins.toString());
      assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(result.err())
          .containsPattern("record [0-9]+, pass [0-9]+: the plan differs from the recorded one");
    }
  }

  static Stream<String> reading() {
    return Stream.of(
        "journal describe JOURNAL",
        "journal verify JOURNAL",
        "journal export JOURNAL",
        "journal salvage JOURNAL",
        "replay JOURNAL",
        "explain --journal JOURNAL second --at 40s");
  }

  @ParameterizedTest
  @MethodSource("reading")
  void damageIsNamedWithItsOffset(String command) throws IOException {
    Cli.Result result = run(command, damaged());
    assertThat(result.exitCode()).isNotEqualTo(ExitCode.DONE);
    assertThat(result.err())
        .containsPattern(
            "\" is damaged after record [0-9]+, at byte [0-9]+ of 0000000000000000001-0000000001.log:")
        .contains("Maybe restore it from a copy.")
        .doesNotContain("    at ", "unexpected");
  }

  @ParameterizedTest
  @MethodSource("reading")
  void aMissingJournalIsNamed(String command) {
    Cli.Result result = run(command, folder.resolve("none"));
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).contains("none\" does not exist.").doesNotContain("    at ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay JOURNAL", "journal compact JOURNAL", "journal verify JOURNAL"})
  void anEmptyFolderIsNoJournal(String command) throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Cli.Result result = run(command, empty);
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).contains("empty\" has no records. Maybe it is another folder.");
    assertThat(empty).isEmptyDirectory();
  }
}
