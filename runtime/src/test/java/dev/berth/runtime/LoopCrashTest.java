package dev.berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A loop that crashes at each write and each force goes on as if it had not, with a fleet that
 * misbehaves. {@code -Dberth.loop.seeds=1000} runs more seeds, {@code -Dberth.loop.stride=1} lets
 * more writes crash.
 */
class LoopCrashTest {

  private static final int SEEDS = Integer.getInteger("berth.loop.seeds", 60);

  /** How many operations of the disk lie between two that crash. */
  private static final int STRIDE = Integer.getInteger("berth.loop.stride", 7);

  @Test
  void nothingIsLostWhereverItCrashes() throws IOException {
    long crashes = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      crashes += crashEverywhere(seed, STRIDE);
    }
    assertThat(crashes).isGreaterThan(SEEDS);
  }

  /** Runs a world without a crash, then one for each operation to crash at; returns the crashes. */
  static long crashEverywhere(long seed, int stride) throws IOException {
    LoopWorld reference = new LoopWorld(seed, Map.of());
    run(reference, "seed " + seed + ", no crash");
    long operations = reference.disk.operations();
    long crashes = 0;
    for (long k = 1 + seed % stride; k <= operations; k += stride) {
      LoopWorld world = new LoopWorld(seed, reference.marks);
      world.disk.crashAt(k);
      run(world, "seed " + seed + ", crash at operation " + k);
      assertThat(world.crashes()).isPositive();
      crashes += world.crashes();
    }
    return crashes;
  }

  private static void run(LoopWorld world, String as) throws IOException {
    try {
      world.start();
      world.run();
    } catch (IOException | RuntimeException | AssertionError failed) {
      throw new AssertionError(as + ": " + world, failed);
    }
  }
}
