package dev.berth.runtime;

import static dev.berth.runtime.StatusMachines.fresh;
import static dev.berth.runtime.StatusMachines.host;
import static dev.berth.runtime.StatusMachines.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
          .doesNotContain("<script")
          .doesNotContain("http://")
          .doesNotContain("https://");
      String file = System.getProperty("berth.test.statusPage"); // to look at it
      if (file != null) {
        Files.writeString(Path.of(file), answer.body());
      }
    }
  }

  @Test
  void refreshesOnlyOnRequest() throws Exception {
    try (SchedulerLoop loop = busy();
        StatusPage page = start(loop)) {
      assertThat(get(page, "/").body()).doesNotContain("http-equiv=\"refresh\"");
      assertThat(get(page, "/?refresh=5").body())
          .contains("<meta http-equiv=\"refresh\" content=\"5\">");
      assertThat(get(page, "/?refresh=%22%3E%3Cscript%3E").body())
          .doesNotContain("http-equiv=\"refresh\"")
          .doesNotContain("<script");
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

  private static String raw(StatusPage page, String host) throws Exception {
    try (Socket socket = new Socket(page.address().getAddress(), page.address().getPort())) {
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
            new LoopStatus.Inputs(0, 1, 0, 0, 0),
            new LoopStatus.Passes(0, 0, Duration.ZERO, 0, Map.of(evil, 1L), List.of()),
            new LoopStatus.Actions(0, 0, 0, 0, 0, 0),
            Optional.empty(),
            new LoopStatus.Reconciliations(0, 0, false));
    String html = StatusHtml.of(status, 0);

    assertThat(html).doesNotContain("<script").doesNotContain("alert('").doesNotContain("&\"");
    assertThat(html.split("&lt;script&gt;alert\\(&#39;x&#39;\\)&lt;/script&gt;&amp;&quot;", -1))
        .hasSize(8); // title, subtitle, failure, class and reason, class, host
    assertThat(StatusJson.of(status)).contains("alert");
  }
}
