package dev.berth.kubernetes.binding;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends changes to the API server, a limited number at a time. Each is sent only while this
 * scheduler may write: a leader that has lost its lease changes nothing. Safe for use by several
 * threads.
 */
public final class ApiCalls {

  /** The type of a patch that replaces lists as a whole. */
  public static final String MERGE = "application/merge-patch+json";

  /** The type of a patch that merges lists, as their fields say. */
  public static final String STRATEGIC = "application/strategic-merge-patch+json";

  /** The type of what is no patch. */
  public static final String JSON = "application/json";

  private final HttpClient client;
  private final URI server;
  private final BooleanSupplier mayWrite;
  private final int most;
  private final Duration longest;
  private final ArrayDeque<Call> waiting = new ArrayDeque<>();
  private int underWay;
  private final AtomicLong sent = new AtomicLong();

  /**
   * Creates calls to the server of a client.
   *
   * @param mayWrite asked before each request
   * @param most the most requests under way
   * @param longest how long a request may take; less than the time for which a lease that was not
   *     renewed still holds
   */
  public ApiCalls(KubernetesClient client, BooleanSupplier mayWrite, int most, Duration longest) {
    // It must not repeat a request by itself: later, this process may not write any more.
    this.client =
        client
            .getHttpClient()
            .newBuilder()
            .tag(
                new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
    this.server = URI.create(client.getMasterUrl().toString());
    this.mayWrite = mayWrite;
    this.most = most;
    this.longest = longest;
  }

  /**
   * What the server answered.
   *
   * @param code the code of HTTP
   * @param body the body
   */
  public record Answer(int code, String body) {

    /** Returns whether the server has done it. */
    public boolean isSuccess() {
      return HttpResponse.isSuccessful(code);
    }

    /** Returns whether the same request may succeed later. */
    boolean isTransient() {
      return code == 408 || code == 429 || code >= 500;
    }
  }

  private record Call(
      String method, String path, String type, String body, CompletableFuture<Answer> answer) {}

  /** Thrown instead of sending a request when another scheduler may be the leader. */
  static final class NotLeaderException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotLeaderException() {
      super("this scheduler is not the leader and changes nothing.");
    }
  }

  CompletableFuture<Answer> post(String path, String body) {
    return send("POST", path, JSON, body);
  }

  CompletableFuture<Answer> patch(String path, String type, String body) {
    return send("PATCH", path, type, body);
  }

  CompletableFuture<Answer> delete(String path, String body) {
    return send("DELETE", path, JSON, body);
  }

  CompletableFuture<Answer> get(String path) {
    return send("GET", path, JSON, "");
  }

  /** Returns the number of requests sent so far. */
  long sent() {
    return sent.get();
  }

  /** Returns the number of requests that were sent and not answered. */
  int underWay() {
    synchronized (waiting) {
      return underWay;
    }
  }

  /**
   * Sends a request.
   *
   * @param path from the root of the server
   * @param type what the body is; see {@link #JSON}
   */
  public CompletableFuture<Answer> send(String method, String path, String type, String body) {
    Call call = new Call(method, path, type, body, new CompletableFuture<>());
    synchronized (waiting) {
      waiting.add(call);
    }
    next();
    return call.answer();
  }

  private void next() {
    while (true) {
      Call call;
      synchronized (waiting) {
        call = underWay < most ? waiting.poll() : null;
        if (call == null) {
          return;
        }
        underWay++;
      }
      begin(call);
    }
  }

  private void begin(Call call) {
    if (!call.method().equals("GET") && !mayWrite.getAsBoolean()) {
      ended(call, null, new NotLeaderException());
      return;
    }
    sent.incrementAndGet();
    try {
      var unused =
          client
              .sendAsync(request(call), String.class)
              // The client does not end a request whose connection is lost in some moments.
              .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
              .whenComplete((response, failure) -> ended(call, response, failure));
    } catch (RuntimeException failed) {
      ended(call, null, failed);
    }
  }

  private HttpRequest request(Call call) {
    HttpRequest.Builder request = client.newHttpRequestBuilder().uri(server.resolve(call.path()));
    if (!call.method().equals("GET")) {
      request = request.method(call.method(), call.type(), call.body());
    }
    return request.timeout(longest.toMillis(), TimeUnit.MILLISECONDS).build();
  }

  private void ended(
      Call call, @Nullable HttpResponse<String> response, @Nullable Throwable failure) {
    synchronized (waiting) {
      underWay--;
    }
    if (response != null) {
      call.answer().complete(new Answer(response.code(), response.body()));
    } else {
      call.answer()
          .completeExceptionally(
              failure == null ? new IllegalStateException("no answer") : failure);
    }
    next();
  }
}
