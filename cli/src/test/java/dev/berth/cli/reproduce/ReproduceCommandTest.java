package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReproduceCommandTest {

  private static final Path DATA = Path.of("..", "..", "shared", "data");

  @TempDir private static Path folder;

  /** What the studies of memory print; each runs once, and its series stay in the folder. */
  private static final Map<String, Cli.Result> MEMORY = new HashMap<>();

  @Test
  void listsStudies() {
    Cli.Result result = Cli.run("reproduce");

    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.outLines().stream().map(line -> line.split(" ", 2)[0]))
        .containsExactly(
            "validation-1",
            "validation-2",
            "google-samples",
            "slo-driven-loads",
            "borgsim-snapshots",
            "generated-snapshots",
            "hysteresis",
            "hysteresis-google",
            "hysteresis-month",
            "work-that-ends",
            "work-that-ends-all",
            "work-that-ends-logs",
            "memic-1",
            "memic-2",
            "memic-4",
            "memic-sensitivity",
            "queues-cea",
            "queues-hpc2n",
            "queues-zewura",
            "molding-zewura",
            "elastic-1",
            "elastic-2",
            "elastic-sweep",
            "elastic-sweep-2",
            "elastic-trace",
            "meta-all");
    assertThat(result.outLines()).allMatch(line -> line.matches("\\S+ +\\S.*"));
    assertThat(result.outLines().stream().filter(line -> line.contains("; needs "))).hasSize(9);
  }

  // ---- Memory

  @ParameterizedTest
  @ValueSource(strings = {"memic-1", "memic-4"})
  void seriesAgreeWithTable(String name) throws IOException {
    Cli.Result result = memory(name);
    Table totals = series(name + "-totals");
    Table jobs = series(name + "-jobs");
    Table memory = series(name + "-memory");

    assertThat(totals.header())
        .startsWith("policy", "seed", "total_s", "mean_run_s", "mean_start_s", "migrations");
    assertThat(jobs.header())
        .containsExactly(
            "policy",
            "seed",
            "job",
            "placed_s",
            "ready_s",
            "done_s",
            "run_s",
            "run_by_dedicated",
            "migrations");
    assertThat(memory.header())
        .startsWith("policy", "seconds", "host", "capacity_gb", "granted_gb");
    assertThat(memory.rows())
        .isNotEmpty()
        .allMatch(row -> row.number("granted_gb") <= row.number("capacity_gb"));
    for (Row total : totals.rows()) {
      String policy = total.text("policy");
      List<Row> own = jobs.of("policy", policy);
      assertThat(own).hasSize(name.equals("memic-1") ? 15 : 35);
      assertThat(own.stream().mapToDouble(each -> each.number("done_s")).max())
          .hasValue(total.number("total_s"));
      assertThat(own.stream().mapToDouble(each -> each.number("run_s")).average().orElseThrow())
          .isCloseTo(total.number("mean_run_s"), within(0.001));
      assertThat(own.stream().mapToDouble(each -> each.number("migrations")).sum())
          .isEqualTo(total.number("migrations"));
      assertThat(memory.of("policy", policy)).isNotEmpty();
      List<String> printed = printed(result, policy);
      assertThat(printed.get(1)).isEqualTo(rounded(total.number("total_s")));
      assertThat(printed.get(3)).isEqualTo(rounded(total.number("mean_run_s")));
      assertThat(printed.get(5)).isEqualTo(rounded(total.number("mean_start_s")));
      assertThat(printed.get(7)).isEqualTo(rounded(total.number("migrations")));
      assertThat(printed.get(8)).isEqualTo(rounded(total.number("pauses")));
      assertThat(printed.get(9)).isEqualTo(rounded(total.number("suspensions")));
    }
    assertThat(jobs.of("policy", "dedicated"))
        .allMatch(row -> row.number("run_by_dedicated") == 1)
        .allMatch(row -> row.number("run_s") > 0);
    assertThat(jobs.rows()).anyMatch(row -> row.number("run_by_dedicated") > 1.01);
  }

  @ParameterizedTest
  @ValueSource(strings = {"memic-2", "memic-4"})
  void memicIsBestHostSharingPolicy(String name) throws IOException {
    memory(name);
    Table totals = series(name + "-totals");
    List<String> policies =
        totals.rows().stream().map(row -> row.text("policy")).distinct().toList();
    List<String> baselines =
        policies.stream()
            .filter(it -> it.matches("(round-robin|(first|worst|best)-fit).*"))
            .toList();
    List<String> memic =
        policies.stream().filter(it -> it.matches("memic(, (maximum|initial|average))?")).toList();
    assertThat(baselines).hasSizeGreaterThanOrEqualTo(4);
    assertThat(memic).hasSize(name.equals("memic-2") ? 1 : 3);

    double best =
        baselines.stream().mapToDouble(it -> totals.mean(it, "total_s")).min().orElseThrow();
    double fastest =
        baselines.stream().mapToDouble(it -> totals.mean(it, "mean_run_s")).min().orElseThrow();
    for (String each : memic) {
      assertThat(totals.mean(each, "total_s")).as(each).isLessThanOrEqualTo(0.9 * best);
      assertThat(totals.mean(each, "mean_run_s")).as(each).isLessThanOrEqualTo(fastest);
      assertThat(totals.mean(each, "migrations")).as(each).isZero();
    }
  }

  @Test
  void reservationMattersToFirstFitOnly() throws IOException {
    memory("memic-4");
    Table totals = series("memic-4-totals");
    Map<String, Double> sharing = new LinkedHashMap<>();
    for (Row row : totals.rows()) {
      if (!row.text("policy").equals("dedicated")) {
        sharing.put(row.text("policy"), row.number("total_s"));
      }
    }

    List<Double> memic =
        List.of("maximum", "initial", "average").stream()
            .map(each -> totals.mean("memic, " + each, "total_s"))
            .sorted()
            .toList();
    assertThat(memic.get(2) / memic.get(0)).isLessThan(1.02);
    assertThat(sharing).hasSize(10);
    assertThat(sharing.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey())
        .isEqualTo("first-fit, initial");
  }

  @Test
  void sameSeedGivesSameBytes() throws IOException {
    Cli.Result first = memory("memic-1");
    String jobs = Files.readString(folder.resolve("memic-1-jobs.csv"));

    assertThat(reproduce("memic-1")).isEqualTo(first);
    assertThat(folder.resolve("memic-1-jobs.csv")).hasContent(jobs);
  }

  // ---- Queues

  @ParameterizedTest
  @CsvSource({
    "queues-cea, swf/CEA-Curie-2011-2.1-cln.swf.gz, 350, 8",
    "queues-hpc2n, swf/HPC2N-2002-2.2-cln.swf.gz, 200, 9",
    "queues-zewura, metacentrum-zewura-2013/wagap-2013.swf.gz, 400, 9"
  })
  void reproducesQueuesOnRealLogs(String name, String log, int count, int statements)
      throws IOException {
    Path report = folder.resolve("report-" + name);
    Cli.Result result =
        reproduce(name, "--log", requireLog(log).toString(), "--report", report.toString());
    Table jobs = series(name + "-jobs");
    Table metrics = series(name + "-metrics");

    assertThat(result.outLines().stream().filter(line -> line.matches("  (yes|no ) {2}\\S.*")))
        .hasSize(statements);
    assertThat(result.out()).contains(": the first " + count + " jobs that ran");
    assertThat(report.resolve("index.html")).content().contains(name + "-late", "fcf");
    assertThat(report.resolve(name + "-jobs.csv"))
        .hasSameTextualContentAs(folder.resolve(name + "-jobs.csv"));
    assertThat(metrics.rows()).hasSize(17);
    for (Row metric : metrics.rows()) {
      List<Row> own = jobs.of("discipline", metric.text("discipline"));
      assertThat(own).hasSize(count);
      assertThat(own.stream().mapToDouble(each -> each.number("done_s")).max())
          .hasValue(metric.number("total_s"));
      assertThat(own.stream().filter(each -> each.number("late_s") > 0).count())
          .isEqualTo((long) metric.number("late"));
    }
    // All jobs arrive at the start and none is overtaken, so shorter jobs start no later.
    assertThat(
            jobs.of("discipline", "sjf").stream()
                .sorted(
                    Comparator.comparingLong(ReproduceCommandTest::runSeconds)
                        .thenComparingDouble(row -> row.number("started_s")))
                .map(row -> row.number("started_s")))
        .isSorted();
    assertThat(
            jobs.of("discipline", "fifo").stream()
                .sorted(Comparator.comparing(row -> row.text("job")))
                .map(row -> row.number("started_s")))
        .isSorted();
  }

  private static long runSeconds(Row row) {
    return Math.round(row.number("done_s") - row.number("started_s"));
  }

  private static Path requireLog(String name) {
    Path log = DATA.resolve(name);
    assumeTrue(Files.exists(log), () -> "SKIPPED: the log is not there: " + log);
    return log;
  }

  // ---- Reading the output

  private static Cli.Result memory(String name) {
    return MEMORY.computeIfAbsent(name, ReproduceCommandTest::reproduce);
  }

  private static Cli.Result reproduce(String... args) {
    List<String> all = new ArrayList<>(List.of("reproduce"));
    all.addAll(List.of(args));
    all.addAll(List.of("--csv", folder.toString()));
    Cli.Result result = Cli.run(all.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err()).isEmpty();
    return result;
  }

  /** Returns the figures of the printed row with a label. */
  private static List<String> printed(Cli.Result result, String label) {
    Pattern row = Pattern.compile(Pattern.quote(label) + " {2,}(.*)");
    return result
        .out()
        .lines()
        .map(line -> row.matcher(line.strip()))
        .filter(Matcher::matches)
        .map(match -> List.of(match.group(1).strip().split(" +")))
        .findFirst()
        .orElseThrow();
  }

  private static String rounded(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  private static Table series(String name) throws IOException {
    List<List<String>> lines =
        Files.readAllLines(folder.resolve(name + ".csv")).stream()
            .map(ReproduceCommandTest::cells)
            .toList();
    List<String> header = lines.get(0);
    List<Row> rows =
        lines.subList(1, lines.size()).stream()
            .map(
                cells -> {
                  assertThat(cells).hasSameSizeAs(header);
                  Map<String, String> values = new LinkedHashMap<>();
                  for (int i = 0; i < header.size(); i++) {
                    values.put(header.get(i), cells.get(i));
                  }
                  return new Row(values);
                })
            .toList();
    return new Table(header, rows);
  }

  /** Splits at commas outside quotes. */
  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    Matcher cell = Pattern.compile("(?:\"([^\"]*)\"|([^,]*))(?:,|$)").matcher(line);
    for (int at = 0; at < line.length() && cell.find(at); at = cell.end()) {
      cells.add(cell.group(1) == null ? cell.group(2) : cell.group(1));
    }
    return cells;
  }

  private record Row(Map<String, String> values) {

    String text(String column) {
      String value = values.get(column);
      assertThat(value).as(column).isNotNull();
      return String.valueOf(value);
    }

    double number(String column) {
      return Double.parseDouble(text(column));
    }
  }

  private record Table(List<String> header, List<Row> rows) {

    List<Row> of(String column, String value) {
      return rows.stream().filter(row -> row.text(column).equals(value)).toList();
    }

    double mean(String policy, String column) {
      return of("policy", policy).stream()
          .mapToDouble(row -> row.number(column))
          .average()
          .orElseThrow();
    }
  }
}
