package dev.berth.kubernetes.binding;

import dev.berth.api.History;
import dev.berth.json.UnreadableException;
import dev.berth.json.ValueFormat;
import dev.berth.kubernetes.binding.ApiCalls.Answer;
import dev.berth.kubernetes.meaning.Owner;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The histories of instances that have lost their pod, until another pod of their owner continues
 * them or their time is over. They are kept in a ConfigMap: one write at a time, with all changes
 * that came meanwhile. So a restart or another leader finds them.
 *
 * <p>Safe for use by several threads.
 */
final class Ledger {

  /** The most histories that are kept; with more, the oldest are dropped. */
  static final int MOST = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
  private static final String KEY = "histories.json";
  private static final ValueFormat<SavedHistories> FORMAT = ValueFormat.of(SavedHistories.class);

  private final ApiCalls calls;
  private final KubernetesSerialization json;
  private final String namespace;
  private final String name;
  private final long patience;

  private final Map<String, SavedHistories.Kept> entries =
      new LinkedHashMap<>(); // by instance, oldest first
  private List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private boolean isChanged;
  private boolean isWriting;
  private long dropped;

  /**
   * @param patience how long a history is kept
   */
  Ledger(
      ApiCalls calls,
      KubernetesSerialization json,
      String namespace,
      String name,
      Duration patience) {
    this.calls = calls;
    this.json = json;
    this.namespace = namespace;
    this.name = name;
    this.patience = patience.toNanos();
  }

  /** Reads what an earlier scheduler kept. Fails if the API server does not answer. */
  CompletableFuture<Void> load(long now) {
    return calls.get(path()).thenAccept(answer -> loaded(answer, now));
  }

  private String path() {
    return "/api/v1/namespaces/%s/configmaps/%s".formatted(namespace, name);
  }

  @SuppressWarnings("unchecked")
  private synchronized void loaded(Answer answer, long now) {
    if (answer.code() == 404) {
      return;
    } else if (!answer.isSuccess()) {
      throw new IllegalStateException(
          "could not read ConfigMap %s/%s: %s".formatted(namespace, name, answer.code()));
    }
    Object data = json.unmarshal(answer.body(), Map.class).get("data");
    String text = data instanceof Map ? ((Map<String, String>) data).get(KEY) : null;
    if (text == null) {
      return;
    }
    try {
      FORMAT.fromJson(text).histories().stream()
          .filter(each -> each.until() > now)
          .forEach(each -> entries.put(each.instance(), each));
    } catch (UnreadableException damaged) {
      LOG.warn(
          "ConfigMap {}/{}: the histories are lost: {}", namespace, name, damaged.getMessage());
    }
  }

  /**
   * Keeps the history of an instance. Completes once it is in the API server.
   *
   * @param now its time counts from then
   */
  CompletableFuture<Void> keep(InstanceBook.View instance, History history, long now) {
    if (instance.owner().isEmpty()) { // no controller makes another pod
      return CompletableFuture.completedFuture(null);
    }
    Owner owner = instance.owner().get();
    CompletableFuture<Void> answer = new CompletableFuture<>();
    synchronized (this) {
      entries.remove(instance.instance());
      entries.put(
          instance.instance(),
          new SavedHistories.Kept(
              instance.instance(),
              owner.uid(),
              owner.position(),
              instance.request().serviceClass(),
              instance.request().demand().toString(),
              history,
              now + patience));
      drop(now);
      waiting.add(answer);
      isChanged = true;
    }
    write();
    return answer;
  }

  private void drop(long now) {
    entries.values().removeIf(each -> each.until() <= now);
    while (entries.size() > MOST) {
      entries.remove(entries.keySet().iterator().next());
      if (dropped++ == 0) {
        LOG.warn("More than {} histories wait for pods; the oldest are dropped from now on.", MOST);
      }
    }
  }

  /** Takes the history for a new pod that has waited longest; empty if there is none. */
  synchronized Optional<SavedHistories.Kept> take(
      Owner owner, String serviceClass, String demand, long now) {
    for (SavedHistories.Kept each : entries.values()) {
      if (each.owner().equals(owner.uid())
          && each.position().equals(owner.position())
          && each.serviceClass().equals(serviceClass)
          && each.demand().equals(demand)
          && each.until() > now) {
        entries.remove(each.instance());
        isChanged = true;
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Takes back that a history was taken: the pod was not accepted. It is the first again. */
  synchronized void putBack(SavedHistories.Kept taken) {
    Map<String, SavedHistories.Kept> others = new LinkedHashMap<>(entries);
    entries.clear();
    entries.put(taken.instance(), taken);
    others.forEach(entries::putIfAbsent);
    isChanged = true;
  }

  /**
   * Forgets the history of an instance: a pod has it by now. It is written with the next change.
   */
  synchronized void forget(String instance) {
    isChanged |= entries.remove(instance) != null;
  }

  /** Returns the number of histories that wait. */
  synchronized int size() {
    return entries.size();
  }

  /** Writes what has changed, unless a write is under way; that one is followed by another. */
  void write() {
    List<CompletableFuture<Void>> served;
    String text;
    synchronized (this) {
      if (isWriting || !isChanged) {
        return;
      }
      isWriting = true;
      isChanged = false;
      served = waiting;
      waiting = new ArrayList<>();
      text = FORMAT.toJson(new SavedHistories(List.copyOf(entries.values())));
    }
    Map<String, Object> map =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            Map.of("name", name, "namespace", namespace),
            "data",
            Map.of(KEY, text));
    String body = json.asJson(map);
    var unused =
        calls
            .patch(path(), ApiCalls.MERGE, body)
            .thenCompose(
                answer ->
                    answer.code() == 404
                        ? calls.post("/api/v1/namespaces/%s/configmaps".formatted(namespace), body)
                        : CompletableFuture.completedFuture(answer))
            .whenComplete((answer, failure) -> written(served, answer, failure));
  }

  private void written(
      List<CompletableFuture<Void>> served, @Nullable Answer answer, @Nullable Throwable failure) {
    boolean isSaved = answer != null && answer.isSuccess();
    synchronized (this) {
      isWriting = false;
      isChanged |= !isSaved;
    }
    for (CompletableFuture<Void> each : served) {
      if (isSaved) {
        each.complete(null);
      } else {
        each.completeExceptionally(
            failure != null
                ? failure
                : new IllegalStateException(
                    "could not write ConfigMap %s/%s: %s"
                        .formatted(namespace, name, answer == null ? "" : answer.code())));
      }
    }
    if (isSaved) {
      write();
    }
  }
}
