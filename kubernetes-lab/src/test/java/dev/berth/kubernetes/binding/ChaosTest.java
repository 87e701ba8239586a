package dev.berth.kubernetes.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.Delay;
import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeController;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.FakeOwner;
import dev.berth.kubernetes.lab.LiveControlPlane;
import dev.berth.kubernetes.lab.PodBehaviour;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A small cluster in which pods are deleted, nodes come and go, other schedulers place pods, and
 * the scheduler is killed. One seed draws what happens; when it happens depends on the machine.
 */
@EnabledIfSystemProperty(named = ChaosTest.SEEDS, matches = "[1-9][0-9]*")
class ChaosTest {

  static final String SEEDS = "berth.chaos.seeds";
  private static final int FROM = Integer.getInteger("berth.chaos.from", 1);
  private static final int STEPS = 30;
  private static final Duration CALM = Duration.ofMinutes(3); // the machine may be busy

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  static List<Integer> seeds() {
    List<Integer> seeds = new ArrayList<>();
    for (int i = 0; i < Integer.getInteger(SEEDS); i++) {
      seeds.add(FROM + i);
    }
    return seeds;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  @SuppressWarnings("SystemOut") // prints its progress
  void nothingIsBoundTwiceOrBeyondANodeAndNothingWaitsForEver(int seed) throws Exception {
    Chaos chaos = new Chaos(seed);
    try {
      for (int step = 0; step < STEPS; step++) {
        chaos.step();
      }
      chaos.calm();
    } catch (AssertionError failed) {
      System.out.printf("seed %d: %s%n", seed, failed.getMessage());
      throw failed;
    }
    System.out.printf("seed %d: %s%n", seed, chaos.kubelet.counts());
  }

  private static final class Chaos {
    private final Random random;
    private final String namespace = LIVE.newNamespace();
    private final String label;
    private final FakeKubelet kubelet;
    private final FakeController controller;
    private final List<FakeNode> nodes;
    private final List<String> present = new ArrayList<>();
    private final Map<String, String> nodeOfPod = new ConcurrentHashMap<>(); // by UID
    private final Set<String> outOf = ConcurrentHashMap.newKeySet(); // UIDs
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final List<String> log = new ArrayList<>();
    private final KubernetesClient connection =
        LIVE.closing(new KubernetesClientBuilder().withConfig(LIVE.config()).build());
    private PodScheduler scheduler;
    private AtomicBoolean mayWrite = new AtomicBoolean();
    private int foreign;

    Chaos(int seed) throws IOException {
      this.random = new Random(seed);
      this.label = "chaos-" + seed;
      this.kubelet =
          LIVE.closing(
              FakeKubelet.start(
                  LIVE.config(),
                  PodBehaviour.drawn(
                      Delay.uniform(Duration.ofMillis(20), Duration.ofMillis(400)),
                      Delay.uniform(Duration.ofMillis(20), Duration.ofMillis(900)),
                      0.05),
                  seed));
      this.controller = LIVE.closing(FakeController.start(LIVE.config(), seed));
      this.nodes =
          FakeNode.several(4, label, "3", "16Gi", 110).stream()
              .map(each -> each.withLabels(Map.of("test", label)))
              .toList();
      LIVE.closing(connection.pods().inNamespace(namespace).watch(new Bindings()));
      kubelet.addNodes(nodes);
      nodes.forEach(each -> present.add(each.name()));
      controller.keep(owner("important", "gold", 5, FakeOwner.Kind.REPLICA_SET));
      controller.keep(owner("plain", "bronze", 4, FakeOwner.Kind.REPLICA_SET));
      controller.keep(owner("ordered", "bronze", 3, FakeOwner.Kind.STATEFUL_SET));
      scheduler = start();
    }

    /** Sees each pod as it is bound. */
    private final class Bindings implements Watcher<Pod> {
      @Override
      public void eventReceived(Action action, Pod pod) {
        String node = pod.getSpec().getNodeName();
        String reason = pod.getStatus().getReason();
        if (reason != null && reason.startsWith("OutOf") && outOf.add(pod.getMetadata().getUid())) {
          violations.add(
              "pod %s does not fit on %s beside %s"
                  .formatted(pod.getMetadata().getName(), node, LIVE.describePods(namespace)));
        }
        if (node != null) {
          String before = nodeOfPod.putIfAbsent(pod.getMetadata().getUid(), node);
          if (before != null && !before.equals(node)) {
            violations.add(
                "pod %s was on %s and is on %s"
                    .formatted(pod.getMetadata().getName(), before, node));
          }
        }
      }

      @Override
      public void onClose(WatcherException cause) {}
    }

    private FakeOwner owner(String name, String serviceClass, int pods, FakeOwner.Kind kind) {
      return LiveControlPlane.owner(kind, namespace, name, serviceClass, pods);
    }

    private PodScheduler start() throws IOException {
      Configuration configuration = Schedulers.configuration(label);
      AtomicBoolean writes = new AtomicBoolean(true);
      mayWrite = writes;
      return LIVE.closing(
          PodScheduler.start(connection, configuration, "default", label, writes::get));
    }

    void step() throws Exception {
      int dice = random.nextInt(100);
      if (dice < 35) {
        deletePod();
      } else if (dice < 50) {
        placeForeign();
      } else if (dice < 60) {
        removeNode();
      } else if (dice < 70) {
        addNode();
      } else if (dice < 80) {
        cordon(random.nextBoolean());
      } else if (dice < 88) {
        note("the scheduler is killed");
        mayWrite.set(false);
        scheduler.close();
        // The next one leads once no request of this one can be under way.
        Eventually.holds("requests have ended", CALM, () -> scheduler.requestsUnderWay() == 0);
        scheduler = start();
      } else if (dice < 90) {
        note("the API server restarts");
        LIVE.controlPlane().restartApiServer();
      }
      Eventually.pause(Duration.ofMillis(random.nextInt(400)));
      assertThat(violations).as("violations; %s", log).isEmpty();
    }

    private void note(String what) {
      log.add(what);
    }

    private void deletePod() {
      List<Pod> pods = LIVE.pods(namespace);
      if (!pods.isEmpty()) {
        Pod victim = pods.get(random.nextInt(pods.size()));
        note("pod " + victim.getMetadata().getName() + " is deleted");
        LIVE.client().resource(victim).delete();
      }
    }

    private void placeForeign() {
      // It asks for no CPU: two schedulers could use the same room at the same moment, and neither
      // can exclude that.
      if (present.isEmpty()) {
        return;
      }
      String name = "foreign-" + foreign++;
      note("another scheduler places " + name);
      Pod pod =
          new PodBuilder(LiveControlPlane.pod(namespace, name, "0", "1Mi"))
              .editSpec()
              .withSchedulerName("other")
              .endSpec()
              .build();
      LIVE.client().resource(pod).create();
      LIVE.bind(pod, present.get(random.nextInt(present.size())));
    }

    private void removeNode() {
      if (present.size() > 1) {
        String node = present.remove(random.nextInt(present.size()));
        note("node " + node + " is deleted");
        kubelet.removeNode(node);
      }
    }

    private void addNode() {
      List<FakeNode> missing =
          nodes.stream().filter(each -> !present.contains(each.name())).toList();
      if (!missing.isEmpty()) {
        FakeNode node = missing.get(random.nextInt(missing.size()));
        note("node " + node.name() + " comes back");
        kubelet.addNodes(List.of(node));
        present.add(node.name());
      }
    }

    private void cordon(boolean isClosed) {
      if (!present.isEmpty()) {
        String node = present.get(random.nextInt(present.size()));
        note("node " + node + " is " + (isClosed ? "cordoned" : "opened"));
        LIVE.client()
            .nodes()
            .withName(node)
            .edit(
                each ->
                    new NodeBuilder(each).editSpec().withUnschedulable(isClosed).endSpec().build());
      }
    }

    /** Ends the trouble: all nodes are there and open. Then all pods must run that fit. */
    void calm() {
      for (FakeNode each : nodes) {
        if (!present.contains(each.name())) {
          kubelet.addNodes(List.of(each));
          present.add(each.name());
        }
        LIVE.client()
            .nodes()
            .withName(each.name())
            .edit(
                node ->
                    new NodeBuilder(node).editSpec().withUnschedulable(false).endSpec().build());
      }
      // Four nodes of 3 CPUs have room for all 12 pods, so none is preempted for another.
      try {
        Eventually.holds("12 pods run", CALM, () -> ready() >= 12);
      } catch (AssertionError failed) {
        throw new AssertionError(
            "%s; what happened: %s; pods: %s; scheduler: %s"
                .formatted(
                    failed.getMessage(),
                    log,
                    LIVE.describePods(namespace),
                    Schedulers.describe(scheduler)),
            failed);
      }
      assertThat(violations).as("violations; %s", log).isEmpty();
      assertThat(kubelet.counts().rejected()).as("pods that did not fit; %s", log).isZero();
      scheduler.close();
      controller.close();
      LIVE.pods(namespace)
          .forEach(each -> LIVE.client().resource(each).withGracePeriod(0).delete());
      nodes.forEach(each -> kubelet.removeNode(each.name()));
    }

    private long ready() {
      return LIVE.pods(namespace).stream()
          .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
          .filter(each -> !each.getMetadata().getName().startsWith("foreign"))
          .filter(each -> LiveControlPlane.condition(each, "Ready").equals("True"))
          .count();
    }
  }
}
