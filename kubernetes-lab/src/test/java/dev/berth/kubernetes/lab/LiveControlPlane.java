package dev.berth.kubernetes.lab;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * Starts a control plane once for the tests of a class, if the environment variable {@value
 * #REQUIRED} is {@code true}; then the tests fail where none is installed. Otherwise they are
 * skipped, with a message on the standard error, on every machine: they depend on its speed.
 *
 * <pre>{@code
 * @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers("alice");
 * }</pre>
 */
public final class LiveControlPlane
    implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

  /** The environment variable that asks for these tests. */
  public static final String REQUIRED = "BERTH_CONTROL_PLANE_REQUIRED";

  private final String[] users;
  private final AtomicInteger namespaces = new AtomicInteger();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private ControlPlane controlPlane;
  private KubernetesClient client;

  private LiveControlPlane(String... users) {
    this.users = users;
  }

  /** Returns a control plane with users beside the administrator, who have no rights yet. */
  public static LiveControlPlane withUsers(String... users) {
    return new LiveControlPlane(users);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    if (!Boolean.parseBoolean(System.getenv(REQUIRED))) {
      String message =
          "%s needs a Kubernetes control plane. To run it: %s, once; then set %s=true"
              .formatted(context.getDisplayName(), ControlPlane.INSTALLATION, REQUIRED);
      System.err.println("SKIPPED: " + message);
      throw new TestAbortedException(message);
    }
    if (!ControlPlane.isInstalled()) {
      throw new IllegalStateException(
          "no control plane is installed. To install it, once: " + ControlPlane.INSTALLATION);
    }
    controlPlane = ControlPlane.start(users);
    client = new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (client != null) {
      client.close();
    }
    if (controlPlane != null) {
      controlPlane.close();
    }
  }

  /** Returns the running control plane. */
  public ControlPlane controlPlane() {
    return Objects.requireNonNull(controlPlane, "tests only");
  }

  /** Returns how an administrator connects. */
  public Config config() {
    return controlPlane().config();
  }

  /** Returns a client of the administrator, for all tests of the class. */
  public KubernetesClient client() {
    return Objects.requireNonNull(client, "tests only");
  }

  /** Closes something after the test, last opened first closed. */
  public <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Returns the name of a new namespace. */
  public String newNamespace() {
    String name = "test-" + namespaces.incrementAndGet();
    client()
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    return name;
  }

  /** Returns an owner of pods of a service class, each of which asks for one CPU and 1 GiB. */
  public static FakeOwner owner(
      FakeOwner.Kind kind, String namespace, String name, String serviceClass, int pods) {
    return new FakeOwner(
        kind,
        namespace,
        name,
        pods,
        new PodTemplateSpecBuilder()
            .withNewMetadata()
            .addToLabels("berth.dev/service-class", serviceClass)
            .endMetadata()
            .withSpec(pod(namespace, "like", "1", "1Gi").getSpec())
            .build());
  }

  /** Returns the pods of a namespace. */
  public List<Pod> pods(String namespace) {
    return client().pods().inNamespace(namespace).list().getItems();
  }

  /** Returns how many pods of a namespace are ready and are not being deleted. */
  public long ready(String namespace) {
    return pods(namespace).stream()
        .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
        .filter(each -> condition(each, "Ready").equals("True"))
        .count();
  }

  /** Returns what the pods of a namespace ask for and where they are, for messages. */
  public List<String> describePods(String namespace) {
    return pods(namespace).stream().map(LiveControlPlane::describe).toList();
  }

  private static String describe(Pod pod) {
    Quantity cpu = pod.getSpec().getContainers().get(0).getResources().getRequests().get("cpu");
    return "%s %s cpu %s on %s%s"
        .formatted(
            pod.getMetadata().getName(),
            pod.getStatus().getPhase(),
            cpu,
            pod.getSpec().getNodeName(),
            pod.getMetadata().getDeletionTimestamp() == null ? "" : ", ending");
  }

  /** Returns a pod with one container. The scheduler of the name {@code berth} is to place it. */
  public static Pod pod(String namespace, String name, String cpu, String memory) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withSchedulerName("berth")
        .addNewContainer()
        .withName("main")
        .withImage("none")
        .withNewResources()
        .withRequests(Map.of("cpu", Quantity.parse(cpu), "memory", Quantity.parse(memory)))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  /** Binds a pod to a node, as a scheduler does. */
  public void bind(Pod pod, String node) {
    client()
        .bindings()
        .inNamespace(pod.getMetadata().getNamespace())
        .resource(
            new BindingBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build())
        .create();
  }

  /** Returns a pod as it is now, or null if there is none. */
  public Pod current(Pod pod) {
    return client()
        .pods()
        .inNamespace(pod.getMetadata().getNamespace())
        .withName(pod.getMetadata().getName())
        .get();
  }

  /** Returns the status of a condition of a pod, or an empty text if it has none. */
  public static String condition(Pod pod, String type) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .map(condition -> condition.getStatus())
        .findFirst()
        .orElse("");
  }
}
