package dev.berth.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.FakeApiServer;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.tasks.Trouble;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scheduler that schedules nothing is not ready, and says why. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ReadinessTest {

  private final AtomicLong nanoTime = new AtomicLong(Duration.ofDays(1).toNanos());

  private void pass(Duration time) {
    nanoTime.addAndGet(time.toNanos());
  }

  @Test
  void troubleCountsFromItsBeginningAndEnds() {
    Trouble trouble = new Trouble(nanoTime::get);
    Duration minute = Duration.ofMinutes(1);
    assertThat(trouble.lasting(Duration.ZERO)).isEmpty();
    trouble.tried("no answer yet");
    pass(Duration.ofSeconds(40));
    trouble.failed("observed twice");
    trouble.tried("no answer yet");
    assertThat(trouble.lasting(minute)).isEmpty();
    pass(Duration.ofSeconds(20));
    assertThat(trouble.lasting(minute)).hasValue("for 60 s: observed twice");
    trouble.over();
    assertThat(trouble.lasting(Duration.ZERO)).isEmpty();
  }

  @Test
  void aProcessThatCannotBeginToLeadIsLiveButNotReady() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (FakeApiServer server = new FakeApiServer(List.of(), List.of());
        KubernetesClient client = server.client()) {
      server.secret("default", "berth-history-key", "{}");
      Leading leading =
          new Leading(
              client,
              Configuration.read(
                  Map.of(
                      Configuration.KEY, "nodes: {}\nserviceClasses: [{name: gold, slo: 0.99}]\n"),
                  plugins -> PolicyRegistry.load()),
              "default",
              "me",
              nanoTime::get);
      try (Endpoints endpoints = Endpoints.start(any, leading)) {
        assertThat(get(endpoints, "/readyz").statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> leading.begin(() -> true)).isInstanceOf(IOException.class);
        assertThat(get(endpoints, "/readyz").statusCode()).isEqualTo(200);
        pass(Duration.ofSeconds(61));
        assertThat(get(endpoints, "/livez").statusCode()).isEqualTo(200);
        HttpResponse<String> unready = get(endpoints, "/readyz");
        assertThat(unready.statusCode()).isEqualTo(503);
        assertThat(unready.body())
            .contains("could not begin to lead for 61 s", "at least 32 bytes");
        pass(Duration.ofMinutes(5)); // another one leads meanwhile
        assertThat(get(endpoints, "/readyz").body()).isEqualTo("ok\n");
      }
    }
  }

  private static HttpResponse<String> get(Endpoints endpoints, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:%s%s".formatted(endpoints.port(), path)))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
