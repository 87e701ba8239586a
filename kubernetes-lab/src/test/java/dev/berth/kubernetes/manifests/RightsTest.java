package dev.berth.kubernetes.manifests;

import static dev.berth.kubernetes.lab.FakeOwner.Kind.REPLICA_SET;
import static dev.berth.kubernetes.lab.LiveControlPlane.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.binding.LeaderLease;
import dev.berth.kubernetes.binding.PodScheduler;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.Delay;
import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeController;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.LiveControlPlane;
import dev.berth.kubernetes.lab.PodBehaviour;
import dev.berth.kubernetes.manifests.Requests.Request;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rights of the manifests: a scheduler at work needs all of them, and no other. */
class RightsTest {

  private static final Duration SOON = Duration.ofSeconds(40);
  private static final String STRANGER = "system:serviceaccount:berth-system:other";
  private static final LeaderLease.Times SHORT =
      new LeaderLease.Times(
          Duration.ofSeconds(8),
          Duration.ofSeconds(6),
          Duration.ofMillis(500),
          Duration.ofSeconds(1));

  @RegisterExtension
  static final LiveControlPlane LIVE =
      LiveControlPlane.withUsers(Manifests.SERVICE_ACCOUNT, STRANGER);

  @BeforeAll
  static void install() {
    List.of(
            Manifests.one(Namespace.class),
            Manifests.one(ServiceAccount.class),
            Manifests.one(ClusterRole.class),
            Manifests.one(ClusterRoleBinding.class),
            Manifests.one(Role.class),
            Manifests.one(RoleBinding.class),
            Manifests.one(ConfigMap.class))
        .forEach(each -> LIVE.client().resource(each).create());
  }

  @Test
  void aSchedulerAtWorkIsForbiddenNothingAndUsesAllItsRights() throws Exception {
    String namespace = LIVE.newNamespace();
    FakeKubelet kubelet =
        LIVE.closing(
            FakeKubelet.start(
                LIVE.config(),
                PodBehaviour.drawn(
                    Delay.constant(Duration.ofMillis(200)),
                    Delay.constant(Duration.ofSeconds(1)),
                    0),
                1));
    kubelet.addNodes(
        List.of(
            FakeNode.several(1, "ours", "2", "16Gi", 110)
                .get(0)
                .withLabels(Map.of("berth.dev/managed", "true")),
            FakeNode.several(1, "theirs", "2", "16Gi", 110).get(0)));
    AtomicBoolean isContested = new AtomicBoolean();
    Requests requests =
        new Requests(
            request -> {
              // Another is faster: the answer is a conflict, and the scheduler looks at the pod.
              if (request.resource().equals("pods/binding")
                  && request.name().equals("contested")
                  && isContested.compareAndSet(false, true)) {
                LIVE.bind(pod(namespace, "contested", "1", "1Gi"), "theirs-0");
              }
            });
    KubernetesClient client = client(Manifests.SERVICE_ACCOUNT, requests);

    LeaderLease first = lead(client, "");
    create(pod(namespace, "contested", "1", "1Gi"), "gold");
    Eventually.holds("it runs elsewhere", SOON, () -> LIVE.ready(namespace) == 1);
    FakeController controller = LIVE.closing(FakeController.start(LIVE.config(), 1));
    controller.keep(LiveControlPlane.owner(REPLICA_SET, namespace, "web", "bronze", 2));
    Eventually.holds("both bronze pods run", SOON, () -> LIVE.ready(namespace) == 3);
    create(pod(namespace, "important", "1", "1Gi"), "gold");
    Eventually.holds("a victim was deleted", SOON, () -> isReady(namespace, "important"));
    Eventually.holds(
        "the next pod has its history",
        SOON,
        () ->
            LIVE.pods(namespace).stream()
                .anyMatch(
                    each ->
                        each.getSpec().getNodeName() == null
                            && each.getMetadata().getAnnotations() != null
                            && each.getMetadata().getAnnotations().keySet().stream()
                                .anyMatch(key -> key.startsWith("berth.dev/"))));
    Eventually.holds(
        "and an event says why it waits",
        SOON,
        () ->
            LIVE.client().events().v1().events().inNamespace(namespace).list().getItems().stream()
                .anyMatch(each -> "FailedScheduling".equals(each.getReason())));
    create(
        new PodBuilder(pod(namespace, "member", "1", "1Gi"))
            .editMetadata()
            .addToLabels("scheduling.x-k8s.io/pod-group", "missing")
            .endMetadata()
            .build(),
        "bronze");
    Eventually.holds(
        "its group was looked for",
        SOON,
        () -> requests.made().stream().anyMatch(each -> each.resource().equals("podgroups")));
    first.close();

    LIVE.client().pods().inNamespace(namespace).withName("important").delete();
    LeaderLease second = lead(client, "strictBudgets: true");
    Eventually.holds("both bronze pods run again", SOON, () -> LIVE.ready(namespace) == 3);
    create(pod(namespace, "urgent", "1", "1Gi"), "gold");
    Eventually.holds("a victim was evicted", SOON, () -> isReady(namespace, "urgent"));
    second.close();

    assertThat(requests.forbidden()).isEmpty();
    List<Right> rights = rights();
    Set<Request> made = requests.made();
    assertThat(made.stream().filter(each -> granting(rights, each).isEmpty()))
        .as("requests that no right of the manifest allows")
        .isEmpty();
    assertThat(
            rights.stream()
                .filter(right -> !isForNewerServers(right))
                .filter(
                    right ->
                        made.stream()
                            .noneMatch(each -> granting(rights, each).equals(List.of(right)))))
        .as("rights without which each request would still be allowed")
        .isEmpty();
  }

  @Test
  void whatIsForbiddenIsNoticed() throws IOException {
    Requests requests = new Requests(request -> {});
    KubernetesClient client = client(STRANGER, requests);
    assertThatThrownBy(() -> client.pods().inAnyNamespace().list())
        .isInstanceOf(KubernetesClientException.class);
    assertThat(requests.forbidden())
        .singleElement()
        .asString()
        .startsWith("403 ")
        .contains("/api/v1/pods");
    assertThat(requests.made()).containsExactly(new Request("list", "", "pods", "", ""));
  }

  @Test
  void whatTheSchedulerNeverDoesIsForbidden() {
    Requests requests = new Requests(request -> {});
    KubernetesClient client = client(Manifests.SERVICE_ACCOUNT, requests);
    List<Runnable> attempts =
        List.of(
            () -> client.secrets().inAnyNamespace().list(),
            () -> client.configMaps().inAnyNamespace().list(),
            () -> client.configMaps().inNamespace("kube-system").withName("any").get(),
            () -> client.configMaps().inNamespace(Manifests.NAMESPACE).withName("any").get(),
            () -> client.leases().inNamespace("kube-system").withName("berth").get(),
            () -> client.nodes().withName("any").delete(),
            () -> client.resource(pod("default", "any", "1", "1Gi")).create());
    for (Runnable each : attempts) {
      assertThatThrownBy(each::run)
          .isInstanceOfSatisfying(
              KubernetesClientException.class,
              refused -> assertThat(refused.getCode()).isEqualTo(403));
    }
  }

  // ---- Rights

  /**
   * One right of the manifest.
   *
   * @param namespace where it holds; empty for the whole cluster
   * @param name the object that it is for; empty for all
   */
  private record Right(String verb, String group, String resource, String namespace, String name) {
    boolean allows(Request request) {
      return verb.equals(request.verb())
          && group.equals(request.group())
          && resource.equals(request.resource())
          && (namespace.isEmpty() || namespace.equals(request.namespace()))
          && (name.isEmpty() || name.equals(request.name()));
    }
  }

  /** This server drops the field by which pods name such a group; GroupSizesTest has its own. */
  private static boolean isForNewerServers(Right right) {
    return right.group().equals("scheduling.k8s.io") && right.resource().equals("podgroups");
  }

  private static List<Right> granting(List<Right> rights, Request request) {
    return rights.stream().filter(each -> each.allows(request)).toList();
  }

  private static List<Right> rights() {
    List<Right> rights = new ArrayList<>();
    Manifests.one(ClusterRole.class).getRules().forEach(rule -> add(rule, "", rights));
    Manifests.one(Role.class).getRules().forEach(rule -> add(rule, Manifests.NAMESPACE, rights));
    assertThat(rights).doesNotHaveDuplicates();
    return rights;
  }

  private static void add(PolicyRule rule, String namespace, List<Right> into) {
    assertThat(rule.getNonResourceURLs()).isEmpty();
    List<String> names = rule.getResourceNames().isEmpty() ? List.of("") : rule.getResourceNames();
    for (String group : rule.getApiGroups()) {
      for (String resource : rule.getResources()) {
        for (String verb : rule.getVerbs()) {
          names.forEach(name -> into.add(new Right(verb, group, resource, namespace, name)));
        }
      }
    }
  }

  // ---- What the tests share

  private static KubernetesClient client(String user, Requests requests) {
    return LIVE.closing(
        new KubernetesClientBuilder()
            .withConfig(LIVE.controlPlane().config(user))
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor("requests", requests))
            .build());
  }

  /** Begins to lead as the command does: with the configuration of the manifest. */
  private static LeaderLease lead(KubernetesClient client, String change) {
    Map<String, String> data =
        new HashMap<>(
            client
                .configMaps()
                .inNamespace(Manifests.NAMESPACE)
                .withName("berth-config")
                .get()
                .getData());
    data.computeIfPresent(
        Configuration.KEY,
        (key, text) ->
            (change.isEmpty() ? text : text.replaceAll("(?m)^strictBudgets: .*$", change))
                // It preempts at once, and not when an objective is in danger.
                .replace("id: qos-driven", "id: priority"));
    Configuration configuration = Configuration.read(data, plugins -> PolicyRegistry.load());
    assertThat(configuration.policy()).isEqualTo("priority");
    assertThat(configuration.strictBudgets()).isEqualTo(!change.isEmpty());
    return LIVE.closing(
        LeaderLease.start(
            client,
            Manifests.NAMESPACE,
            "berth",
            "test",
            SHORT,
            new Leading(client, configuration)));
  }

  private static final class Leading implements LeaderLease.Work {
    private final KubernetesClient client;
    private final Configuration configuration;
    private @Nullable PodScheduler scheduler;

    Leading(KubernetesClient client, Configuration configuration) {
      this.client = client;
      this.configuration = configuration;
    }

    @Override
    public void begin(BooleanSupplier mayWrite) throws IOException {
      scheduler = PodScheduler.start(client, configuration, Manifests.NAMESPACE, "test", mayWrite);
    }

    @Override
    public void end() {
      PodScheduler ended = scheduler;
      if (ended != null) {
        ended.close();
      }
    }
  }

  private static void create(Pod pod, String serviceClass) {
    Consumer<Pod> create = each -> LIVE.client().resource(each).create();
    create.accept(
        new PodBuilder(pod)
            .editMetadata()
            .addToLabels("berth.dev/service-class", serviceClass)
            .endMetadata()
            .build());
  }

  private static boolean isReady(String namespace, String name) {
    return LIVE.pods(namespace).stream()
        .filter(each -> each.getMetadata().getName().equals(name))
        .anyMatch(each -> LiveControlPlane.condition(each, "Ready").equals("True"));
  }
}
