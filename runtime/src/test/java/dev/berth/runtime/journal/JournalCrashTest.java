package dev.berth.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.test.TestRun;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What was forced is there after a crash, wherever it happens. */
class JournalCrashTest {

  private static final long FIRST = TestRun.seed() - 1;
  private static final long END = FIRST + TestRun.cases(1000);

  @Test
  void whatWasForcedIsThereAfterACrashAtEachOperation() throws IOException {
    for (long seed = FIRST; seed < END; seed++) {
      long operations = operations(seed);
      for (long k = 1; k <= operations; k++) {
        String where = "seed " + seed + ", crash at operation " + k;
        try {
          crashAndRecover(seed, k);
        } catch (IOException | RuntimeException | AssertionError failed) {
          throw new AssertionError(where, failed);
        }
      }
    }
  }

  private static int steps(long seed) {
    return 3 + (int) (seed % 10);
  }

  private static long operations(long seed) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(seed);
    new History(seed, disk).run(steps(seed));
    return disk.operations();
  }

  private static void crashAndRecover(long seed, long k) throws IOException {
    Random random = new Random(seed * 31 + k);
    SimulatedDisk disk = new SimulatedDisk(seed);
    History history = new History(seed, disk);
    disk.crashAt(k);
    assertThat(catchThrowable(() -> history.run(steps(seed))))
        .isInstanceOf(SimulatedDisk.Crash.class);
    boolean lostPower = end(disk, random);
    if (random.nextInt(3) == 0) { // the recovery crashes too
      disk.crashAt(1 + random.nextInt(10));
      Throwable crash = catchThrowable(() -> disk.openJournal(history.options()));
      assertThat(crash == null || crash instanceof SimulatedDisk.Crash).isTrue();
      lostPower |= end(disk, random);
    }
    history.recover(lostPower);
    end(disk, random);
    history.recover(true);
    history.append(Records.random(random, 60));
    history.force();
    end(disk, random);
    history.recover(true);
  }

  private static boolean end(SimulatedDisk disk, Random random) {
    boolean losesPower = random.nextInt(3) > 0;
    if (losesPower) {
      disk.failPower();
    } else {
      disk.kill();
    }
    return losesPower;
  }

  @Test
  void aFailedForceMakesTheJournalUnusableAndNothingForcedIsLost() throws IOException {
    for (long seed = FIRST; seed < END; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      History history = new History(seed, disk);
      Random random = new Random(seed);
      history.open();
      disk.failForceAt(1 + random.nextInt(6));
      Throwable failure =
          catchThrowable(
              () -> {
                for (int i = 0; i < 50; i++) {
                  history.append(Records.random(random, 60));
                  if (random.nextInt(3) == 0) {
                    history.force();
                  }
                }
              });
      if (failure != null) {
        assertThat(failure).isInstanceOf(IOException.class).hasMessageContaining("simulated");
        assertThatThrownBy(() -> history.journal().append(new byte[1]))
            .isInstanceOf(JournalFailedException.class)
            .hasCause(failure);
        assertThatThrownBy(() -> history.journal().force())
            .isInstanceOf(JournalFailedException.class)
            .hasCause(failure);
        history.journal().close();
      }
      // The process starts again, and the operating system takes the records as written.
      disk.kill();
      history.recover(false);
      disk.failPower();
      history.recover(true);
    }
  }

  @Test
  void aFullDiskLosesNothingForced() throws IOException {
    for (long seed = FIRST; seed < END; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      History history = new History(seed, disk);
      disk.limitTo(200 + 7 * seed % 3000);
      Throwable failure = catchThrowable(() -> history.run(200));
      assertThat(failure).as("seed %s", seed).isInstanceOf(IOException.class);
      disk.breakLock();
      Throwable again = catchThrowable(() -> disk.openJournal(history.options()));
      assertThat(again == null || again.getClass() == IOException.class)
          .as("seed %s: %s", seed, again)
          .isTrue();
      if (seed % 2 == 0) {
        disk.failPower();
      } else {
        disk.kill();
      }
      disk.limitTo(Long.MAX_VALUE);
      try {
        history.recover(seed % 2 == 0);
      } catch (IOException | AssertionError failed) {
        throw new AssertionError("seed " + seed, failed);
      }
    }
  }
}
