package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.SkipReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormatsTest {

  private static final List<ServiceClass> CLASSES =
      ServiceClasses.goldSilverBronze(Duration.ofSeconds(30));

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  // ---- The registry

  private record Mine(String name) implements HostEventsFormat {

    @Override
    public String description() {
      return "mine";
    }

    @Override
    public boolean recognises(Input input) {
      return false;
    }

    @Override
    public EntryReader<HostEvent> open(Input input, SkipReport skips) {
      throw input.error("is never read");
    }
  }

  private static Formats<Mine> formats(Mine... formats) {
    return Formats.of(
        FileKind.REQUESTS, List.of(formats), (format, input) -> format.open(input, reason -> {}));
  }

  @Test
  void namesTheFormatWhoseNameFails() {
    assertThatThrownBy(() -> formats(new Mine(null)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("dev.berth.traces.FormatsTest$Mine")
        .hasMessageEndingWith(" returns null from name(), must return a value.");
  }

  @Test
  void refusesTwoFormatsOfOneName() {
    assertThatThrownBy(() -> formats(new Mine("mine"), new Mine("mine")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "two formats are named mine: %s and %s."
                .formatted(Mine.class.getName(), Mine.class.getName()));
  }

  @Test
  void listsFormatsForUnrecognisedInput() {
    String file = files.write("x", "what is this");

    files.assertRefused(
        "x, line 1: looks like none of the formats csv, google-2011, jsonl. Maybe the line is wrong; otherwise put"
            + " the format in front, FORMAT:FILE.",
        () -> Readers.hostEvents(file));
  }

  // ---- The examples of the guide

  @ParameterizedTest
  @ValueSource(strings = {"workload.csv", "workload.jsonl"})
  void readsTheWorkloadsOfTheGuide(String name) throws IOException {
    List<Arrival> arrivals = arrivals(files.write(name, example(name)));

    assertThat(arrivals)
        .extracting(each -> each.request().id())
        .containsExactly("web-1", "batch-1");
    assertThat(arrivals.get(0).user()).contains("ana");
    assertThat(arrivals.get(0).request().labels())
        .containsExactly(Map.entry("stage", "live"), Map.entry("team", "web"));
    assertThat(arrivals.get(1).bag())
        .contains(new Arrival.InBag("sweep-1", Optional.of(Duration.ofHours(2))));
    assertThat(arrivals.get(1).request().deadline()).hasValue(3_600_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"placement.csv", "placement.jsonl"})
  void readsThePlacementsOfTheGuide(String name) throws IOException {
    List<Arrival> arrivals = arrivals(files.write(name, example(name)));

    Peers web = Peers.ofJob("web");
    Domain zone = Domain.of("zone");
    assertThat(arrivals)
        .extracting(each -> each.request().placement())
        .containsExactly(
            PlacementSpec.builder()
                .tolerate(Toleration.of("disk", "half"))
                .tolerate(
                    new Toleration(
                        Optional.of("gpu"),
                        Optional.empty(),
                        Optional.of(Taint.Effect.LEAVE),
                        Optional.of(Duration.ofMinutes(10))))
                .spread(web, zone, 1)
                .apart(web, Domain.HOST)
                .prefer(new Preference.OnHost(new Constraint.Equal("zone", "a"), 5))
                .prefer(new Preference.Near(Peers.labelled("tier", "db"), Domain.of("rack"), 2))
                .usePerHost("maple", 1)
                .build(),
            PlacementSpec.builder()
                .tolerate(
                    new Toleration(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Taint.Effect.PREFER_NOT),
                        Optional.empty()))
                .near(Peers.ofJob("db"), zone)
                .apart(Peers.labelled("tier", "web"), Domain.HOST)
                .prefer(new Preference.OnHost(new Constraint.Exists("ssd"), 1))
                .prefer(new Preference.Apart(web, zone, 3))
                .use("matlab", 2)
                .usePerHost("maple", 1)
                .build());
  }

  @Test
  void readsTheServiceClassesOfTheGuide() throws IOException {
    String file = files.write("classes.json", example("classes.json"));

    List<ServiceClass> classes = Readers.serviceClasses(file, Duration.ofSeconds(7));

    assertThat(classes)
        .containsExactly(
            ServiceClass.builder("best")
                .slo(0.99)
                .safetyMargin(Duration.ofSeconds(10))
                .preemptionOverheadLimit(0.01)
                .build(),
            ServiceClass.builder("rest")
                .slo(0.5)
                .importance(2)
                .safetyMargin(Duration.ofSeconds(7))
                .build());
  }

  /** Both examples of host events say the same, and are what the writers write of it. */
  @Test
  void hostEventsOfTheGuide() throws IOException {
    List<HostEvent> csv = Readers.hostEvents(files.write("e.csv", example("events.csv")));
    List<HostEvent> jsonl = Readers.hostEvents(files.write("e.jsonl", example("events.jsonl")));

    assertThat(csv).hasSize(6).isEqualTo(jsonl);
    for (String format : List.of("csv", "jsonl")) {
      StringBuilder text = new StringBuilder();
      Writers.hostEvents(csv, format, text);
      assertThat(Readers.hostEvents(files.write("again", text.toString()))).isEqualTo(csv);
    }
  }

  private static String example(String name) throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (root.getParent() != null && !Files.isDirectory(root.resolve(".mvn"))) {
      root = root.getParent();
    }
    Matcher example =
        Pattern.compile(
                "<!-- example: " + Pattern.quote(name) + " -->\n```\\w+\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(root.resolve("docs/guide/formats.md")));
    assertThat(example.find()).as(name).isTrue();
    return example.group(1);
  }

  // ---- Service classes

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}| line 1: must be a list of service classes, [{\"name\":\"best\",\"slo\":0.99}].",
        "[]|: holds no service class.",
        "[{\"slo\":1}]| line 1: must have a name.",
        "[{\"name\":\"a\"},{\"name\":\"a\"}]| line 1: [1].name was \"a\", must be unique, an"
            + " earlier class has the same.",
        "[{\"name\":\"a\",\"SLO\":1}]| line 1: [0].SLO \"1\" is not a member, must be one of name,"
            + " slo, importance, safetyMargin, preemptionOverheadLimit.",
        "[{\"name\":\"a\",\"slo\":99}]| line 1: [0].slo \"99\" is invalid: slo was 99.0, must"
            + " be in [0.001, 1]. Maybe you meant 0.99 (a share, not a percentage).",
        "[{\"name\":\"a\",\"slo\":[1]}]| line 1: [0].slo was \"[\", must be a single value.",
        "[{\"name\":\"a\"}] 1| line 1: must end after the list.",
        "[{\"name\":\"a\",\"importance\":0}]| line 1: [0].importance was \"0\", must be a whole number"
            + " from 1 to 2147483647."
      })
  void refusesInvalidServiceClasses(String text, String message) {
    String file = files.write("c", text);

    files.assertRefused(
        "c" + (message.startsWith(":") ? "" : ", ") + message,
        () -> Readers.serviceClasses(file, Duration.ZERO));
  }

  @Test
  void errorOfMalformedJsonNamesTheLine() {
    String file = files.write("c", "# classes", "[", "{\"name\" \"a\"}", "]");

    assertThatThrownBy(() -> Readers.serviceClasses(file, Duration.ZERO))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("c, line 3: is not JSON: ");
  }

  // ---- The Google trace: folders of parts

  @Test
  void partsConstraintsAndAttributesOfTheGoogleTrace() throws IOException {
    for (String each :
        List.of("task_events", "task_constraints", "machine_events", "machine_attributes")) {
      Files.createDirectory(folder.resolve(each));
    }
    files.gzip(
        "task_events/part-00000-of-00002.csv.gz",
        "0,,5,0,,0,u,3,9,0.5,0.25,0,0",
        "0,,5,1,,0,u,3,9,0.5,0.25,0,0",
        "601000000,,5,0,7,1,u,3,9,0.5,0.25,0,0");
    files.gzip(
        "task_events/part-00001-of-00002.csv.gz",
        "602000000,,5,1,7,1,u,3,9,0.5,0.25,0,0",
        "603000000,,6,0,,0,u,3,9,0.5,0.25,0,0",
        "603000000,,6,0,7,1,u,3,9,0.5,0.25,0,0",
        "605000000,,5,0,7,4,u,3,9,0.5,0.25,0,0",
        "9223372036854775807,,6,0,7,4,u,3,9,0.5,0.25,0,0");
    files.write(
        "task_constraints/part-00000-of-00001.csv",
        "0,5,0,0,a=,x=",
        "0,5,0,1,b=,y=",
        "0,5,1,0,a=,",
        "601000000,5,0,0,later,z",
        "603000000,6,0,2,c=,5",
        "603000000,6,0,3,c=,1",
        "603000000,6,0,1,d=,");
    files.write(
        "machine_events/part-00000-of-00001.csv",
        "0,7,0,p,0.5,0.25",
        "0,8,0,p,,",
        "601000000,7,1,p,0.5,0.25",
        "602000000,9,0,p,1,1",
        "603000000,7,0,p,0.5,0.25");
    files.write(
        "machine_attributes/part-00000-of-00001.csv",
        "0,7,a=,x=,0",
        "0,7,gone,x=,0",
        "0,7,gone,,1",
        "601000000,7,a=,later,0");

    FileWorkload workload = Readers.workload(folder.toString(), CLASSES);
    List<Arrival> arrivals = arrivals(folder.toString());
    assertThat(workload.report().skipped())
        .isEqualTo(Map.of("task that requires the absence of an attribute", 1L));
    assertThat(arrivals)
        .extracting(each -> each.request().id(), Arrival::at, Arrival::serviceTime)
        .containsExactly(
            tuple("5/0", 0L, 4_000_000_000L), tuple("6/0", 3_000_000_000L, 2_000_000_000L));
    assertThat(arrivals.get(0).request().constraints())
        .containsExactly(new Constraint.Equal("a=", "x="), new Constraint.NotEqual("b=", "y="));
    assertThat(arrivals.get(1).request().constraints())
        .containsExactly(
            new Constraint.LessThan("c=", 5),
            new Constraint.GreaterThan("c=", 1),
            new Constraint.Exists("d="));
    assertThat(arrivals(folder.resolve("task_events").toString()))
        .extracting(Arrival::toString)
        .isEqualTo(arrivals.stream().map(Arrival::toString).toList());
    assertThat(Readers.infrastructure(folder.toString()).hosts())
        .singleElement()
        .satisfies(host -> assertThat(host.attributes()).isEqualTo(Map.of("a=", "x=")));
    assertThat(Readers.hostEvents(folder.toString()))
        .containsExactly(
            new HostEvent.Fails(1_000_000_000, "7"), new HostEvent.Recovers(3_000_000_000L, "7"));
  }

  @Test
  void refusesALogOutOfOrderBeyondTheWindow() {
    String rest = " 0 10 4 -1 -1 4 60 1000 1 12 1 1 1 1 -1 -1";
    List<String> lines = new ArrayList<>();
    for (int i = 1; i <= 10_001; i++) {
      lines.add(i + " " + (100 + i) + rest);
    }
    lines.add("20000 50" + rest);
    String file = files.write("x.swf", lines.toArray(String[]::new));

    files.assertRefused(
        "x.swf, line 10002: submit time was \"50\", must not be before the time of an earlier line,"
            + " 1m42s; lines must be in order of time.",
        () -> Readers.workload(file, CLASSES));
  }

  @Test
  void aJobOfSwfStartsAfterItsPrecedingJob() {
    String job = "%s 100 0 10 4 -1 -1 4 60 1000 1 12 1 1 1 1 %s 30";
    String file =
        files.write("x.swf", job.formatted(1, -1), job.formatted(2, 1), job.formatted(3, 0));

    assertThat(arrivals(file))
        .extracting(each -> each.request().after())
        .containsExactly(List.of(), List.of("1"), List.of());
    assertThat(arrivals(files.write("x.swf", job.formatted(2, 1) + " {h/0*4} q 2:ppn=8")))
        .extracting(each -> each.request().after())
        .containsExactly(List.of());
    files.assertRefused(
        "x.swf, line 1: preceding job was \"2\", must be another job.",
        () -> Readers.workload("swf:" + files.write("x.swf", job.formatted(2, 2)), CLASSES));
  }

  @Test
  void refusesAnInsertedSwfField() {
    String job = "1 100 0 10 4 -1 -1 4 60 1000 1 12 1 1 1 1 -1 -1";
    String hint =
        ", must have 18; or 21 with used hosts, {...}, in field 19. Maybe a field was"
            + " inserted.";
    for (int size : new int[] {19, 20, 21}) {
      String file = files.write("x.swf", job + " 7".repeat(size - 18));
      files.assertRefused(
          "x.swf, line 1: has " + size + " fields" + hint,
          () -> Readers.workload("swf:" + file, CLASSES));
    }
    String wide = files.write("x.swf", job + " 7".repeat(5_000));
    files.assertRefused(
        "x.swf, line 1: has more than 21 fields" + hint,
        () -> Readers.workload("swf:" + wide, CLASSES));
    String inserted = files.write("x.swf", job + " 7 {h/0*4} q 2:ppn=8");
    files.assertRefused(
        "x.swf, line 1: has more than 21 fields" + hint,
        () -> Readers.workload("swf:" + inserted, CLASSES));
    assertThat(arrivals(files.write("x.swf", job + " {h/0*4} q 2:ppn=8"))).hasSize(1);
  }

  @Test
  void refusesWideLinesAndTooManyHostsOfAlea() {
    String rule = " fields, must have 6: id, name, nodes, cores, speed, ram.";
    String wide = files.write("wide", "0 seth 1 2 1 1000" + " 1".repeat(4_995));
    files.assertRefused(
        "wide, line 1: has more than 6" + rule,
        () -> Readers.infrastructure("alea-machines:" + wide));
    String narrow = files.write("narrow", "0 seth 1 2 1");
    files.assertRefused(
        "narrow, line 1: has 5" + rule, () -> Readers.infrastructure("alea-machines:" + narrow));
    String many = files.write("many", "0 seth 1000000 2 1 1000");
    files.assertRefused(
        "many, line 1: nodes was \"1000000\", must be a whole number from 1 to 100000.",
        () -> Readers.infrastructure("alea-machines:" + many));
    String more = files.write("more", "0 seth 99999 2 1 1000", "1 b 1 1 1 1", "2 c 1 1 1 1");
    files.assertRefused(
        "more, line 3: nodes was \"1\", exceeds the limit of 100000 hosts in a file.",
        () -> Readers.infrastructure(more));
  }

  private static List<Arrival> arrivals(String location) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = Readers.workload(location, CLASSES).open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
