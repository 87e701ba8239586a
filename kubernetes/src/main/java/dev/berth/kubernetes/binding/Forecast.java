package dev.berth.kubernetes.binding;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.core.Scheduler;
import dev.berth.core.decision.Decision;
import dev.berth.kubernetes.binding.InstanceBook.View;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.meaning.ForeignLoad;
import dev.berth.kubernetes.meaning.NodeMeaning;
import dev.berth.kubernetes.meaning.PodState;
import dev.berth.kubernetes.meaning.Refusal;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * What a scheduler would do with a cluster as it is now. Nothing is changed in the cluster.
 * Immutable.
 *
 * @param pods the pods that name the scheduler, in order of namespace and name
 * @param unusedNodes why nodes are not used that it could use, a line for each
 */
public record Forecast(List<PodForecast> pods, List<String> unusedNodes) {

  /** Copies the lists. */
  public Forecast {
    pods = List.copyOf(pods);
    unusedNodes = List.copyOf(unusedNodes);
  }

  /** What would become of a pod. */
  public enum Outcome {
    /** It is on a node and stays there. */
    STAYS,
    /** It would be bound to a node. */
    PLACED,
    /** It is on a node and would be deleted for another pod. */
    PREEMPTED,
    /** It would wait. */
    WAITS,
    /** It would not be scheduled: it asks for something that is not understood. */
    REFUSED
  }

  /**
   * What would become of a pod, and why.
   *
   * @param pod its namespace and name
   * @param serviceClass its service class; empty if it is refused
   * @param outcome what would become of it
   * @param detail its node, the pod that it makes room for, or why it waits
   */
  public record PodForecast(String pod, String serviceClass, Outcome outcome, String detail) {}

  private static final Duration PASS_INTERVAL = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(50);

  /**
   * Looks at a cluster and decides once.
   *
   * @param client needs rights to read only
   * @param namespace the namespace of the scheduler, where its histories are
   * @param longest how long that may take
   * @throws IOException if the API server does not answer, or there is no result in time
   */
  public static Forecast of(
      KubernetesClient client, Configuration configuration, String namespace, Duration longest)
      throws IOException {
    ConcurrentLinkedQueue<Decision> decisions = new ConcurrentLinkedQueue<>();
    PodScheduler.Probe probe =
        new PodScheduler.Probe(
            decisions::add,
            InstantSource.system(),
            settings -> settings.withPassInterval(PASS_INTERVAL), // so that one pass decides on all
            true);
    long end = System.nanoTime() + longest.toNanos();
    try (PodScheduler scheduler =
        PodScheduler.start(client, configuration, namespace, "forecast", () -> false, probe)) {
      await(scheduler.afterChanges(seen -> true), end);
      while (!await(scheduler.loop().ask(Forecast::hasDecided), end)) {
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
      Map<String, String> beneficiaries = new HashMap<>();
      decisions.forEach(
          each ->
              each.victims()
                  .forEach(victim -> beneficiaries.put(victim.instance(), each.instance())));
      PodScheduler.Seen seen = await(scheduler.afterChanges(it -> it), end);
      List<PodForecast> pods =
          new ArrayList<>(
              await(scheduler.loop().ask(core -> instances(core, seen, beneficiaries)), end));
      seen.refused().forEach((uid, why) -> refused(seen, uid, why).ifPresent(pods::add));
      pods.sort(Comparator.comparing(PodForecast::pod));
      return new Forecast(pods, unusedNodes(seen, configuration));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("The forecast was interrupted.", interrupted);
    }
  }

  private static <T> T await(CompletableFuture<T> answer, long end)
      throws IOException, InterruptedException {
    try {
      return answer.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new IOException("There was no forecast in time.", late);
    } catch (ExecutionException failed) {
      throw new IOException("There is no forecast: " + failed.getMessage(), failed);
    }
  }

  private static boolean hasDecided(Scheduler scheduler) {
    OptionalLong next = scheduler.nextPassAt();
    return next.isEmpty() || next.getAsLong() > scheduler.now();
  }

  private static List<PodForecast> instances(
      Scheduler scheduler, PodScheduler.Seen seen, Map<String, String> beneficiaries) {
    List<PodForecast> all = new ArrayList<>();
    for (View each : seen.instances()) {
      PodRef pod = each.pod();
      Optional<Instance> instance = scheduler.instance(each.instance());
      if (pod != null && instance.isPresent()) {
        all.add(forecast(scheduler, seen, each, pod, instance.get(), beneficiaries));
      }
    }
    return all;
  }

  private static PodForecast forecast(
      Scheduler scheduler,
      PodScheduler.Seen seen,
      View view,
      PodRef pod,
      Instance instance,
      Map<String, String> beneficiaries) {
    Optional<String> node = seen.cluster().pod(pod).flatMap(PodState::nodeOf);
    Outcome outcome;
    String detail;
    if (instance.state() != InstanceState.PENDING) {
      String host = instance.host().map(each -> each.id()).orElse("");
      outcome = node.isPresent() ? Outcome.STAYS : Outcome.PLACED;
      detail = "on " + host + victims(seen, view.instance(), beneficiaries);
    } else if (node.isPresent()) {
      String other = beneficiaries.get(view.instance());
      outcome = Outcome.PREEMPTED;
      detail =
          "on %s, for %s".formatted(node.get(), other == null ? "no other pod" : key(seen, other));
    } else {
      outcome = Outcome.WAITS;
      detail = scheduler.explain().whyPending(view.instance(), scheduler.now()).describe();
    }
    return new PodForecast(pod.key(), instance.request().serviceClass(), outcome, detail);
  }

  private static String victims(
      PodScheduler.Seen seen, String instance, Map<String, String> beneficiaries) {
    String victims =
        beneficiaries.entrySet().stream()
            .filter(each -> each.getValue().equals(instance))
            .map(each -> key(seen, each.getKey()))
            .sorted()
            .collect(Collectors.joining(", "));
    return victims.isEmpty() ? "" : ", once " + victims + " has left";
  }

  /** Returns the name of the pod of an instance. */
  private static String key(PodScheduler.Seen seen, String instance) {
    return seen.instances().stream()
        .filter(each -> each.instance().equals(instance))
        .map(View::pod)
        .filter(Objects::nonNull)
        .map(PodRef::key)
        .findFirst()
        .orElse(instance);
  }

  private static Optional<PodForecast> refused(
      PodScheduler.Seen seen, String uid, List<Refusal> why) {
    return seen.cluster().pods().stream()
        .filter(each -> uid.equals(each.getMetadata().getUid()))
        .findFirst()
        .map(PodRef::of)
        .map(pod -> new PodForecast(pod.key(), "", Outcome.REFUSED, Refusal.describe(why)));
  }

  private static List<String> unusedNodes(PodScheduler.Seen seen, Configuration configuration) {
    List<String> unused = new ArrayList<>();
    for (Node each : seen.cluster().nodes()) {
      String name = each.getMetadata().getName();
      if (!NodeMeaning.isSelected(each, configuration.nodes())) {
        continue; // it is another scheduler's
      }
      NodeMeaning meaning = NodeMeaning.of(each, ForeignLoad.NONE);
      if (meaning instanceof NodeMeaning.Refused no) {
        unused.add("node %s: %s".formatted(name, Refusal.describe(no.reasons())));
      } else if (meaning instanceof NodeMeaning.Understood yes && !yes.ready()) {
        unused.add("node %s is not ready".formatted(name));
      } else if (meaning instanceof NodeMeaning.Understood yes && yes.cordoned()) {
        unused.add("node %s is cordoned".formatted(name));
      }
    }
    unused.sort(null);
    return unused;
  }
}
