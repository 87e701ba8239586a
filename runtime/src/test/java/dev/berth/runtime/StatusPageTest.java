package dev.berth.runtime;

import static dev.berth.runtime.StatusMachines.fresh;
import static dev.berth.runtime.StatusMachines.host;
import static dev.berth.runtime.StatusMachines.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.test.Chromium;
import dev.berth.test.PageCheck;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.TimelineRecorder;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The status of a loop on the web. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StatusPageTest {

  private final HttpClient client = HttpClient.newHttpClient();
  private final StatusMachines machines = new StatusMachines();

  private static StatusPage start(SchedulerLoop loop) throws Exception {
    return StatusPage.start(loop, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private HttpResponse<String> get(StatusPage page, String path) throws Exception {
    URI uri = page.uri().resolve(path);
    return client.send(
        HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(10)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private SchedulerLoop busy() throws Exception {
    SchedulerLoop loop = machines.loop().start();
    loop.addHost(host("h1", 2)).join();
    for (int i = 0; i < 3; i++) {
      loop.submit(request("b" + i, "bronze", 1)).join();
      loop.submit(request("g" + i, "gold", 1)).join();
    }
    fresh(loop);
    return loop;
  }

  @Test
  void showsWhatWaitsHostsAndPasses() throws Exception {
    try (SchedulerLoop loop = busy();
        StatusPage page = start(loop)) {
      HttpResponse<String> answer = get(page, "/");

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
          .contains("default-src 'none'");
      assertThat(answer.body())
          .contains("<dt>Waiting</dt><dd>4</dd>")
          .contains("<tr><th scope=\"row\">gold</th><td class=\"end\">1</td>")
          .contains("<tr><th scope=\"row\">bronze</th><td class=\"end\">3</td>")
          .contains("<th scope=\"row\">open</th><td class=\"end\">1</td>")
          .contains("no-room")
          .contains("Latest passes")
          .doesNotContain("http://")
          .doesNotContain("https://");
      String file = System.getProperty("berth.test.statusPage"); // to look at it
      if (file != null) {
        Files.writeString(Path.of(file), answer.body());
      }
    }
  }

  @Test
  void showsWhatRunsWhereAndWhatWaitsAndWhy() throws Exception {
    SchedulerLoop loop = busy();
    try (StatusPage page = start(loop)) {
      loop.addHost(host("h2", 1)).join();
      StatusMachines.await(() -> body(page).contains(" on h2 for "));

      assertThat(body(page))
          .contains("g0 (gold): starting on h1 for ")
          .contains(
              "<th scope=\"row\">h1</th><td class=\"end\">2</td><td class=\"names\">g0 (gold, ")
          .containsPattern(
              "<th scope=\"row\">b1</th><td>bronze</td><td>[0-9.]+ m?s</td><td class=\"why\">0 of 2 hosts: 2 full")
          .contains("width=\"720\"");
      assertThat(get(page, "/?width=390").body()).contains("width=\"390\"");
      loop.close();
      assertThat(body(page)).contains("<span>stopped</span>").contains(" on h2 for ");
    }
  }

  @Test
  void forgetsTheOldestAndSaysSo() throws Exception {
    try (SchedulerLoop loop = machines.loop().start()) {
      StatusRecording recording = new StatusRecording(loop, 100);
      loop.addHost(host("h1", 1)).join();
      assertThat(view(recording).isCut()).isFalse();
      for (int i = 0; i < 200; i++) {
        loop.submit(request("r" + i, "gold", 1)).join();
        loop.cancel("r" + i).join();
      }
      loop.submit(request("last", "gold", 1)).join();

      StatusView view = view(recording);
      assertThat(view.isCut()).isTrue();
      assertThat(view.timeline().instances().ids()).contains("last").doesNotContain("r0");
      assertThat(view.timeline().spans().from().size()).isBetween(1, 101);
      StringBuilder html = new StringBuilder();
      StatusPicture.append(html, view, 720);
      assertThat(html).contains("Earlier bars were dropped: at most 20,000 are kept.");
    }
  }

  @Test
  void saysSoIfTheLoopHasNotAnsweredYet() throws Exception {
    try (SchedulerLoop loop = busy()) {
      assertThat(StatusHtml.of(loop.status(), Optional.empty(), 0, 720))
          .contains("The loop has not answered yet.", "Waiting, by class and reason");
    }
  }

  /** Returns a view that was taken after the call began. */
  private static StatusView view(StatusRecording recording) throws Exception {
    Optional<StatusView> before = recording.view();
    StatusMachines.await(() -> !recording.view().equals(before));
    return recording.view().orElseThrow();
  }

  @Test
  void recordsNothingBeforeThePageAndAfterIt() throws Exception {
    try (SchedulerLoop loop = busy()) {
      StatusRecording recording = new StatusRecording(loop, 100);
      assertThat(view(recording).timeline().hosts()).hasSize(1);
      recording.stop();
      loop.addHost(host("h2", 1)).join();
      StatusRecording later = new StatusRecording(loop, 100);
      assertThat(view(later).timeline().hosts()).hasSize(2);
      assertThat(view(recording).timeline().hosts()).hasSize(1);
    }
  }

  @Test
  void hasNoDefectInTheBrowser(@TempDir Path scratch) throws Exception {
    Chromium.require();
    try (SchedulerLoop loop = busy();
        StatusPage page = start(loop)) {
      assertThat(PageCheck.defects(() -> body(page), scratch)).isEmpty();

      Chromium.Visit visit = Chromium.open(page.uri(), scratch);
      assertThat(visit.console()).isEmpty();
      assertThat(visit.document())
          .contains("g0 (gold): starting on h1 for ")
          .doesNotContain("width=\"720\"") // its script has loaded it with the width of the window
          .contains(
              "Stop refreshing</button> <span id=\"news\" class=\"bad\" role=\"status\"></span>");
    }
  }

  private String body(StatusPage page) {
    try {
      return get(page, "/").body();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void refreshesOnlyOnRequest() throws Exception {
    try (SchedulerLoop loop = busy();
        StatusPage page = start(loop)) {
      assertThat(get(page, "/").body()).doesNotContain("http-equiv=\"refresh\"");
      assertThat(get(page, "/?refresh=5").body())
          .contains("<meta http-equiv=\"refresh\" content=\"5\">");
      assertThat(get(page, "/?refresh=5").body()).doesNotContain("<script");
      assertThat(get(page, "/?refresh=%22%3E%3Cb%3E").body())
          .doesNotContain("http-equiv=\"refresh\"")
          .doesNotContain("<b>");
    }
  }

  @Test
  void jsonHasAllFigures() throws Exception {
    try (SchedulerLoop loop = busy();
        StatusPage page = start(loop)) {
      HttpResponse<String> answer = get(page, "/status.json");
      JsonNode json = new ObjectMapper().readTree(answer.body());

      assertThat(answer.headers().firstValue("Content-Type"))
          .hasValue("application/json; charset=utf-8");
      assertThat(json.get("phase").asText()).isEqualTo("running");
      assertThat(json.get("waiting").asInt()).isEqualTo(4);
      assertThat(json.at("/waitingByClassAndReason/bronze/no-room").asInt()).isEqualTo(3);
      assertThat(json.at("/hostsByState/open").asInt()).isEqualTo(1);
      assertThat(json.at("/passes/preemptionsByClass/bronze").asInt()).isPositive();
      assertThat(json.at("/passes/firstWaitsByClass/gold/count").asInt()).isEqualTo(2);
      assertThat(json.at("/passes/firstWaitsByClass/gold/withinSeconds/86400.0").asInt())
          .isEqualTo(2);
      assertThat(json.at("/passes/latest/0/number").asLong())
          .isEqualTo(json.at("/passes/count").asLong());
      assertThat(json.at("/instancesByClassAndState/gold/starting").asInt()).isEqualTo(2);
      assertThat(json.get("longestWaitSeconds").asDouble()).isPositive();
    }
  }

  @Test
  void healthFollowsTheLoop() throws Exception {
    SchedulerLoop loop = busy();
    try (StatusPage page = start(loop)) {
      assertThat(get(page, "/healthz").statusCode()).isEqualTo(200);
      assertThat(get(page, "/healthz").body()).isEqualTo("running\n");
      loop.close();
      assertThat(get(page, "/healthz").statusCode()).isEqualTo(503);
      assertThat(get(page, "/healthz").body()).isEqualTo("stopped\n");
      assertThat(get(page, "/").body()).contains("<span>stopped</span>");
    }
  }

  @Test
  void refusesOtherPathsAndMethods() throws Exception {
    try (SchedulerLoop loop = busy();
        StatusPage page = start(loop)) {
      assertThat(get(page, "/other").statusCode()).isEqualTo(404);
      assertThat(get(page, "/status.json/more").statusCode()).isEqualTo(404);
      HttpRequest post =
          HttpRequest.newBuilder(page.uri()).POST(HttpRequest.BodyPublishers.ofString("x")).build();
      assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(405);
      HttpRequest head =
          HttpRequest.newBuilder(page.uri())
              .method("HEAD", HttpRequest.BodyPublishers.noBody())
              .build();
      HttpResponse<String> headers = client.send(head, HttpResponse.BodyHandlers.ofString());
      assertThat(headers.statusCode()).isEqualTo(200);
      assertThat(headers.body()).isEmpty();
    }
  }

  @Test
  void answersToLoopbackNamesOnly() throws Exception {
    try (SchedulerLoop loop = busy();
        StatusPage page = start(loop)) {
      assertThat(page.address().getAddress().isLoopbackAddress()).isTrue();
      assertThat(raw(page, "evil.example")).startsWith("HTTP/1.1 421");
      assertThat(raw(page, "localhost:" + page.address().getPort())).startsWith("HTTP/1.1 200");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> StatusPage.start(loop, new InetSocketAddress(0)))
          .withMessageContaining("loopback");
    }
    try (SchedulerLoop loop = busy();
        StatusPage page =
            StatusPage.startExposed(
                loop, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      assertThat(raw(page, "berth.example")).startsWith("HTTP/1.1 200");
    }
  }

  /** As behind a port that kubectl forwards: the server listens everywhere. */
  @Test
  void localHandlerAnswersOnlyTheLoopbackInterface() throws Exception {
    try (SchedulerLoop loop = busy();
        StatusHandler handler = StatusHandler.local(loop);
        WebServer server = WebServer.start(new InetSocketAddress(0), handler)) {
      int port = server.address().getPort();
      assertThat(raw(InetAddress.getLoopbackAddress(), port, "localhost"))
          .startsWith("HTTP/1.1 200");
      Optional<InetAddress> other =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
              .findFirst();
      assumeThat(other).as("an address that is not loopback").isPresent();
      assertThat(raw(other.get(), port, "localhost")).startsWith("HTTP/1.1 421");
    }
  }

  private static String raw(StatusPage page, String host) throws Exception {
    return raw(page.address().getAddress(), page.address().getPort(), host);
  }

  private static String raw(InetAddress address, int port, String host) throws Exception {
    try (Socket socket = new Socket(address, port)) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
              .formatted(host)
              .getBytes(StandardCharsets.US_ASCII));
      out.flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void escapesEverything() {
    String evil = "<script>alert('x')</script>&\"";
    LoopStatus status =
        new LoopStatus(
            Instant.EPOCH,
            0,
            LoopStatus.Phase.FAILED,
            Optional.of(evil),
            evil,
            Map.of(evil, Map.of(evil, 1)),
            Optional.of(Duration.ofSeconds(3)),
            Map.of(evil, Map.of()),
            Map.of(evil, 0.5),
            Map.of(evil, 1),
            new LoopStatus.Inputs(0, 1, 0, 0, 0, 0),
            new LoopStatus.Passes(0, 0, Duration.ZERO, 0, Map.of(evil, 1L), Map.of(), List.of()),
            new LoopStatus.Actions(0, 0, 0, 0, 0, 0),
            Optional.empty(),
            new LoopStatus.Reconciliations(0, 0, false));
    StatusView view =
        new StatusView(
            timeline(evil),
            true,
            List.of(new StatusView.Waiting(evil, evil, Duration.ofSeconds(3), evil)));
    String html = StatusHtml.of(status, Optional.of(view), 5, 720);

    assertThat(html).doesNotContain("<script").doesNotContain("alert('").doesNotContain("&\"");
    assertThat(html.split("&lt;script&gt;alert\\(&#39;x&#39;\\)&lt;/script&gt;&amp;&quot;", -1))
        // title, subtitle, failure; legend; a bar with class, host and label; the table with host,
        // instance and class; a waiting one with class and reason; class and reason, class, host
        .hasSize(1 + 3 + 1 + 4 + 3 + 3 + 4);
    assertThat(StatusJson.of(status)).contains("alert");
  }

  /** A host with an instance, and all names the same. */
  private static RunTimeline timeline(String name) {
    TimelineRecorder recorder =
        new TimelineRecorder(List.of(ServiceClass.builder(name).build()), 0);
    recorder.hostUp(host(name, 1), 0);
    recorder.submitted(request(name, name, 1), 0);
    recorder.acted(new Action.Place(name, name, List.of()), 0);
    return recorder.finish(1_000_000_000);
  }
}
