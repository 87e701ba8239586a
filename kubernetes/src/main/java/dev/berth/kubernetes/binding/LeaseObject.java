package dev.berth.kubernetes.binding;

import dev.berth.kubernetes.binding.ApiCalls.Answer;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease in the API server, as one candidate sees it.
 *
 * <p>The time of day may be wrong, and may jump. So a lease of another one may be taken once it was
 * seen unchanged for as long as it holds, by the monotonic clock. The times in the Lease are for
 * people. The elector of the client library compares them with the time of day, so a candidate
 * whose clock is ahead would lead beside the leader.
 *
 * <p>Used by one thread at a time.
 */
final class LeaseObject {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseObject.class);
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/%s/leases";
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  private final ApiCalls calls;
  private final KubernetesSerialization json;
  private final String namespace;
  private final String name;
  private final String path;
  private final String identity;
  private final Duration longest;
  private final Clock timeOfDay;
  private @Nullable LeaseSpec observed; // of another holder
  private long observedAt; // by the monotonic clock

  /**
   * @param timeOfDay for the times in the Lease
   */
  LeaseObject(
      KubernetesClient client,
      String namespace,
      String name,
      String identity,
      LeaderLease.Times times,
      Clock timeOfDay) {
    this.calls = new ApiCalls(client, () -> true, 1, times.request());
    this.json = client.getKubernetesSerialization();
    this.namespace = namespace;
    this.name = name;
    this.path = LEASES.formatted(namespace) + "/" + name;
    this.identity = identity;
    this.longest = times.lease();
    this.timeOfDay = timeOfDay;
  }

  /** Creates, renews or takes the lease if it may be; returns whether this process holds it now. */
  boolean hold() throws IOException, InterruptedException {
    Answer answer = await(calls.get(path));
    if (answer.code() == NOT_FOUND) {
      return create();
    }
    Lease lease = read(answer);
    LeaseSpec present = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
    if (!isMine(present)) {
      return mayTake(present) && write(lease, holding(present));
    } else if (!write(lease, holding(present))) {
      throw new IOException("it was changed meanwhile");
    }
    return true;
  }

  private boolean isMine(LeaseSpec lease) {
    return identity.equals(lease.getHolderIdentity());
  }

  /** Returns whether a lease is free, or its holder has not renewed it in time. */
  private boolean mayTake(LeaseSpec lease) {
    String holder = lease.getHolderIdentity();
    if (holder == null || holder.isEmpty()) {
      return true;
    }
    long now = System.nanoTime();
    if (!lease.equals(observed)) {
      if (observed == null || !holder.equals(observed.getHolderIdentity())) {
        LOG.info("The leader is {}.", holder);
      }
      observed = lease;
      observedAt = now;
    }
    Integer seconds = lease.getLeaseDurationSeconds();
    Duration holds = seconds == null ? longest : Duration.ofSeconds(seconds);
    return now - observedAt > holds.toNanos();
  }

  /** Returns a lease that this process holds from now on. */
  private LeaseSpec holding(LeaseSpec present) {
    ZonedDateTime now = ZonedDateTime.now(timeOfDay);
    Integer transitions = present.getLeaseTransitions();
    LeaseSpecBuilder held =
        new LeaseSpecBuilder(present)
            .withHolderIdentity(identity)
            .withLeaseDurationSeconds((int) longest.plusNanos(999_999_999).toSeconds())
            .withRenewTime(now);
    return isMine(present)
        ? held.build()
        : held.withAcquireTime(now)
            .withLeaseTransitions(transitions == null ? 0 : transitions + 1)
            .build();
  }

  /** Changes a lease, unless it was changed since it was read; returns whether it was changed. */
  private boolean write(Lease read, LeaseSpec to) throws IOException, InterruptedException {
    Lease patch =
        new LeaseBuilder()
            .withNewMetadata()
            .withResourceVersion(read.getMetadata().getResourceVersion())
            .endMetadata()
            .withSpec(to)
            .build();
    return isDone(await(calls.patch(path, ApiCalls.MERGE, json.asJson(patch))));
  }

  private static boolean isDone(Answer answer) throws IOException {
    return answer.code() != CONFLICT && requireSuccess(answer).isSuccess();
  }

  private static Answer requireSuccess(Answer answer) throws IOException {
    if (!answer.isSuccess()) {
      throw new IOException("HTTP %d: %s".formatted(answer.code(), answer.body()));
    }
    return answer;
  }

  private static Answer await(CompletableFuture<Answer> request)
      throws IOException, InterruptedException {
    try {
      return request.get(); // it ends by itself after the time of a request
    } catch (ExecutionException failed) {
      throw new IOException(String.valueOf(failed.getCause()), failed);
    }
  }

  /** Gives the lease up, if it is held, so that another one need not wait. */
  void release() throws IOException, InterruptedException {
    Answer answer = await(calls.get(path));
    if (answer.code() == NOT_FOUND) {
      return;
    }
    Lease lease = read(answer);
    if (lease.getSpec() != null && isMine(lease.getSpec())) {
      var unused =
          write(lease, new LeaseSpecBuilder(lease.getSpec()).withHolderIdentity("").build());
    }
  }

  private boolean create() throws IOException, InterruptedException {
    Lease first =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .withSpec(holding(new LeaseSpec()))
            .build();
    return isDone(await(calls.post(LEASES.formatted(namespace), json.asJson(first))));
  }

  private Lease read(Answer answer) throws IOException {
    return json.unmarshal(requireSuccess(answer).body(), Lease.class);
  }

  @Override
  public String toString() {
    return "lease %s/%s".formatted(namespace, name);
  }
}
