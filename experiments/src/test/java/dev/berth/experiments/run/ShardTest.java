package dev.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import dev.berth.experiments.Trials;
import dev.berth.experiments.store.CellStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardTest {

  private static final int CELLS = 3_000;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 100})
  void shardsAreDisjointAndEven(int count) {
    int[] sizes = new int[count];
    for (int i = 0; i < CELLS; i++) {
      String key = Hashing.sha256().hashString("cell " + i, StandardCharsets.UTF_8).toString();
      List<Integer> holders =
          IntStream.rangeClosed(1, count)
              .filter(each -> new Shard(each, count).includes(key))
              .boxed()
              .toList();
      assertThat(holders).hasSize(1);
      sizes[holders.get(0) - 1]++;
    }
    double mean = (double) CELLS / count;
    double spread = Math.sqrt(mean); // of a binomial distribution, at most
    for (int size : sizes) {
      assertThat((double) size).isBetween(mean - 4 * spread, mean + 4 * spread);
    }
  }

  @Test
  void aCellStaysInItsShardWhenOthersAreAdded() throws IOException {
    Trials.writeFiles(folder);
    Experiment small = Trials.onFiles(folder, ",'seeds':[1,2],'until':'15m'");
    Experiment large = Trials.onFiles(folder, ",'seeds':[3,2,1],'scales':[1,0.5],'until':'15m'");
    try (CellStore store = CellStore.open(folder.resolve("cells"))) {
      ExperimentRunner runner = new ExperimentRunner(store, 1, ExperimentRunner.Listener.NONE);
      List<String> all = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        List<String> before = places(runner.run(small, new Shard(i, 3)));
        List<String> after = places(runner.run(large, new Shard(i, 3)));
        assertThat(after).containsAll(before);
        all.addAll(before);
      }
      assertThat(all).doesNotHaveDuplicates();
      assertThat(all).containsExactlyInAnyOrderElementsOf(places(runner.run(small)));
    }
  }

  /** Returns where the results are stored. */
  private static List<String> places(List<CellResult> results) {
    return results.stream().map(each -> each.stored().orElseThrow().toString()).distinct().toList();
  }

  @ParameterizedTest
  @CsvSource({"0, 4", "5, 4", "1, 0", "-1, -1"})
  void refusesNumbersOutOfRange(int number, int count) {
    assertThatThrownBy(() -> new Shard(number, count))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shard was %s of %s, must be 1 to the count.", number, count);
  }
}
