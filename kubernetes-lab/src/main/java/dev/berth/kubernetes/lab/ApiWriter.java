package dev.berth.kubernetes.lab;

import dev.berth.kubernetes.binding.ApiCalls;
import dev.berth.kubernetes.binding.ApiCalls.Answer;
import dev.berth.kubernetes.tasks.TaskThread;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to the API server: at most eight at a time, and those with the same key in order.
 * A request is repeated until the server has answered it, however long the server is away.
 *
 * <p>Only tasks of the loop may use it, and it calls back as a task of the loop.
 */
final class ApiWriter {

  private static final Logger LOG = LoggerFactory.getLogger(ApiWriter.class);
  private static final int LANES = 8;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final Duration REQUEST = Duration.ofSeconds(10);

  private final ApiCalls calls;
  private final TaskThread loop;
  private final Lane[] lanes = new Lane[LANES];

  ApiWriter(KubernetesClient client, TaskThread loop) {
    this.calls = new ApiCalls(client, () -> true, LANES, REQUEST);
    this.loop = loop;
    for (int i = 0; i < LANES; i++) {
      lanes[i] = new Lane();
    }
  }

  /**
   * A request.
   *
   * @param key requests with the same key are sent in order
   * @param path from the root of the server
   */
  record Request(String key, String method, String path, String contentType, String body) {

    static Request post(String key, String path, String body) {
      return new Request(key, "POST", path, ApiCalls.JSON, body);
    }

    static Request patch(String key, String path, String body) {
      return new Request(key, "PATCH", path, ApiCalls.STRATEGIC, body);
    }

    /** Replaces lists as a whole, unlike {@link #patch}. */
    static Request merge(String key, String path, String body) {
      return new Request(key, "PATCH", path, ApiCalls.MERGE, body);
    }

    static Request delete(String key, String path, String body) {
      return new Request(key, "DELETE", path, ApiCalls.JSON, body);
    }
  }

  /** Sends a request, and calls back with the answer. */
  void send(Request request, Consumer<Answer> onAnswer) {
    Lane lane = lanes[Math.floorMod(request.key().hashCode(), LANES)];
    lane.waiting.add(new Job(request, onAnswer));
    lane.next();
  }

  private record Job(Request request, Consumer<Answer> onAnswer) {}

  private final class Lane {
    final Queue<Job> waiting = new ArrayDeque<>();
    private boolean isBusy;
    private Duration pause = FIRST_PAUSE;

    void next() {
      @Nullable Job job = isBusy ? null : waiting.poll();
      if (job != null) {
        isBusy = true;
        attempt(job);
      }
    }

    private void attempt(Job job) {
      Request request = job.request();
      var unused =
          calls
              .send(request.method(), request.path(), request.contentType(), request.body())
              .whenCompleteAsync((answer, failure) -> ended(job, answer, failure), loop);
    }

    private void ended(Job job, @Nullable Answer answer, @Nullable Throwable failure) {
      if (answer == null || isOverloaded(answer.code())) {
        LOG.debug(
            "{} {} is repeated in {}: {}",
            job.request().method(),
            job.request().path(),
            pause,
            answer == null ? failure : answer.code());
        var unused = loop.schedule(pause, () -> attempt(job));
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                ? pause.multipliedBy(2)
                : LONGEST_PAUSE;
        return;
      }
      pause = FIRST_PAUSE;
      isBusy = false;
      try {
        job.onAnswer().accept(answer);
      } finally {
        next();
      }
    }

    private static boolean isOverloaded(int code) {
      return code == 429 || code >= 500;
    }
  }
}
