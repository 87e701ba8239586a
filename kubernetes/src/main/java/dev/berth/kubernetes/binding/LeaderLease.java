package dev.berth.kubernetes.binding;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of several schedulers by a Lease, so that only one changes the cluster.
 *
 * <p><b>Fencing.</b> {@link #mayWrite} is true only until so long before the lease runs out that a
 * request which is sent then has ended. Its clock is monotonic. So a leader that was stopped for a
 * while, or that cannot renew its lease, changes nothing once another one may have been elected.
 *
 * <p>Safe for use by several threads.
 */
public final class LeaderLease implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);

  private final KubernetesClient client;
  private final String identity;
  private final Times times;
  private final Work work;
  private final String namespace;
  private final String name;
  private final ExecutorService threads;
  private volatile WatchedLock lock; // of the present election; an earlier one may hang
  private volatile boolean isClosed;
  private volatile boolean isLeading;
  private volatile @Nullable CompletableFuture<?> election;

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
      Work work) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
    this.identity = identity;
    this.times = times;
    this.work = work;
    this.lock = new WatchedLock(namespace, name, identity);
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "berth-election");
              thread.setDaemon(true);
              return thread;
            });
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
    LeaderLease lease = new LeaderLease(client, namespace, name, identity, times, work);
    lease.threads.execute(lease::run);
    return lease;
  }

  /** Returns whether this process leads and a request that is sent now cannot outlast its lease. */
  public boolean mayWrite() {
    long renewed = lock.renewedAt;
    return isLeading
        && renewed != 0
        && System.nanoTime() - renewed
            < times.lease().minus(times.request()).minus(times.lease().dividedBy(20)).toNanos();
  }

  /** Returns whether this process leads. */
  public boolean isLeading() {
    return isLeading;
  }

  private void run() {
    while (!isClosed && !Thread.currentThread().isInterrupted()) {
      lock = new WatchedLock(namespace, name, identity);
      LeaderElector elector =
          new LeaderElector(
              client,
              new LeaderElectionConfigBuilder()
                  .withName(lock.describe())
                  .withLock(lock)
                  .withLeaseDuration(times.lease())
                  .withRenewDeadline(times.renew())
                  .withRetryPeriod(times.retry())
                  .withReleaseOnCancel(true)
                  .withLeaderCallbacks(
                      new LeaderCallbacks(this::elected, this::deposed, this::changed))
                  .build(),
              threads);
      CompletableFuture<?> running = elector.start();
      election = running;
      if (isClosed) {
        running.cancel(true);
      }
      await(running);
      deposed();
    }
  }

  /**
   * Waits until an election has ended. The elector may hang in a request for longer than the leader
   * may lead, so that is watched here too.
   */
  private void await(CompletableFuture<?> running) {
    while (true) {
      try {
        running.get(times.retry().toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException going) {
        if (isLeading && System.nanoTime() - lock.renewedAt > times.renew().toNanos()) {
          LOG.warn("{} could not renew its lease for {}.", identity, times.renew());
          deposed();
          threads.execute(() -> running.cancel(true)); // it asks the server, which may hang
          return;
        }
      } catch (ExecutionException | CancellationException ended) {
        LOG.debug("The election ended", ended);
        return;
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private synchronized void elected() {
    if (isLeading || isClosed) {
      return;
    }
    LOG.info("{} leads.", identity);
    isLeading = true;
    threads.execute(this::begin);
  }

  private synchronized void begin() {
    try {
      if (isLeading) {
        work.begin(this::mayWrite);
      }
    } catch (Exception failed) {
      LOG.error("{} cannot lead: {}", identity, failed.getMessage(), failed);
      isLeading = false;
      CompletableFuture<?> running = election;
      if (running != null) {
        threads.execute(() -> running.cancel(true));
      }
    }
  }

  private synchronized void deposed() {
    if (isLeading) {
      isLeading = false;
      LOG.warn("{} leads no longer.", identity);
      work.end();
    }
  }

  private void changed(String leader) {
    LOG.info("The leader is {}.", leader);
  }

  /** Gives the lease up, if it holds it, and takes part no longer. */
  @Override
  public void close() {
    isClosed = true;
    CompletableFuture<?> running = election;
    deposed();
    if (running != null) {
      running.cancel(true);
    }
    threads.shutdown();
  }

  /** Notes when the lease was renewed: the time before the request, not after it. */
  private static final class WatchedLock extends LeaseLock {
    private final String me;
    private volatile long renewedAt; // by the monotonic clock; 0 before

    WatchedLock(String namespace, String name, String identity) {
      super(namespace, name, identity);
      this.me = identity;
    }

    @Override
    public synchronized void create(KubernetesClient client, LeaderElectionRecord entry) {
      renewed(entry, () -> super.create(client, entry));
    }

    @Override
    public synchronized void update(KubernetesClient client, LeaderElectionRecord entry) {
      renewed(entry, () -> super.update(client, entry));
    }

    private void renewed(LeaderElectionRecord entry, Runnable request) {
      long before = System.nanoTime();
      request.run();
      renewedAt = me.equals(entry.getHolderIdentity()) ? before : 0;
    }
  }
}
