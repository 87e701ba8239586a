package dev.berth.kubernetes.binding;

import dev.berth.kubernetes.tasks.TaskThread;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of several schedulers by a Lease, so that only one changes the cluster.
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

  private final LeaseObject lease;
  private final String identity;
  private final Times times;
  private final Work work;
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(TaskThread.daemons("berth-leader"));
  private final Thread elector = TaskThread.daemons("berth-election").newThread(this::run);
  private volatile boolean isClosed;
  private volatile boolean wantsToGiveUp;
  private volatile long renewedAt; // by the monotonic clock

  /** The number of the time for which this process leads; 0 while it does not lead. */
  private volatile int term;

  private boolean hasBegun; // used by the worker alone

  private int lastTerm; // used by the elector alone

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

  private LeaderLease(LeaseObject lease, String identity, Times times, Work work) {
    this.lease = lease;
    this.identity = identity;
    this.times = times;
    this.work = work;
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
    LeaseObject object = new LeaseObject(client, namespace, name, identity, times, timeOfDay);
    LeaderLease election = new LeaderLease(object, identity, times, work);
    election.elector.start();
    return election;
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
      if (lease.hold()) {
        renewedAt = before; // not after it: others count from when they see it
        lead();
      } else {
        follow();
      }
    } catch (IOException | RuntimeException failed) {
      LOG.warn("{} cannot use {}: {}", identity, lease, failed.getMessage());
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

  /** Lets another one lead at once. */
  private void giveUp() throws IOException, InterruptedException {
    follow();
    lease.release();
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
      LOG.warn("{} could not give {} up: {}", identity, lease, failed.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
