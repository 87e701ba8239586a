package dev.berth.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.berth.cli.Cli;
import dev.berth.cli.ParquetRows;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files for other tools that the command writes, read back. */
class TraceTargetTest {

  @TempDir private Path folder;

  private Path write(String name, String... more) {
    Path file = folder.resolve(name);
    List<String> line = new ArrayList<>(List.of("compare", "--workload", "validation-1"));
    line.addAll(List.of("--policies", "qos-driven,priority", "--until", "20m", "--no-bounds"));
    line.addAll(List.of("--trace", file.toString()));
    line.addAll(List.of(more));
    Cli.Result result = Cli.run(line.toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    return file;
  }

  /** The fields of a message: each number with its values, which are longs, doubles or bytes. */
  private static Map<Integer, List<Object>> fields(byte[] message) throws IOException {
    Map<Integer, List<Object>> fields = new TreeMap<>();
    CodedInputStream in = CodedInputStream.newInstance(message);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      Object value =
          switch (WireFormat.getTagWireType(tag)) {
            case WireFormat.WIRETYPE_VARINT -> in.readUInt64();
            case WireFormat.WIRETYPE_FIXED64 -> in.readFixed64();
            default -> in.readByteArray();
          };
      fields.computeIfAbsent(WireFormat.getTagFieldNumber(tag), k -> new ArrayList<>()).add(value);
    }
    return fields;
  }

  private static long number(Map<Integer, List<Object>> fields, int field) {
    return (Long) fields.getOrDefault(field, List.of(0L)).get(0);
  }

  private static String text(Map<Integer, List<Object>> fields, int field) {
    return new String((byte[]) fields.get(field).get(0), java.nio.charset.StandardCharsets.UTF_8);
  }

  @Test
  void perfettoReadsLanesCountersAndFlows() throws IOException {
    Map<Integer, List<Object>> trace = fields(Files.readAllBytes(write("run.pftrace")));
    assertThat(trace).containsOnlyKeys(1);
    Map<Long, String> tracks = new HashMap<>();
    Map<Long, Long> parents = new HashMap<>();
    List<Map<Integer, List<Object>>> events = new ArrayList<>();
    for (Object each : trace.get(1)) {
      Map<Integer, List<Object>> packet = fields((byte[]) each);
      if (packet.containsKey(60)) {
        Map<Integer, List<Object>> track = fields((byte[]) packet.get(60).get(0));
        boolean isProcess = track.containsKey(3);
        tracks.put(
            number(track, 1),
            isProcess ? text(fields((byte[]) track.get(3).get(0)), 6) : text(track, 2));
        parents.put(number(track, 1), number(track, 5));
      } else {
        Map<Integer, List<Object>> event = fields((byte[]) packet.get(11).get(0));
        event.put(8, packet.getOrDefault(8, List.of(0L)));
        events.add(event);
      }
    }
    assertThat(tracks).containsValues("qos-driven", "priority", "free cores", "waiting: gold");
    assertThat(parents.values()).allMatch(each -> each == 0 || tracks.containsKey(each));

    // As the reader does: by time, and those of one time in the order of the file.
    events.sort(Comparator.comparingLong(each -> number(each, 8)));
    Map<Long, Deque<String>> open = new HashMap<>();
    Set<Object> flows = new HashSet<>();
    Set<Object> ended = new HashSet<>();
    for (Map<Integer, List<Object>> each : events) {
      long track = number(each, 11);
      assertThat(tracks).containsKey(track);
      Deque<String> slices = open.computeIfAbsent(track, k -> new ArrayDeque<>());
      switch ((int) number(each, 9)) {
        case 1 -> {
          slices.push(text(each, 23));
          assertThat(slices).as("slices of a lane do not overlap").hasSize(1);
          flows.addAll(each.getOrDefault(47, List.of()));
        }
        case 2 -> slices.pop();
        case 3 -> ended.addAll(each.getOrDefault(48, List.of()));
        default -> assertThat(each).containsKey(44);
      }
    }
    assertThat(open.values()).allMatch(Deque::isEmpty);
    assertThat(flows).isNotEmpty().isEqualTo(ended);
  }

  @Test
  void chromeReadsTheSameSlices() throws IOException {
    JsonNode trace = new ObjectMapper().readTree(write("run.json").toFile());
    Map<String, Integer> phases = new TreeMap<>();
    Map<String, Double> freeFrom = new HashMap<>();
    for (JsonNode each : trace.get("traceEvents")) {
      phases.merge(each.get("ph").textValue(), 1, Integer::sum);
      if (each.get("ph").textValue().equals("X")) {
        String lane = each.get("pid") + "." + each.get("tid");
        double from = each.get("ts").doubleValue();
        assertThat(from).isGreaterThanOrEqualTo(freeFrom.getOrDefault(lane, 0.0) - 0.01);
        freeFrom.put(lane, from + each.get("dur").doubleValue());
      }
    }
    assertThat(phases).containsOnlyKeys("C", "M", "X", "f", "i", "s");
    assertThat(phases.get("s")).isEqualTo(phases.get("f"));
  }

  @Test
  void evalysReadsTheRequests() throws IOException {
    List<String> lines = Files.readAllLines(write("jobs.csv"));
    assertThat(lines.get(0))
        .startsWith("job_id,workload_name,profile,submission_time,requested_number_of_resources,")
        .endsWith(",waiting_time,turnaround_time,stretch,allocated_resources");
    int started = 0;
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      assertThat(cells).hasSize(14);
      if (!cells[7].isEmpty()) {
        started++;
        double submitted = Double.parseDouble(cells[3]);
        double start = Double.parseDouble(cells[7]);
        double finish = Double.parseDouble(cells[9]);
        assertThat(finish).isGreaterThanOrEqualTo(start);
        assertThat(start).isGreaterThanOrEqualTo(submitted);
        assertThat(Long.parseLong(cells[13])).isNotNegative();
      }
    }
    assertThat(started).isPositive();
  }

  /** Returns seconds of a CSV file as nanoseconds. */
  private static String nanos(String seconds) {
    return seconds.isEmpty()
        ? ""
        : new BigDecimal(seconds)
            .movePointRight(9)
            .setScale(0, RoundingMode.HALF_UP)
            .toPlainString();
  }

  private static List<Map<String, String>> csv(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<String> names = List.of(lines.get(0).split(","));
    List<Map<String, String>> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      Map<String, String> row = new HashMap<>();
      for (int i = 0; i < cells.length; i++) {
        row.put(names.get(i), cells[i]);
      }
      rows.add(row);
    }
    return rows;
  }

  @Test
  void parquetHasTheRowsOfBothCsvFiles() throws IOException {
    Path jobs = folder.resolve("requests.csv");
    List<Group> rows = ParquetRows.read(write("run.parquet", "--jobs", jobs.toString())).rows();
    Map<String, Map<String, String>> byRequest = new HashMap<>();
    for (Map<String, String> each : csv(jobs)) {
      byRequest.put(each.get("policy") + "/" + each.get("id"), each);
    }
    List<Map<String, String>> batsim = csv(write("run.csv"));
    assertThat(rows).hasSameSizeAs(batsim).hasSizeGreaterThan(100);
    int preempted = 0;
    for (int i = 0; i < rows.size(); i++) {
      Group row = rows.get(i);
      Map<String, String> job =
          byRequest.get(ParquetRows.cell(row, "policy") + "/" + ParquetRows.cell(row, "id"));
      for (String each : List.of("class", "host", "preemptions", "outcome")) {
        assertThat(ParquetRows.cell(row, each)).as(each).isEqualTo(job.get(each));
      }
      for (String each : List.of("submitted", "started", "ended", "service", "waiting")) {
        assertThat(ParquetRows.cell(row, each + "_ns"))
            .as(each)
            .isEqualTo(nanos(job.get(each + "_s")));
      }
      if (job.get("slo_met").equals("true")) {
        assertThat(ParquetRows.cell(row, "met")).isEqualTo("true");
      }
      Map<String, String> same = batsim.get(i);
      assertThat(ParquetRows.cell(row, "id")).isEqualTo(same.get("job_id"));
      assertThat(ParquetRows.cell(row, "policy")).isEqualTo(same.get("workload_name"));
      assertThat(ParquetRows.cell(row, "started_ns")).isEqualTo(nanos(same.get("starting_time")));
      assertThat(ParquetRows.cell(row, "lane").isEmpty())
          .isEqualTo(ParquetRows.cell(row, "host").isEmpty());
      preempted += ParquetRows.cell(row, "preemptions").equals("0") ? 0 : 1;
    }
    assertThat(preempted).isPositive();
  }

  @Test
  void parquetHasTheSameBytesInEveryProcess() throws IOException {
    Path file = write("run.parquet");
    assertThat(write("again.parquet")).hasSameBinaryContentAs(file);
    // Of several, the order would be that of identity hash codes, which differ between processes.
    assertThat(ParquetRows.read(file).chunks())
        .allSatisfy(
            each -> {
              assertThat(each.getEncodings()).hasSize(1);
              assertThat(each.getCodec()).isEqualTo(CompressionCodecName.ZSTD);
            });
  }

  @Test
  void aFullDiskIsReportedForParquet() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "SKIPPED: there is no /dev/full");
    Path file = Files.createSymbolicLink(folder.resolve("run.parquet"), full);
    Cli.Result result =
        Cli.run(
            "compare",
            "--workload",
            "validation-1",
            "--until",
            "1m",
            "--no-bounds",
            "--trace",
            file.toString());
    assertThat(result.err())
        .isEqualTo(
            "berth: --trace \"%s\" cannot be written: No space left on device\n".formatted(file));
    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    Files.delete(file);
  }

  @Test
  void writesPicturesAndTimelineOfThePage() throws IOException {
    Path pictures = folder.resolve("pictures");
    Path page = folder.resolve("page");
    write("run.pftrace", "--pictures", pictures.toString(), "--report", page.toString());
    for (String each : List.of("met-1", "below", "timeline")) {
      assertThat(pictures.resolve(each + ".svg"))
          .content()
          .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")
          .endsWith("</svg>\n")
          .doesNotContain("NaN");
    }
    assertThat(page.resolve("index.html"))
        .content()
        .contains("<h2 id=\"glance\"", "figure class=\"chart\" id=\"timeline\"")
        .contains("berth explain {id} --at {at} --policy priority --workload validation-1")
        .contains("<summary dir=\"auto\">All figures</summary>");
  }
}
