package dev.berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.Scheduler;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * A recorded journal is replayed with the same digests, or the first pass that differs is named.
 */
class ReplayTest {

  private static LoopWorld recorded(long seed) throws IOException {
    LoopWorld world = new LoopWorld(seed, Map.of());
    world.start();
    world.run();
    return world;
  }

  private static Replayer replay(List<byte[]> records, Supplier<Scheduler.Builder> maker) {
    Replayer replayer =
        new Replayer(settings -> maker.get(), new ActionQueue(8), new Replay.Listener() {});
    for (int i = 0; i < records.size(); i++) {
      replayer.apply(i + 1, EntryFormat.read(records.get(i)));
    }
    return replayer;
  }

  @Test
  void aWholeJournalGivesTheSameDigests() throws IOException {
    for (long seed = 0; seed < 60; seed++) {
      LoopWorld world = recorded(seed);
      long same = seed;

      Replayer replayer = replay(world.records, () -> LoopWorld.scheduler(same));

      assertThat(replayer.passes()).isEqualTo(world.engine().scheduler().passes());
      assertThat(replayer.scheduler().digest()).isEqualTo(world.engine().scheduler().digest());
    }
  }

  @Test
  void theFirstPassThatDiffersIsNamed() throws IOException {
    int differing = 0;
    for (long seed = 1; seed < 60; seed += 3) { // those of the policy Pushy
      LoopWorld world = recorded(seed);
      long same = seed;
      try {
        replay(
            world.records,
            () ->
                LoopWorld.scheduler(same)
                    .policy("pushy", context -> new SmallPolicies.Pushy(true)));
      } catch (ReplayMismatchException mismatch) {
        differing++;
        assertThat(mismatch).hasMessageContaining("plan differs");
      }
    }
    assertThat(differing).isGreaterThan(10);
  }

  @Test
  void anotherLimitIsNamedAtItsFirstPass() throws IOException {
    LoopWorld world = recorded(3);
    long first =
        world.records.stream()
            .map(EntryFormat::read)
            .filter(Entry.Passed.class::isInstance)
            .map(Entry.Passed.class::cast)
            .findFirst()
            .orElseThrow()
            .pass();

    assertThatThrownBy(
            () -> replay(world.records, () -> LoopWorld.scheduler(3).maxPlacements(1).seed(4)))
        .isInstanceOf(ReplayMismatchException.class)
        .hasMessageContaining("pass " + first);
  }
}
