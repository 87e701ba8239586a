package acme.farm;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Renders 60 frames on four hosts, one of which is lost and returns. */
public final class Main {

  private static final int FRAMES = 60;

  private Main() {}

  /**
   * Prints how many frames had which outcome. Takes no arguments.
   *
   * @throws InterruptedException if interrupted
   */
  public static void main(String[] args) throws InterruptedException {
    Map<String, Integer> count = new TreeMap<>();
    render().values().forEach(outcome -> count.merge(outcome, 1, Integer::sum));
    System.out.println(FRAMES + " frames: " + count);
  }

  /** Returns the outcome of each frame. */
  static Map<String, String> render() throws InterruptedException {
    Map<String, String> outcomes = new ConcurrentHashMap<>();
    CountDownLatch left = new CountDownLatch(FRAMES);
    LocalFleet fleet = new LocalFleet();
    RenderFarm farm =
        new RenderFarm(
            fleet,
            System::nanoTime,
            (frame, outcome) -> {
              outcomes.put(frame, outcome);
              left.countDown();
            });
    fleet.reportTo(farm);
    Thread loop = new Thread(() -> run(farm), "farm");
    loop.start();

    for (int host = 1; host <= 4; host++) {
      farm.hostJoined("h" + host, 4, 16);
    }
    for (int frame = 1; frame <= FRAMES; frame++) {
      farm.submit("f" + frame, frame % 3 == 0 ? "urgent" : "batch", 2, 4);
    }
    TimeUnit.MILLISECONDS.sleep(50);
    fleet.lose("h2");
    TimeUnit.MILLISECONDS.sleep(50);
    farm.hostJoined("h2", 4, 16);

    left.await();
    farm.stop();
    loop.join();
    return outcomes;
  }

  private static void run(RenderFarm farm) {
    try {
      farm.run();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
