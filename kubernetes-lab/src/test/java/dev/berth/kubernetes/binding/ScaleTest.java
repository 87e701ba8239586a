package dev.berth.kubernetes.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.Delay;
import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeController;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.FakeOwner;
import dev.berth.kubernetes.lab.LiveControlPlane;
import dev.berth.kubernetes.lab.PodBehaviour;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How fast pods are bound that are all there when the scheduler starts: kube-scheduler first, then
 * this one, on the same nodes and the same control plane. Prints figures; {@code
 * -Dberth.scale.pods=10000} runs it.
 */
@EnabledIfSystemProperty(named = ScaleTest.PODS, matches = "[1-9][0-9]*")
class ScaleTest {

  static final String PODS = "berth.scale.pods";
  private static final int NODES = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  private final int pods = Integer.getInteger(PODS);
  private final Set<String> bound = ConcurrentHashMap.newKeySet();
  private final AtomicLong first = new AtomicLong();
  private final AtomicLong last = new AtomicLong();

  @Test
  @SuppressWarnings("SystemOut") // prints its figures
  void bindsPodsBesideKubeScheduler() throws IOException {
    try (FakeKubelet kubelet =
        FakeKubelet.start(
            LIVE.config(),
            PodBehaviour.drawn(Delay.constant(Duration.ZERO), Delay.constant(Duration.ZERO), 0),
            1)) {
      kubelet.addNodes(FakeNode.several(NODES, "node", "64", "256Gi", 110));
    }
    FakeController controller = LIVE.closing(FakeController.start(LIVE.config(), 1));

    create(controller, "kube", "default-scheduler");
    watch("kube");
    long begun = System.nanoTime();
    LIVE.controlPlane().startKubeScheduler(5_000, 5_000);
    Eventually.holds("kube-scheduler has bound all", PATIENCE, () -> bound.size() == pods);
    report("kube-scheduler", begun);
    LIVE.controlPlane().stopKubeScheduler();

    create(controller, "ours", "berth");
    bound.clear();
    first.set(0);
    watch("ours");
    KubernetesClient client =
        LIVE.closing(new KubernetesClientBuilder().withConfig(LIVE.config()).build());
    begun = System.nanoTime();
    try (PodScheduler scheduler =
        PodScheduler.start(client, configuration(), "default", "test", () -> true)) {
      Eventually.holds("berth has bound all", PATIENCE, () -> bound.size() == pods);
      report("berth", begun);
      Runtime runtime = Runtime.getRuntime();
      System.gc();
      System.out.printf(
          Locale.ROOT,
          "berth: %.2f requests a pod, %d MB of heap with the test%n",
          scheduler.requests() / (double) pods,
          (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    }
    assertThat(bound).hasSize(pods);
  }

  private void create(FakeController controller, String name, String schedulerName) {
    LIVE.client()
        .resource(
            new io.fabric8.kubernetes.api.model.NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build())
        .create();
    long before = controller.created();
    controller.keep(
        new FakeOwner(
            FakeOwner.Kind.REPLICA_SET,
            name,
            "web",
            pods,
            new PodTemplateSpecBuilder()
                .withNewMetadata()
                .addToLabels("berth.dev/service-class", "bronze")
                .endMetadata()
                .withSpec(
                    LiveControlPlane.pod(name, "any", "1", "1Gi")
                        .getSpec()
                        .edit()
                        .withSchedulerName(schedulerName)
                        .build())
                .build()));
    Eventually.holds("all are created", PATIENCE, () -> controller.created() - before == pods);
  }

  private void watch(String namespace) {
    KubernetesClient client =
        LIVE.closing(new KubernetesClientBuilder().withConfig(LIVE.config()).build());
    LIVE.closing(
        client
            .pods()
            .inNamespace(namespace)
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(Pod pod) {
                    seen(pod);
                  }

                  @Override
                  public void onUpdate(Pod before, Pod pod) {
                    seen(pod);
                  }

                  @Override
                  public void onDelete(Pod pod, boolean isLate) {}
                }));
  }

  private void seen(Pod pod) {
    if (pod.getSpec().getNodeName() != null && bound.add(pod.getMetadata().getUid())) {
      last.set(System.nanoTime());
      first.compareAndSet(0, last.get());
    }
  }

  @SuppressWarnings("SystemOut") // prints its figures
  private void report(String who, long begun) {
    double seconds = (last.get() - begun) / 1e9;
    double binding = (last.get() - first.get()) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%s: %d pods on %d nodes, the last %.1f s after the start and %.1f s after the first: "
            + "%.0f and %.0f pods a second%n",
        who,
        pods,
        NODES,
        seconds,
        binding,
        pods / seconds,
        pods / binding);
  }

  private static Configuration configuration() {
    return Configuration.read(
        Map.of(
            Configuration.KEY,
            """
            nodes: {}
            serviceClasses: [{name: bronze, slo: 0.5}]
            """),
        (Optional<Path> any) -> PolicyRegistry.load());
  }
}
