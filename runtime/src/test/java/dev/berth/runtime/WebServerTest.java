package dev.berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.runtime.WebServer.Answer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A web server before clients that want to keep it from answering others. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WebServerTest {

  private static final Duration NEVER = Duration.ofHours(1);
  private static final int PATIENCE = (int) Duration.ofMinutes(1).toMillis();
  private static final String PROBE = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String LARGE = "x".repeat(8 << 20);

  private final List<Socket> clients = new ArrayList<>();

  private static WebServer start(Duration longest) throws IOException {
    return WebServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        query ->
            switch (query.path()) {
              case "/livez" -> Answer.plain(200, "ok\n");
              case "/large" -> Answer.plain(200, LARGE);
              case "/odd" -> throw new IllegalStateException("as it is to be");
              default -> Answer.plain(404, "not found\n");
            },
        longest);
  }

  @AfterEach
  void hangUp() throws IOException {
    for (Socket each : clients) {
      each.close();
    }
  }

  private Socket send(WebServer server, String text) throws IOException {
    Socket socket = new Socket();
    clients.add(socket);
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(PATIENCE);
    socket.connect(server.address());
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** Returns what comes until the server hangs up. */
  private static String received(Socket socket) throws IOException {
    InputStream in = new BufferedInputStream(socket.getInputStream());
    StringBuilder text = new StringBuilder();
    try {
      for (int next = in.read(); next >= 0; next = in.read()) {
        text.append((char) next);
      }
    } catch (SocketException reset) {
      // it hangs up without reading all
    }
    return text.toString();
  }

  private String answer(WebServer server, String request) throws IOException {
    return received(send(server, request));
  }

  private void isProbed(WebServer server) throws IOException {
    assertThat(answer(server, PROBE)).startsWith("HTTP/1.1 200").endsWith("ok\n");
  }

  @Test
  void answersBesideAThousandHalfOpenRequests() throws IOException {
    try (WebServer server = start(NEVER)) {
      for (int i = 0; i < 1_000; i++) {
        send(server, i % 2 == 0 ? "G" : "GET /livez HTTP/1.1\r\nHost: localh");
        if (i % 100 == 99) {
          isProbed(server);
        }
      }
    }
  }

  @Test
  void answersBesideAThousandSlowHeaders() throws IOException {
    try (WebServer server = start(NEVER)) {
      List<Socket> slow = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        slow.add(send(server, "GET /livez HTTP/1.1\r\n"));
      }
      for (int round = 0; round < 10; round++) {
        for (Socket each : slow) {
          try {
            each.getOutputStream().write("a: b\r\n".getBytes(StandardCharsets.ISO_8859_1));
          } catch (SocketException hungUp) {
            // it was one of the oldest
          }
        }
        isProbed(server);
      }
    }
  }

  @Test
  void answersBesideClientsThatNeverReadTheAnswer() throws IOException {
    try (WebServer server = start(NEVER)) {
      for (int i = 0; i < 50; i++) {
        send(server, PROBE.replace("/livez", "/large"));
        isProbed(server);
      }
    }
  }

  @Test
  void answersBesideAThousandSilentClients() throws IOException {
    try (WebServer server = start(NEVER)) {
      for (int i = 0; i < 1_000; i++) {
        send(server, "");
      }
      isProbed(server);
      assertThat(received(clients.get(0))).as("the oldest is closed").isEmpty();
    }
  }

  @Test
  void closesConnectionsThatAreTooOldAlthoughTheyAreNotIdle() throws Exception {
    try (WebServer server = start(Duration.ofMillis(500))) {
      assertThat(answer(server, "")).isEmpty();
      assertThat(answer(server, "GET /liv")).isEmpty();
      Socket dribbling = send(server, "GET /livez HTTP/1.1\r\n");
      boolean isOpen = true;
      while (isOpen) {
        TimeUnit.MILLISECONDS.sleep(20);
        try {
          dribbling.getOutputStream().write('a');
        } catch (SocketException hungUp) {
          isOpen = false;
        }
      }
      Socket unread = send(server, PROBE.replace("/livez", "/large"));
      TimeUnit.SECONDS.sleep(1);
      assertThat(received(unread).length()).isLessThan(LARGE.length());
    }
  }

  @Test
  void refusesWhatIsNoRequestForAPage() throws IOException {
    try (WebServer server = start(NEVER)) {
      assertThat(answer(server, PROBE.replace("/livez", "mailto:a"))).startsWith("HTTP/1.1 400");
      assertThat(answer(server, PROBE.replace("/livez", "*"))).startsWith("HTTP/1.1 400");
      assertThat(answer(server, PROBE.replace("/livez", "/%zz"))).startsWith("HTTP/1.1 400");
      assertThat(answer(server, "nonsense\r\n\r\n")).startsWith("HTTP/1.1 400");
      assertThat(answer(server, PROBE.replace("Host: localhost\r\n", "")))
          .startsWith("HTTP/1.1 400");
      assertThat(answer(server, PROBE.replace("\r\n\r\n", "\r\na: " + "b".repeat(10_000))))
          .startsWith("HTTP/1.1 431");
      assertThat(answer(server, PROBE.replace("GET", "DELETE")))
          .startsWith("HTTP/1.1 405")
          .contains("Allow: GET, HEAD");
      assertThat(answer(server, PROBE.replace("/livez", "/odd"))).startsWith("HTTP/1.1 500");
      isProbed(server);
    }
  }

  @Test
  void allAnswersHaveTheHeadersOfSecurity() throws IOException {
    try (WebServer server = start(NEVER)) {
      for (String path : List.of("/livez", "/other", "/odd", "mailto:a", "/%zz")) {
        assertThat(answer(server, PROBE.replace("/livez", path)))
            .as(path)
            .contains("Content-Security-Policy: default-src 'none';")
            .contains("X-Content-Type-Options: nosniff")
            .doesNotContain("Server:")
            .doesNotContain("Exception");
      }
    }
  }
}
