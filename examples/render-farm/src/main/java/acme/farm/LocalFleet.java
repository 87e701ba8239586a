package acme.farm;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A fleet that only pretends: a frame takes a few milliseconds, and one attempt in ten fails. A
 * real one would start processes or containers.
 */
final class LocalFleet implements Fleet {

  private record Attempt(int number, String host) {}

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(LocalFleet::daemon);
  private final Random random = new Random(1); // used by the thread of the timer alone
  private final Map<String, Attempt> attempts = new HashMap<>(); // by frame; likewise
  private RenderFarm farm;

  /** Connects the farm that receives the reports; before any other call. */
  void reportTo(RenderFarm farm) {
    this.farm = farm;
  }

  @Override
  public void start(String frame, int attempt, String host) {
    timer.execute(() -> attempts.put(frame, new Attempt(attempt, host)));
    after(5, frame, attempt, () -> begin(frame, attempt));
  }

  private void begin(String frame, int attempt) {
    farm.started(frame, attempt);
    Runnable ending =
        random.nextInt(10) == 0
            ? () -> farm.failed(frame, attempt, "the renderer crashed")
            : () -> farm.finished(frame, attempt);
    after(20 + random.nextInt(30), frame, attempt, ending);
  }

  /** Goes on with an attempt after some time, unless it was stopped. */
  private void after(int millis, String frame, int attempt, Runnable next) {
    timer.schedule(
        () -> {
          Attempt latest = attempts.get(frame);
          if (latest != null && latest.number() == attempt) {
            next.run();
          }
        },
        millis,
        TimeUnit.MILLISECONDS);
  }

  @Override
  public void stop(String frame, String host) {
    timer.execute(
        () -> attempts.computeIfPresent(frame, (f, at) -> at.host().equals(host) ? null : at));
  }

  /** Loses a host with all that runs on it. */
  void lose(String host) {
    timer.execute(
        () -> {
          attempts.values().removeIf(at -> at.host().equals(host));
          farm.hostLost(host);
        });
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "fleet");
    thread.setDaemon(true);
    return thread;
  }
}
