package dev.berth.traces.format.kubectl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.Readers;
import dev.berth.traces.TextFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubectlTest {

  private static final List<ServiceClass> CLASSES = ServiceClasses.goldSilverBronze(Duration.ZERO);
  private static final String CPU = "'containers':[{'resources':{'requests':{'cpu':'1'}}}]";
  private static final String RAN =
      "'phase':'Succeeded','startTime':'2026-03-01T12:00:10Z','containerStatuses':[{'state':"
          + "{'terminated':{'startedAt':'2026-03-01T12:00:20Z','finishedAt':'2026-03-01T12:01:10Z'}}}]";

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  /** Returns a pod of the namespace web that was created at 12:00. */
  private static String pod(String name, String meta, String spec, String status) {
    return object(
        "Pod",
        "'namespace':'web','creationTimestamp':'2026-03-01T12:00:00Z','name':'" + name + "'" + meta,
        spec,
        status);
  }

  private static String object(String kind, String meta, String spec, String status) {
    return "{'apiVersion':'v1','kind':'%s','metadata':{%s},'spec':{%s},'status':{%s}}"
        .formatted(kind, meta, spec, status);
  }

  private String file(String... objects) {
    return files.write(
        "cluster.json",
        """
        {
            "apiVersion": "v1",
            "items": [
        %s
            ],
            "kind": "List",
            "metadata": {"resourceVersion": ""}
        }
        """
            .formatted(String.join(",\n", objects).replace('\'', '"')));
  }

  private FileWorkload read(String... objects) {
    return Readers.workload(file(objects), CLASSES);
  }

  private static List<Arrival> arrivals(FileWorkload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }

  private Arrival only(String meta, String spec) {
    List<Arrival> arrivals = arrivals(read(pod("a", meta, spec, RAN)));
    assertThat(arrivals).hasSize(1);
    return arrivals.get(0);
  }

  @Test
  void podsThatRanAreRequests() {
    FileWorkload workload =
        read(
            pod("late", "", CPU, RAN).replace("12:00:00Z", "12:00:05Z"),
            object("Node", "'name':'n1'", "", ""),
            pod(
                "job",
                ",'ownerReferences':[{'controller':true,'kind':'Job','name':'j'}]",
                CPU,
                RAN));

    assertThat(arrivals(workload))
        .extracting(each -> each.at() + " " + each.request() + " " + each.serviceTime())
        .containsExactly(
            "0 request web/job (silver, cpu 1, job web/Job/j, user web, loses its progress)"
                + " 60000000000",
            "5000000000 request web/late (silver, cpu 1, user web) 60000000000");
    assertThat(workload.report().skipped()).isEmpty();
  }

  /** The latest time in the file is that of a node. */
  @Test
  void podsThatRunHaveServedUntilTheLatestTime() {
    String running = "'phase':'Running','startTime':'2026-03-01T12:00:10Z'";
    String node =
        object(
            "Node",
            "'name':'n1','creationTimestamp':'2026-01-01T00:00:00Z'",
            "",
            "'conditions':[{'type':'Ready','lastHeartbeatTime':'2026-03-01T13:00:10Z',"
                + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]");

    assertThat(arrivals(read(pod("a", "", CPU, running), node)))
        .extracting(Arrival::serviceTime)
        .containsExactly(Duration.ofHours(1).toNanos());
  }

  @Test
  void reportsWhatIsNoRequest() {
    FileWorkload workload =
        read(
            pod("a", "", CPU, RAN),
            pod(
                "b",
                ",'ownerReferences':[{'controller':true,'kind':'DaemonSet','name':'d'}]",
                CPU,
                RAN),
            pod(
                "c",
                ",'ownerReferences':[{'controller':true,'kind':'Node','name':'n1'}]",
                CPU,
                RAN),
            pod("d", "", CPU, "'phase':'Pending'"),
            pod(
                "e",
                "",
                CPU,
                "'phase':'Failed','reason':'Evicted','startTime':'2026-03-01T12:00:10Z'"),
            pod("f", "", CPU, "'phase':'Running','startTime':'2026-03-01T12:01:10Z'"),
            pod(
                "g",
                "",
                CPU,
                "'phase':'Failed','containerStatuses':[{'state':{'terminated':"
                    + "{'startedAt':null,'finishedAt':null}}}]"));

    assertThat(arrivals(workload)).extracting(each -> each.request().id()).containsExactly("web/a");
    assertThat(workload.report().skipped())
        .isEqualTo(
            Map.of(
                KubectlWorkloadFormat.OF_ITS_NODE,
                2L,
                KubectlWorkloadFormat.NEVER_RAN,
                2L,
                KubectlWorkloadFormat.NO_END,
                1L,
                KubectlWorkloadFormat.NO_TIME,
                1L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'cpu':'250m','memory':'64Mi' | cpu 0.25, memory 0.067108864",
        "'cpu':2,'memory':'1e3' | cpu 2, memory 0.000001",
        "'cpu':'1.5','memory':'2G','nvidia.com/gpu':'2','example.com/fpga':'1' | cpu 1.5, gpu 2, memory 2",
        "'cpu':'100u','memory':'128974848000m','ephemeral-storage':'1Gi' | cpu 0.0001, memory 0.128974848",
        "'cpu':'1k','memory':'1Ei' | cpu 1000, memory 1152921504.606846976",
        "'cpu':'0' | nothing"
      })
  void readsQuantities(String requests, String demand) {
    String spec = "'containers':[{'resources':{'requests':{%s}}},{'name':'b'}]".formatted(requests);
    assertThat(only("", spec).request().toString()).contains("(silver, " + demand + ", user web)");
  }

  @Test
  void aPodDemandsWhatItsContainersDemandTogether() {
    String spec =
        "'overhead':{'cpu':'100m'},'containers':[{'resources':{'requests':{'cpu':'1','memory':1}}},"
            + "{'resources':{'requests':{'cpu':'2'}}}],'initContainers':["
            + "{'restartPolicy':'Always','resources':{'requests':{'cpu':'500m','memory':2}}},"
            + "{'resources':{'requests':{'cpu':'1','memory':9}}}]";
    assertThat(only("", spec).request().demand()).hasToString("cpu 3.6, memory 0.000000011");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'priority':1000 | gold",
        "'priority':0 | silver",
        "'priority':-5 | bronze",
        "'nodeName':'n1' | silver",
        "'priority':-5,'priorityClassName':'gold' | gold",
        "'priority':-5,'priorityClassName':'other' | bronze"
      })
  void theClassFollowsFromThePriority(String spec, String serviceClass) {
    assertThat(only("", CPU + "," + spec).request().serviceClass()).isEqualTo(serviceClass);
  }

  @Test
  void labelsChooseTheClassAndKeepProgress() {
    Arrival arrival =
        only(
            ",'labels':{'berth.dev/service-class':'bronze','berth.dev/keeps-progress':'true'},"
                + "'ownerReferences':[{'kind':'Other','name':'x'},"
                + "{'controller':true,'kind':'Job','name':'j'}]",
            CPU + ",'priority':1000");

    assertThat(arrival.request().serviceClass()).isEqualTo("bronze");
    assertThat(arrival.request().losesProgress()).isFalse();
    assertThat(arrival.request().job()).hasValue("web/Job/j");
  }

  @Test
  void readsSelectorsTolerationsAndDeadlines() {
    Arrival arrival =
        only(
            "",
            CPU
                + ",'activeDeadlineSeconds':60,'nodeSelector':{'disk':'ssd'},'tolerations':["
                + "{'key':'node.kubernetes.io/not-ready','operator':'Exists','effect':'NoExecute',"
                + "'tolerationSeconds':300},{'key':'gpu','operator':'Exists','effect':'NoSchedule'},"
                + "{'key':'team','value':'a'},{'operator':'Exists'}]");

    assertThat(arrival.request().toString())
        .isEqualTo(
            "request web/a (silver, cpu 1, user web, disk == ssd, tolerates gpu of effect NO_NEW,"
                + " tolerates team=a, tolerates all taints, runs about PT1M)");
  }

  @Test
  void nodesAreHosts() {
    String file =
        file(
            object(
                "Node",
                "'name':'n1','labels':{'zone':'a','node-role.kubernetes.io/control-plane':''}",
                "'taints':[{'key':'gpu','value':'yes','effect':'NoSchedule'},"
                    + "{'key':'x','effect':'PreferNoSchedule'},{'key':'y','effect':'NoExecute'}]",
                "'allocatable':{'cpu':'3920m','memory':'1Ki','nvidia.com/gpu':'8','pods':'110'}"),
            pod("a", "", CPU, RAN),
            object("Node", "'name':'n2'", "", "'allocatable':{'cpu':'4'}"));

    List<HostSpec> hosts = Readers.infrastructure(file).hosts();
    assertThat(hosts)
        .extracting(each -> each.id() + ": " + each.capacity())
        .containsExactly("n1: cpu 3.92, gpu 8, memory 0.000001024", "n2: cpu 4");
    assertThat(hosts.get(0).attributes())
        .isEqualTo(Map.of("zone", "a", "node-role.kubernetes.io/control-plane", ""));
    assertThat(hosts.get(0).taints())
        .containsExactly(
            Taint.noNew("gpu", "yes"),
            Taint.preferNot("x", ""),
            Taint.leaveAfter("y", "", Duration.ZERO));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'cpu':'1' | 'cpu':'one' | items[0].spec.containers[0].resources.requests.cpu was \"one\", must"
            + " be a quantity such as 2, 0.5, 500m, 1e3, 64Mi or 10G.",
        "12:00:00Z | 12:00 | items[0].metadata.creationTimestamp was \"2026-03-01T12:00\", must be a time"
            + " such as 2026-03-01T12:34:56Z.",
        "'name' | 'nome' | must have the member items[0].metadata.name.",
        "'metadata' | 'meta' | must have the member items[0].metadata.",
        "'cpu':'1' | 'cpu':'9E' | has an amount of cpu that is too large.",
        "'containers': | 'priority':0.5,'containers': | items[0].spec.priority was \"0.5\", must be a"
            + " whole number from -2147483648 to 2147483647."
      })
  void refusesOrSkipsBadPods(String good, String bad, String message) {
    String[] pods = {pod("a", "", CPU, RAN).replace(good, bad), pod("b", "", CPU, RAN)};

    files.assertRefused("cluster.json, line 4: " + message, () -> read(pods));
    FileWorkload workload = Readers.workload(file(pods), CLASSES, new ReadOptions(1));
    assertThat(arrivals(workload)).extracting(each -> each.request().id()).containsExactly("web/b");
  }

  @Test
  void refusesWhatIsNoList() {
    String pod = files.write("pod.json", "{", "\"kind\": \"Pod\"", "}");
    files.assertRefused(
        "pod.json, line 3: must be a list of Kubernetes, as of kubectl get pods,nodes -A -o json.",
        () -> Readers.workload("kubectl:" + pod, CLASSES));
    String cut = files.write("cut.json", "{", "\"apiVersion\": \"v1\",", "\"items\": [", "{");
    assertThat(
            Stream.<Runnable>of(
                () -> Readers.workload(cut, CLASSES), () -> Readers.infrastructure(cut)))
        .allSatisfy(
            each ->
                assertThatThrownBy(each::run)
                    .hasMessageContaining("cut.json, line 4: is not JSON: "));
  }

  @Test
  void aLineThatIsNoTextEndsTheReading() {
    String begin = "{\"apiVersion\": \"v1\",\n\"items\": [\n";
    String pod = pod("a", "", CPU, RAN).replace('\'', '"');
    String file =
        files.bytes(
            "cluster.json",
            (begin + pod + ",\n{\"x\": \"\u00dc\"}\n],\n\"kind\": \"Lis\u00dc\"\n}\n")
                .getBytes(ISO_8859_1));

    for (int skipBad : new int[] {0, 5}) {
      ReadOptions options = new ReadOptions(skipBad);
      assertThat(
              Stream.<Runnable>of(
                  () -> Readers.workload(file, CLASSES, options),
                  () -> Readers.infrastructure(file, options)))
          .allSatisfy(
              each ->
                  assertThatThrownBy(each::run)
                      .hasMessageContaining("cluster.json, line 4: is not text in UTF-8."));
    }
  }

  @Test
  void readsAListInOneLine() {
    String file =
        files.write(
            "cluster.json",
            "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["
                + pod("a", "", CPU, RAN).replace('\'', '"')
                + "]}");

    assertThat(arrivals(Readers.workload(file, CLASSES))).hasSize(1);
  }
}
