package dev.berth.runtime;

import static dev.berth.runtime.StatusMachines.fresh;
import static dev.berth.runtime.StatusMachines.host;
import static dev.berth.runtime.StatusMachines.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.InstanceState;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.core.event.Event;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.Journal;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The figures of a loop. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LoopStatusTest {

  private final StatusMachines machines = new StatusMachines();

  @Test
  void aNewLoopHasAStatus() throws Exception {
    try (SchedulerLoop loop = machines.loop().start()) {
      LoopStatus status = loop.status();

      assertThat(status.phase()).isEqualTo(LoopStatus.Phase.RUNNING);
      assertThat(status.policy()).isEqualTo("gold-first");
      assertThat(status.waiting()).isEqualTo(Map.of("gold", Map.of(), "bronze", Map.of()));
      assertThat(status.longestWait()).isEmpty();
      assertThat(status.fulfilment()).isEmpty();
      assertThat(status.hosts()).isEmpty();
      assertThat(status.journal()).isEmpty();
      assertThat(status.passes().preemptions()).isEqualTo(Map.of("gold", 0L, "bronze", 0L));
      assertThat(status.inputs().capacity()).isEqualTo(LoopSettings.defaults().queueCapacity());
    }
  }

  @Test
  void countsWhatWaitsAndWhatWasDecided(@TempDir Path directory) throws Exception {
    try (SchedulerLoop loop = machines.loop().journal(FileJournal.open(directory)).start()) {
      loop.addHost(host("h1", 2)).join();
      loop.addHost(host("h2", 1)).join();
      loop.apply(new Event.HostCordoned("h2")).join();
      loop.submit(request("b1", "bronze", 2)).join();
      loop.apply(new Event.StartedNow("b1")).join();
      loop.submit(request("g1", "gold", 2)).join();
      loop.submit(request("g2", "gold", 1)).join();
      loop.apply(new Event.StartedNow("nothing")).exceptionally(refused -> null).join();
      LoopStatus status = fresh(loop);

      assertThat(status.waiting())
          .isEqualTo(Map.of("gold", Map.of("no-room", 1), "bronze", Map.of("no-room", 1)));
      assertThat(status.totalWaiting()).isEqualTo(2);
      assertThat(status.totalWaiting())
          .isEqualTo(loop.ask(scheduler -> scheduler.pendingCount()).join());
      assertThat(status.longestWait().orElseThrow()).isPositive();
      assertThat(status.instances().get("gold"))
          .isEqualTo(Map.of(InstanceState.PENDING, 1, InstanceState.STARTING, 1));
      assertThat(status.passes().preemptions()).isEqualTo(Map.of("gold", 0L, "bronze", 1L));
      assertThat(status.passes().decisions()).isEqualTo(3);
      assertThat(status.passes().count()).isEqualTo(status.passes().latest().get(0).number());
      assertThat(status.passes().latest().get(0).waiting()).isEqualTo(2);
      assertThat(status.passes().time()).isPositive();
      assertThat(status.hosts()).isEqualTo(Map.of("open", 1, "cordoned", 1));
      assertThat(status.totalHosts()).isEqualTo(2);
      assertThat(status.inputs().applied()).isEqualTo(8);
      assertThat(status.inputs().refused()).isEqualTo(1);
      assertThat(status.actions().begun()).isEqualTo(3);
      assertThat(status.journal().orElseThrow().bytes()).isPositive();
      assertThat(status.journal().orElseThrow().forces()).isPositive();
      assertThat(status.journal().orElseThrow().forceTime()).isPositive();
      assertThat(status.journal().orElseThrow().longestForce())
          .isPositive()
          .isLessThanOrEqualTo(status.journal().orElseThrow().forceTime());
    }
  }

  @Test
  void fulfilmentIsTheShareAtOrAboveTheObjective() throws Exception {
    AtomicLong clock = new AtomicLong(1);
    try (SchedulerLoop loop = machines.loop().clock(clock::get).start()) {
      loop.addHost(host("h1", 1)).join();
      loop.submit(request("g1", "gold", 1)).join();
      loop.apply(new Event.StartedNow("g1")).join();
      loop.submit(request("g2", "gold", 1)).join();
      loop.submit(request("b1", "bronze", 1)).join();
      clock.addAndGet(1000);
      LoopStatus status = fresh(loop);

      assertThat(status.fulfilment()).isEqualTo(Map.of("gold", 0.5, "bronze", 0.0));
      assertThat(status.longestWait()).contains(Duration.ofNanos(1000));
    }
  }

  @Test
  void waitsForTheFirstPlacementAreAHistogram() throws Exception {
    AtomicLong clock = new AtomicLong(1);
    try (SchedulerLoop loop = machines.loop().clock(clock::get).start()) {
      loop.submit(request("b1", "bronze", 1)).join();
      loop.submit(request("b2", "bronze", 1)).join();
      clock.addAndGet(Duration.ofSeconds(10).toNanos());
      loop.addHost(host("h1", 1)).join();
      clock.addAndGet(Duration.ofSeconds(50).toNanos() + 1);
      loop.addHost(host("h2", 1)).join();
      loop.submit(request("g1", "gold", 1)).join(); // the victim is placed again, and not counted
      loop.addHost(host("h3", 1)).join();
      LoopStatus.Waits bronze = fresh(loop).passes().firstWaits().get("bronze");
      LoopStatus.Waits gold = fresh(loop).passes().firstWaits().get("gold");

      assertThat(bronze.count()).isEqualTo(2);
      assertThat(bronze.total()).isEqualTo(Duration.ofSeconds(70).plusNanos(1));
      assertThat(bronze.within().values()).containsExactly(0L, 0L, 1L, 1L, 2L, 2L, 2L, 2L, 2L);
      assertThat(bronze.within().keySet()).containsExactlyElementsOf(LoopStatus.Waits.BOUNDS);
      assertThat(gold.within().values()).containsOnly(1L);
    }
  }

  @Test
  void aSumOfWaitsMayBeMoreThanALongHasOfNanoseconds() throws Exception {
    AtomicLong clock = new AtomicLong(1);
    try (SchedulerLoop loop = machines.loop().clock(clock::get).start()) {
      for (int i = 0; i < 3; i++) {
        loop.submit(request("b" + i, "bronze", 1)).join();
      }
      clock.addAndGet(Duration.ofDays(36_500).toNanos());
      loop.addHost(host("h1", 3)).join();
      LoopStatus status = fresh(loop);

      assertThat(status.passes().firstWaits().get("bronze").total())
          .isEqualTo(Duration.ofDays(3 * 36_500));
      assertThat(StatusJson.of(status)).contains("\"seconds\" : 9.4608E9");
    }
  }

  @Test
  void countsActionsUnderWay() throws Exception {
    machines.answers = false;
    try (SchedulerLoop loop = machines.loop().start()) {
      loop.addHost(host("h1", 2)).join();
      loop.submit(request("g1", "gold", 1)).join();
      loop.submit(request("g2", "gold", 1)).join();
      LoopStatus status = fresh(loop);

      assertThat(status.actions().open()).isEqualTo(2);
      assertThat(status.actions().underWay()).isEqualTo(2);
    }
  }

  @Test
  void countsDifferencesWithTheFleet() throws Exception {
    synchronized (machines) {
      machines.hosts.add(new ObservedHost(host("h1", 2)));
      machines.hosts.add(new ObservedHost(host("h2", 2)));
    }
    try (SchedulerLoop loop = machines.loop().start()) {
      assertThat(loop.reconcile().join().differences()).hasSize(2);
      LoopStatus status = fresh(loop);

      assertThat(status.reconciliations().count()).isEqualTo(1);
      assertThat(status.reconciliations().differences()).isEqualTo(2);
    }
  }

  @Test
  void keepsTheLatestPasses() throws Exception {
    try (SchedulerLoop loop = machines.loop().start()) {
      for (int i = 0; i < 25; i++) {
        loop.addHost(host("h" + i, 1)).join();
      }
      List<LoopStatus.Pass> latest = fresh(loop).passes().latest();

      assertThat(latest).hasSize(20);
      assertThat(latest.get(0).number()).isEqualTo(latest.get(19).number() + 19);
    }
  }

  @Test
  void isKeptForASecond() throws Exception {
    AtomicLong nanoTime = new AtomicLong();
    AtomicInteger nudges = new AtomicInteger();
    try (SchedulerLoop loop = machines.loop().start()) {
      LoopStatus first = loop.status();
      StatusBoard board = new StatusBoard(first, nudges::incrementAndGet, nanoTime::get);
      nanoTime.set(TimeUnit.SECONDS.toNanos(1) - 1);

      assertThat(board.fresh()).isSameAs(first);
      assertThat(nudges).hasValue(0);
      nanoTime.incrementAndGet();
      CompletableFuture<LoopStatus> reader = CompletableFuture.supplyAsync(board::fresh);
      StatusMachines.await(board::isAsked);
      LoopStatus second = fresh(loop);
      board.publish(second);

      assertThat(reader.join()).isSameAs(second);
      assertThat(nudges).hasValue(1);
    }
  }

  /** Once a loop has not answered for 0.2 s, no reader waits for it. */
  @Test
  void aBusyLoopDelaysItsReaderLittle() throws Exception {
    AtomicLong nanoTime = new AtomicLong();
    try (SchedulerLoop loop = machines.loop().start()) {
      LoopStatus before = loop.status();
      StatusBoard board = // time passes while its reader waits
          new StatusBoard(
              before, () -> {}, () -> nanoTime.addAndGet(TimeUnit.MILLISECONDS.toNanos(90)));
      nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));

      assertThat(board.fresh()).isSameAs(before);
      long asked = nanoTime.get();
      assertThat(board.fresh()).isSameAs(before);
      assertThat(nanoTime.get() - asked).isEqualTo(TimeUnit.MILLISECONDS.toNanos(180));
      assertThat(board.unanswered()).isPositive();
      board.publish(fresh(loop));

      assertThat(board.unanswered()).isZero();
      assertThat(board.fresh()).isNotSameAs(before);
    }
  }

  @Test
  void theThreadOfTheLoopDoesNotWaitForItself() throws Exception {
    try (SchedulerLoop loop = machines.loop().start()) {
      Thread.sleep(1100); // the status is older than a second
      long unanswered =
          loop.ask(
                  scheduler -> {
                    assertThat(loop.status()).isNotNull();
                    return loop.unanswered();
                  })
              .join();

      assertThat(unanswered).as("the loop has asked itself").isZero();
    }
  }

  @Test
  void saysHowTheLoopEnded() throws Exception {
    SchedulerLoop loop = machines.loop().start();
    loop.addHost(host("h1", 1)).join();
    loop.close();

    assertThat(loop.status().phase()).isEqualTo(LoopStatus.Phase.STOPPED);
    assertThat(loop.status().hosts()).isEqualTo(Map.of("open", 1));
    assertThat(loop.status().failure()).isEmpty();
  }

  @Test
  void saysWhyTheLoopFailed(@TempDir Path directory) throws Exception {
    FileJournal disk = FileJournal.open(directory);
    AtomicBoolean isFull = new AtomicBoolean();
    Journal journal =
        (Journal)
            Proxy.newProxyInstance(
                Journal.class.getClassLoader(),
                new Class<?>[] {Journal.class},
                (proxy, method, arguments) -> {
                  if (isFull.get() && method.getName().equals("force")) {
                    throw new IOException("the disk is full");
                  }
                  return method.invoke(disk, arguments);
                });
    try (SchedulerLoop loop = machines.loop().journal(journal).start()) {
      loop.addHost(host("h1", 1)).join();
      isFull.set(true);
      loop.addHost(host("h2", 1)).exceptionally(failed -> null);
      StatusMachines.await(() -> loop.status().phase() == LoopStatus.Phase.FAILED);

      assertThat(loop.status().failure().orElseThrow()).isEqualTo("the disk is full");
    }
  }
}
