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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of several schedulers by a Lease, so that only one changes the cluster.
 *
 * <p><b>Clocks.</b> The time of day may be wrong, and may jump. A candidate takes the lease of
 * another one once it has seen it unchanged for as long as it holds, by its own monotonic clock.
 * The times in the Lease are for people. The elector of the client library compares them with the
 * time of day, so a candidate whose clock is ahead would lead beside the leader.
 *
 * <p><b>Fencing.</b> {@link #mayWrite} is true only until so long before the lease runs out that a
 * request which is sent then has ended. So a leader that was stopped for a while, or that cannot
 * renew its lease, changes nothing once another one may have been elected.
 *
 * <p>Safe for use by several threads. It has two threads of its own: one renews the lease, the
 * other one begins and ends the work.
 */
public final class LeaderLease implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/%s/leases";
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  private final ApiCalls calls;
  private final KubernetesSerialization json;
  private final String namespace;
  private final String name;
  private final String identity;
  private final Times times;
  private final Work work;
  private final Clock timeOfDay;
  private final ExecutorService worker = Executors.newSingleThreadExecutor(daemon("berth-leader"));
  private final Thread elector = daemon("berth-election").newThread(this::run);
  private volatile boolean isClosed;
  private volatile boolean wantsToGiveUp;
  private volatile long renewedAt; // by the monotonic clock

  /** The number of the time for which this process leads; 0 while it does not lead. */
  private volatile int term;

  private boolean hasBegun; // used by the worker alone

  // Only the elector uses these, and close() once it has ended.
  private int lastTerm;
  private @Nullable LeaseSpec observed; // of another holder
  private long observedAt;

  /** What the leader does. Both methods are called on a thread of the lease, in turn. */
  public interface Work {
    /**
     * Begins to lead. Returns once that has begun; an exception gives the lease up.
     *
     * @param mayWrite to be asked before each change
     */
    void begin(BooleanSupplier mayWrite) throws Exception;

    /** Leads no longer. Not called if {@link #begin} failed. */
    void end();
  }

  /**
   * Times of an election.
   *
   * @param lease how long a lease holds that is not renewed
   * @param renew how long the leader tries to renew it before it gives up; less than {@code lease}
   * @param retry the time between two tries
   * @param request the longest that a request takes; less than {@code lease}
   */
  public record Times(Duration lease, Duration renew, Duration retry, Duration request) {

    /** 15 s, 10 s, 2 s and 5 s, as most schedulers have. */
    public static final Times DEFAULT =
        new Times(
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5));

    /**
     * Checks the times.
     *
     * @throws IllegalArgumentException if {@code renew} or {@code request} is not less than {@code
     *     lease}, or {@code retry} not less than {@code renew}
     */
    public Times {
      Objects.requireNonNull(lease, "LeaderLease.Times: lease was null, must not be null.");
      requireLess("renew", renew, "lease", lease);
      requireLess("request", request, "lease", lease);
      requireLess("retry", retry, "renew", renew);
    }

    private static void requireLess(String name, Duration time, String than, Duration limit) {
      if (time.isNegative() || time.isZero() || time.compareTo(limit) >= 0) {
        throw new IllegalArgumentException(
            "LeaderLease.Times: %s was %s, must be positive and less than %s, which is %s."
                .formatted(name, time, than, limit));
      }
    }
  }

  private LeaderLease(
      KubernetesClient client,
      String namespace,
      String name,
      String identity,
      Times times,
      Work work,
      Clock timeOfDay) {
    this.calls = new ApiCalls(client, () -> true, 1, times.request());
    this.json = client.getKubernetesSerialization();
    this.namespace = namespace;
    this.name = name;
    this.identity = identity;
    this.times = times;
    this.work = work;
    this.timeOfDay = timeOfDay;
  }

  private static ThreadFactory daemon(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Takes part in an election, again and again until it is closed.
   *
   * @param namespace namespace of the Lease
   * @param name name of the Lease
   * @param identity unique among those who take part, also over restarts
   */
  public static LeaderLease start(
      KubernetesClient client,
      String namespace,
      String name,
      String identity,
      Times times,
      Work work) {
    return start(client, namespace, name, identity, times, work, Clock.systemUTC());
  }

  /** As the other one, with the clock for the times in the Lease. */
  static LeaderLease start(
      KubernetesClient client,
      String namespace,
      String name,
      String identity,
      Times times,
      Work work,
      Clock timeOfDay) {
    LeaderLease lease = new LeaderLease(client, namespace, name, identity, times, work, timeOfDay);
    lease.elector.start();
    return lease;
  }

  /** Returns whether this process leads and a request that is sent now cannot outlast its lease. */
  public boolean mayWrite() {
    return mayWrite(term);
  }

  private boolean mayWrite(int in) {
    return in != 0
        && in == term
        && System.nanoTime() - renewedAt
            < times.lease().minus(times.request()).minus(times.lease().dividedBy(20)).toNanos();
  }

  /** Returns whether this process leads. */
  public boolean isLeading() {
    return term != 0;
  }

  // ---- The elector

  private void run() {
    try {
      while (!isClosed) {
        Thread.sleep(turn().toMillis());
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tries once to get or to renew the lease, and returns how long to wait for the next try. */
  private Duration turn() throws InterruptedException {
    try {
      if (wantsToGiveUp) {
        wantsToGiveUp = false;
        giveUp();
        return times.lease(); // so that another one may try
      }
      long before = System.nanoTime();
      if (hold()) {
        renewedAt = before; // not after it: others count from when they see it
        lead();
      } else {
        follow();
      }
    } catch (IOException | RuntimeException failed) {
      LOG.warn("{} cannot use lease {}/{}: {}", identity, namespace, name, failed.getMessage());
      LOG.debug("The request failed", failed);
    }
    if (isLeading() && System.nanoTime() - renewedAt > times.renew().toNanos()) {
      LOG.warn("{} could not renew its lease for {}.", identity, times.renew());
      follow();
    }
    return times.retry();
  }

  private void lead() {
    if (!isLeading()) {
      lastTerm++;
      int begun = lastTerm;
      term = begun;
      LOG.info("{} leads.", identity);
      worker.execute(() -> begin(begun));
    }
  }

  private void begin(int of) {
    try {
      if (of == term) {
        work.begin(() -> mayWrite(of));
        hasBegun = true;
      }
    } catch (Exception failed) {
      LOG.error("{} cannot lead: {}", identity, failed.getMessage(), failed);
      wantsToGiveUp = of == term;
    }
  }

  private void follow() {
    if (isLeading()) {
      term = 0;
      LOG.warn("{} leads no longer.", identity);
      worker.execute(this::end);
    }
  }

  private void end() {
    if (hasBegun) {
      hasBegun = false;
      work.end();
    }
  }

  // ---- The Lease

  /** Creates, renews or takes the lease if it may be; returns whether this process holds it now. */
  private boolean hold() throws IOException, InterruptedException {
    Answer answer = await(calls.get(path() + "/" + name));
    if (answer.code() == NOT_FOUND) {
      LeaseSpec first = new LeaseSpec();
      return isDone(await(calls.post(path(), json.asJson(named(holding(first))))));
    }
    Lease lease = json.unmarshal(requireSuccess(answer).body(), Lease.class);
    LeaseSpec present = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
    return (isMine(present) || mayTake(present)) && write(lease, holding(present));
  }

  private boolean isMine(LeaseSpec lease) {
    return identity.equals(lease.getHolderIdentity());
  }

  /** Returns whether nobody holds a lease, or its holder has not renewed it in time. */
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
    Duration holds = seconds == null ? times.lease() : Duration.ofSeconds(seconds);
    return now - observedAt > holds.toNanos();
  }

  /** Returns a lease that this process holds from now on. */
  private LeaseSpec holding(LeaseSpec present) {
    ZonedDateTime now = ZonedDateTime.now(timeOfDay);
    Integer transitions = present.getLeaseTransitions();
    LeaseSpecBuilder held =
        new LeaseSpecBuilder(present)
            .withHolderIdentity(identity)
            .withLeaseDurationSeconds((int) times.lease().plusNanos(999_999_999).toSeconds())
            .withRenewTime(now);
    return isMine(present)
        ? held.build()
        : held.withAcquireTime(now)
            .withLeaseTransitions(transitions == null ? 0 : transitions + 1)
            .build();
  }

  private Lease named(LeaseSpec spec) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withSpec(spec)
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
    return isDone(await(calls.patch(path() + "/" + name, ApiCalls.MERGE, json.asJson(patch))));
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

  private String path() {
    return LEASES.formatted(namespace);
  }

  /** Lets another one lead at once. */
  private void giveUp() throws IOException, InterruptedException {
    follow();
    Answer answer = await(calls.get(path() + "/" + name));
    if (answer.code() == NOT_FOUND) {
      return;
    }
    Lease lease = json.unmarshal(requireSuccess(answer).body(), Lease.class);
    if (lease.getSpec() != null && isMine(lease.getSpec())) {
      var unused =
          write(lease, new LeaseSpecBuilder(lease.getSpec()).withHolderIdentity("").build());
    }
  }

  /**
   * Ends the work and gives the lease up, if it holds it, and takes part no longer. If the work
   * does not end within the time of a lease, the lease is left to run out.
   */
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    elector.interrupt();
    try {
      elector.join();
      boolean led = isLeading();
      follow();
      worker.shutdown();
      if (worker.awaitTermination(times.lease().toMillis(), TimeUnit.MILLISECONDS) && led) {
        giveUp();
      }
    } catch (IOException failed) {
      LOG.warn(
          "{} could not give lease {}/{} up: {}", identity, namespace, name, failed.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
