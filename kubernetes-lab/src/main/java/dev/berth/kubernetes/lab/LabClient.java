package dev.berth.kubernetes.lab;

import dev.berth.kubernetes.binding.ApiCalls;
import dev.berth.kubernetes.tasks.TaskThread;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What a fake kubelet and a fake controller share: a loop, a client, and a watch on pods. */
final class LabClient implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Has the tasks of the fake. */
  final TaskThread loop;

  private final KubernetesClient client;
  private final ApiWriter writer;
  private final SharedIndexInformer<Pod> pods;

  private LabClient(
      Config config, String name, boolean onlyBound, Consumer<Pod> onPod, Consumer<Pod> onGone) {
    loop = new TaskThread(name);
    client =
        new KubernetesClientBuilder()
            // The writer repeats requests, and the informer its list, for as long as it takes.
            .withConfig(new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build())
            .build();
    writer = new ApiWriter(client, loop);
    Informable<Pod> all = client.pods().inAnyNamespace();
    Informable<Pod> bound = client.pods().inAnyNamespace().withoutField("spec.nodeName", "");
    pods = (onlyBound ? bound : all).runnableInformer(0);
    pods.addEventHandler(
        new PodSightings(
            pod -> loop.execute(() -> onPod.accept(pod)),
            pod -> loop.execute(() -> onGone.accept(pod))));
    pods.exceptionHandler((isStarted, failure) -> true);
  }

  /**
   * Connects, and returns once all pods are known.
   *
   * @param onPod called by the loop for each new or changed pod
   * @param onGone called by the loop for each pod that has vanished
   * @throws IllegalStateException if the server does not answer for a minute
   */
  static LabClient open(
      Config config, String name, boolean onlyBound, Consumer<Pod> onPod, Consumer<Pod> onGone) {
    LabClient opened = new LabClient(config, name, onlyBound, onPod, onGone);
    try {
      await(opened.pods.start().toCompletableFuture(), "list pods");
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
    return opened;
  }

  /** Sends a request to the API server; the answer comes in the loop. */
  void send(ApiWriter.Request request, Consumer<ApiCalls.Answer> onAnswer) {
    writer.send(request, onAnswer);
  }

  /** Returns all pods, as they were last seen. Any thread may call it. */
  List<Pod> pods() {
    return pods.getStore().list();
  }

  String json(Object object) {
    return client.getKubernetesSerialization().asJson(object);
  }

  <T> T read(String json, Class<T> type) {
    return client.getKubernetesSerialization().unmarshal(json, type);
  }

  /** Returns the current time as the API server writes it. */
  static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Returns randomness that depends on the seed and on a name. */
  static RandomGenerator random(long seed, String name) {
    long hash = seed;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return new SplittableRandom(hash);
  }

  /** Waits for what the loop or the server does, for a minute at most. */
  static <T> T await(CompletableFuture<T> future, String what) {
    try {
      return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting to " + what, e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "Cannot %s: no answer from the API server for %s".formatted(what, PATIENCE), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException mistake) {
        throw mistake;
      }
      throw new IllegalStateException("Cannot " + what + ": " + e.getCause(), e.getCause());
    }
  }

  @Override
  public void close() {
    loop.close();
    pods.close();
    client.close();
  }
}
