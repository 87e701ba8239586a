package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.test.TestRun;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import dev.berth.traces.spi.Format;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every format refuses or accepts lines of up to 1 MiB in time linear in their length, whatever
 * they consist of. {@link dev.berth.traces.internal.util.Shape} counts the work of patterns; too
 * much is an {@link IllegalStateException}, and a recursion a {@link StackOverflowError}.
 */
class TimeBoundedReadingTest {

  private static final List<ServiceClass> CLASSES =
      ServiceClasses.goldSilverBronze(Duration.ofSeconds(30));

  private static final List<String> FILLINGS =
      List.of(
          "1", ".", " ", "\t", "\"", "'", ",", ":", ";", "a", "-", "e", "+", "=", "|", "{", "[",
          "\\", "1 ", "1,", "a=", "\u00E9", "\u2028");

  /** Enough for a quadratic pattern to exceed its limit by far. */
  private static final int SHORTER = 1 << 14;

  /** Good lines of each format; the last is attacked. */
  private static final Map<String, List<String>> WORKLOADS =
      Map.ofEntries(
          Map.entry(
              "csv",
              List.of(
                  "admitted,id,class,service_time,cpu,memory,job,anti_affinity,constraints,bag",
                  "0,r1,gold,1h,1,1,j,1,a==b;c<5;d in e|f;g exists,b1")),
          Map.entry(
              "jsonl",
              List.of(
                  "{\"admitted\":0,\"id\":\"r1\",\"class\":\"gold\",\"serviceTime\":\"2h\",\"demand\":"
                      + "{\"cpu\":0.5},\"constraints\":[{\"attribute\":\"z\",\"operator\":\"<\","
                      + "\"value\":5}],\"memoryProfile\":[{\"from\":0,\"need\":1}]}")),
          Map.entry(
              "qos-simulation", List.of("{0,1,7,600,0.5,0.25,11,0,[{\"zone\",\"<\",\"5\"}]}.")),
          Map.entry("qos-experiment", List.of("0,1,7,u,0,11,600,-1,0.5,0.25,gold,1")),
          Map.entry(
              "google-2011",
              List.of(
                  "0,,5,0,,0,u=,3,9,0.5,0.25,0.1,1",
                  "0,,5,0,77,1,u=,3,9,0.25,0.25,0.1,1",
                  "606500000,,5,0,77,4,u=,3,9,0.25,0.25,0.1,1")),
          Map.entry("borg-simulator", List.of("0,0,4,0.5,0.25,11,1,[Ql,>,4;wN,==,2]")),
          Map.entry(
              "swf",
              List.of(
                  "1 100 0 10 4 -1 -1 4 60 1000 1 12 1 1 1 1 -1 -1",
                  "2 100 0 10 4 -1 -1 4 60 1000 1 12 1 1 1 1 -1 -1 {h/0*4} q 2:ppn=8:cl_zewura+1:ppn=4")),
          Map.entry(
              "alibaba-openb",
              List.of(
                  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,creation_time,"
                      + "deletion_time,scheduled_time",
                  "p0,1500,1024,2,500,A|B,LS,0,100,10")),
          Map.entry(
              "sacct",
              List.of(
                  "JobID|JobName|User|QOS|Submit|Elapsed|Timelimit|State|ReqMem|AllocTRES",
                  "7|a|ana|high|2026-03-01T12:00:00|1-02:03:04|UNLIMITED|CANCELLED by 5|4Gn|"
                      + "billing=4,cpu=4,gres/gpu:a100=1,mem=16G,node=2")),
          Map.entry(
              "kubectl",
              List.of(
                  "{\"apiVersion\":\"v1\",\"items\":[{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\","
                      + "\"namespace\":\"b\",\"creationTimestamp\":\"2026-03-01T12:00:01Z\"},\"spec\":"
                      + "{\"priority\":5,\"containers\":[{\"resources\":{\"requests\":{\"cpu\":\"250m\"}}}]},"
                      + "\"status\":{\"phase\":\"Failed\",\"containerStatuses\":[{\"state\":{\"terminated\":"
                      + "{\"startedAt\":\"2026-03-01T12:00:01Z\",\"finishedAt\":\"2026-03-01T12:01:00Z\"}}}]}}]}")),
          Map.entry(
              "alibaba-spot-2026",
              List.of(
                  "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,"
                      + "duration,job_type",
                  "7,13,A10,20.0,1.0,2,0.0,60.0,HP")),
          Map.entry(
              "bitbrains",
              List.of(
                  "Timestamp [ms];\tCPU cores;\tand more",
                  "1000;\t2;\t2600;\t0;\t0;\t1000.0;\t250.5;\t0;\t0;\t0;\t0")));

  private static final Map<String, List<String>> INFRASTRUCTURES =
      Map.of(
          "csv",
          List.of("id,cpu,memory,gpu,attributes,time_shared", "h1,4,16,1,zone=a;rank=5,false"),
          "jsonl",
          List.of("{\"id\":\"h1\",\"capacity\":{\"cpu\":4},\"attributes\":{\"zone\":\"a\"}}"),
          "qos-infrastructure",
          List.of("{1,\"Host_1\",0.5,0.25,[{\"GK\",\"ly\"}]}."),
          "google-2011",
          List.of("0,5,0,p=,0.5,0.25"),
          "borg-simulator",
          List.of("5,Host_5,0.5,0.25,[GK,Ap;Ql,3]"),
          "alibaba-openb",
          List.of("sn,cpu_milli,memory_mib,gpu,model", "n0,32000,1024,1,G2"),
          "kubectl",
          List.of(
              "{\"apiVersion\":\"v1\",\"items\":[{\"kind\":\"Node\",\"metadata\":{\"name\":\"a\","
                  + "\"labels\":{\"zone\":\"a\"}},\"spec\":{\"taints\":[{\"key\":\"gpu\",\"effect\":"
                  + "\"NoSchedule\"}]},\"status\":{\"allocatable\":{\"cpu\":\"3920m\"}}}]}"),
          "alibaba-spot-2026",
          List.of("gpu_model,gpu_capacity_num,cpu_num,node_name", "A10,1,128,2"),
          "alea-machines",
          List.of("0 seth 1 2 1 1000"));

  private static final Map<String, List<String>> HOST_EVENTS =
      Map.of(
          "csv",
          List.of(
              "time,host,event,value",
              "10s,h1,taints,disk=full:leave after 10m;gpu:no-new",
              "20s,,limit,20 matlab"),
          "jsonl",
          List.of(
              "{\"time\":10,\"event\":\"taints\",\"host\":\"h1\",\"taints\":[{\"key\":\"a\",\"effect\":\"leave\",\"grace\":\"10m\"}]}",
              "{\"time\":20,\"event\":\"limit\",\"limit\":\"matlab\",\"amount\":20}"),
          "google-2011",
          List.of("0,7,0,p,0.5,0.25", "601000000,7,1,p,0.5,0.25"));

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  @TestFactory
  Stream<DynamicTest> workloads() {
    return tests(WORKLOADS, file -> Readers.workload(file, CLASSES));
  }

  @TestFactory
  Stream<DynamicTest> infrastructures() {
    return tests(INFRASTRUCTURES, Readers::infrastructure);
  }

  @TestFactory
  Stream<DynamicTest> hostEvents() {
    return tests(HOST_EVENTS, Readers::hostEvents);
  }

  @Test
  void constraintsAndAttributesOfGoogleTraces() throws IOException {
    files.write("task_events", WORKLOADS.get("google-2011").toArray(String[]::new));
    files.write("machine_events", INFRASTRUCTURES.get("google-2011").toArray(String[]::new));
    for (String line : attacks("0,5,0,2,a,5")) {
      read(
          "google-2011:" + folder.resolve("task_events"),
          files.write("task_constraints", line),
          file -> Readers.workload(file, CLASSES));
    }
    for (String line : attacks("0,5,a,b,0")) {
      read(
          "google-2011:" + folder.resolve("machine_events"),
          files.write("machine_attributes", line),
          Readers::infrastructure);
    }
  }

  @Test
  void serviceClasses() {
    for (String line : attacks("[{\"name\":\"best\",\"slo\":0.99,\"safetyMargin\":\"10s\"}]")) {
      read(files.write("classes", line), line, file -> Readers.serviceClasses(file, Duration.ZERO));
    }
  }

  @Test
  void everyFormatIsAttacked() {
    assertThat(WORKLOADS.keySet()).isEqualTo(names(Readers.workloadFormats()));
    assertThat(INFRASTRUCTURES.keySet()).isEqualTo(names(Readers.infrastructureFormats()));
    assertThat(HOST_EVENTS.keySet()).isEqualTo(names(Readers.hostEventsFormats()));
  }

  private static Collection<String> names(List<? extends Format> formats) {
    return formats.stream().map(Format::name).collect(Collectors.toSet());
  }

  private Stream<DynamicTest> tests(Map<String, List<String>> samples, Consumer<String> reader) {
    Stream<DynamicTest> inFields =
        new TreeMap<>(samples)
            .entrySet().stream().map(each -> dynamicTest(each.getKey(), () -> check(each, reader)));
    return Stream.concat(inFields, Stream.of(dynamicTest("recognition", () -> recognise(reader))));
  }

  private void check(Map.Entry<String, List<String>> sample, Consumer<String> reader) {
    List<String> lines = sample.getValue();
    reader.accept(sample.getKey() + ":" + files.write("good", lines.toArray(String[]::new)));
    for (String attack : attacks(lines.get(lines.size() - 1))) {
      List<String> attacked = new ArrayList<>(lines);
      attacked.set(lines.size() - 1, attack);
      String file = files.write("attack", attacked.toArray(String[]::new));
      read(sample.getKey() + ":" + file, attack, reader);
    }
  }

  private void recognise(Consumer<String> reader) {
    List<String> begins = List.of("", "{\"", "0\tname\t");
    for (int filling = 0; filling < FILLINGS.size(); filling++) {
      for (int begin = 0; begin < begins.size(); begin++) {
        if (!TestRun.isFixed() || begin == filling % begins.size()) {
          String start = begins.get(begin);
          int bytes = isWhole(filling) ? Lines.LONGEST - start.length() : SHORTER;
          String line = start + filled(FILLINGS.get(filling), bytes);
          read(files.write("attack", line), line, reader);
        }
      }
    }
  }

  private static void read(String file, String line, Consumer<String> reader) {
    try {
      reader.accept(file);
    } catch (InputException refused) {
      assertThat(refused.getMessage()).hasSizeLessThan(5_000);
    } catch (RuntimeException | StackOverflowError failure) {
      throw new AssertionError(
          "%s: %s in a line that begins with %s"
              .formatted(file, failure, line.substring(0, Math.min(line.length(), 200))),
          failure);
    }
  }

  /** Returns whether some lines with a filling have 1 MiB: all in long runs. */
  private static boolean isWhole(int filling) {
    return !TestRun.isFixed() || filling % 4 == 0;
  }

  /**
   * Returns lines with a repeated text after a word: up to 1 MiB of it after one of the words, and
   * less after every other.
   */
  private static Iterable<String> attacks(String good) {
    List<Integer> ends =
        IntStream.rangeClosed(1, good.length())
            .filter(at -> isWord(good.charAt(at - 1)))
            .filter(at -> at == good.length() || !isWord(good.charAt(at)))
            .boxed()
            .toList();
    return () ->
        IntStream.range(0, FILLINGS.size() * ends.size())
            .filter(each -> !TestRun.isFixed() || each % 6 == each / ends.size() % 6)
            .mapToObj(
                each -> {
                  int filling = each / ends.size();
                  int word = each % ends.size();
                  boolean whole = filling % ends.size() == word && isWhole(filling);
                  int bytes = whole ? Lines.LONGEST - 2 * good.length() : SHORTER;
                  int at = ends.get(word);
                  return good.substring(0, at)
                      + filled(FILLINGS.get(filling), bytes)
                      + "x"
                      + good.substring(at);
                })
            .iterator();
  }

  private static boolean isWord(char each) {
    return Character.isLetterOrDigit(each);
  }

  private static String filled(String filling, int bytes) {
    return filling.repeat(bytes / filling.getBytes(StandardCharsets.UTF_8).length);
  }
}
