package dev.berth.kubernetes.reproduction;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.binding.PodScheduler;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.FakeController;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.FakeOwner;
import dev.berth.kubernetes.lab.PodBehaviour;
import dev.berth.kubernetes.lab.PodSightings;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Runs a validation experiment on a control plane. */
final class Reproduction {

  private static final String NAMESPACE = "validation";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long MINUTE = 60_000;
  private static final long PAUSE = 20;
  private static final long LAST_EVENTS = 1_000;

  private final RunSettings settings;
  private final Config config;
  private final Consumer<String> progress;
  private final PodAccounting accounting = new PodAccounting();

  private Reproduction(RunSettings settings, Config config, Consumer<String> progress) {
    this.settings = settings;
    this.config = config;
    this.progress = progress;
  }

  /**
   * What a run has shown.
   *
   * @param figures from the API server
   * @param apiRequests number of requests of the scheduler to the API server, without watches
   * @param passes number of passes of the scheduler
   * @param rejected pods that did not fit on the node to which they were bound
   * @param created pods that were created until the end of the run
   */
  record Result(
      RunSettings settings,
      PodAccounting.Figures figures,
      long apiRequests,
      long passes,
      long rejected,
      long created) {}

  /**
   * Runs an experiment; takes as long as its length.
   *
   * @param config of an administrator of a control plane without nodes and pods
   * @param progress receives a line each minute
   * @throws IOException if the control plane does not answer
   */
  static Result run(RunSettings settings, Config config, Consumer<String> progress)
      throws IOException, InterruptedException {
    return new Reproduction(settings, config, progress).run();
  }

  @SuppressWarnings("try") // the watch is only to be closed
  private Result run() throws IOException, InterruptedException {
    Configuration configuration =
        Configuration.read(
            Map.of(Configuration.KEY, settings.configuration()),
            (Optional<Path> none) -> PolicyRegistry.load());
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        FakeKubelet kubelet =
            FakeKubelet.start(
                config,
                PodBehaviour.drawn(settings.starts(), settings.stops(), 0),
                settings.seed());
        FakeController controller = FakeController.start(config, settings.seed())) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
          .create();
      kubelet.addNodes(
          FakeNode.several(
              RunSettings.NODES,
              "worker",
              RunSettings.NODE_AMOUNT,
              RunSettings.NODE_MEMORY,
              RunSettings.PODS_PER_NODE));
      try (SharedIndexInformer<Pod> watch = watch(client);
          PodScheduler scheduler =
              PodScheduler.start(client, configuration, "default", "reproduce", () -> true)) {
        long end = submitAndWait(controller, scheduler);
        long created = controller.created();
        long apiRequests = scheduler.requests();
        long passes = scheduler.loop().status().passes().count();
        Thread.sleep(LAST_EVENTS); // they may come late
        return new Result(
            settings,
            accounting.until(end),
            apiRequests,
            passes,
            kubelet.counts().rejected(),
            created);
      }
    }
  }

  /** Watches pods by itself: it lists again if a watch closes. */
  private SharedIndexInformer<Pod> watch(KubernetesClient client) throws IOException {
    SharedIndexInformer<Pod> pods = client.pods().inNamespace(NAMESPACE).runnableInformer(0);
    pods.addEventHandler(
        new PodSightings(
            pod -> accounting.seen(PodSighting.of(pod), System.currentTimeMillis()),
            pod -> accounting.gone(PodSighting.of(pod), System.currentTimeMillis())));
    pods.exceptionHandler((isStarted, failure) -> true);
    try {
      pods.start().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      pods.close();
      throw new IOException("Interrupted while listing pods", e);
    } catch (ExecutionException | TimeoutException e) {
      pods.close();
      throw new IOException("The API server did not list pods: " + e.getMessage(), e);
    }
    return pods;
  }

  /** Submits the requests on time, and returns when the run ends. */
  private long submitAndWait(FakeController controller, PodScheduler scheduler)
      throws InterruptedException {
    List<Validation.Submission> requests = settings.validation().requests(settings.seed());
    long start = System.currentTimeMillis();
    long spacing = settings.scaled(RunSettings.BETWEEN_REQUESTS).toNanos();
    long length = settings.length().toMillis();
    int submitted = 0;
    long nextLine = start + MINUTE;
    while (true) {
      long now = System.currentTimeMillis();
      OptionalLong first = accounting.firstAdmission();
      long end = first.orElse(start) + length;
      if (now >= end) {
        return end;
      }
      while (submitted < requests.size()
          && now - start >= TimeUnit.NANOSECONDS.toMillis(submitted * spacing)) {
        submit(controller, requests.get(submitted++));
      }
      if (now >= nextLine) {
        nextLine += MINUTE;
        progress.accept(line(now, start, submitted, scheduler));
      }
      Thread.sleep(Math.min(PAUSE, end - now));
    }
  }

  private void submit(FakeController controller, Validation.Submission request) {
    accounting.submitted(request.name(), request.serviceClass());
    controller.keep(
        new FakeOwner(
            FakeOwner.Kind.REPLICA_SET,
            NAMESPACE,
            request.name(),
            1,
            template(request.serviceClass())));
  }

  private static PodTemplateSpec template(String serviceClass) {
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .addToLabels("berth.dev/service-class", serviceClass)
        .endMetadata()
        .withNewSpec()
        .withSchedulerName("berth")
        .withTerminationGracePeriodSeconds(30L)
        .addNewContainer()
        .withName("main")
        .withImage("none")
        .withNewResources()
        .withRequests(
            Map.of(
                "cpu", Quantity.parse(RunSettings.POD_CPU),
                "memory", Quantity.parse(RunSettings.POD_MEMORY)))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  private String line(long now, long start, int submitted, PodScheduler scheduler) {
    PodAccounting.Figures figures = accounting.until(now);
    return FiguresText.progress(
        settings,
        (now - start) / 1e3,
        submitted,
        figures,
        scheduler.requests(),
        scheduler.loop().status().passes().count());
  }
}
