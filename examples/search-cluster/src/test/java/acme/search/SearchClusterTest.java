package acme.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.plan.Action;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Where copies are, and what moves when disks fill up and hosts fail. */
class SearchClusterTest {

  private static final int HOSTS = 12;
  private static final int SHARDS = 300;
  private static final String FULL = "h0001";

  private final Scenario scenario =
      Scenario.of(HOSTS, SHARDS, 60); // so that a zone can lose a host
  private final Story story = new Story(scenario, new SearchCluster(Story.MOST_MOVES));

  private Story.Step allocateAll() {
    Story.Step step = story.step();
    assertThat(story.allocation().missing()).isEmpty();
    return step;
  }

  private Map<String, String> hosts() {
    return new HashMap<>(story.cluster.allocation());
  }

  private static Set<String> instances(List<Action.Place> placed) {
    Set<String> instances = new HashSet<>();
    placed.forEach(each -> instances.add(each.instance()));
    return instances;
  }

  @Nested
  class FirstAllocation {

    @Test
    void placesEachCopy() {
      assertThat(allocateAll().placed()).hasSize(SHARDS * Shard.COPIES);
      assertThat(story.cluster.pending()).isZero();
    }

    @Test
    void keepsRules() {
      allocateAll();
      assertThat(story.allocation().breaches()).isEmpty();
    }

    @Test
    void hasOneCopyOfEachShardInEachZone() {
      allocateAll();
      assertThat(story.allocation().copiesByZone())
          .containsOnlyKeys(Scenario.ZONES)
          .allSatisfy((zone, copies) -> assertThat(copies).isEqualTo(SHARDS));
    }

    @Test
    void isAsEvenAsGreedyAtFullSize() {
      Scenario full = Scenario.of(200, 10_000);
      Story berth = new Story(full, new SearchCluster(Story.MOST_MOVES));
      berth.decide();
      PlainGreedy greedy = new PlainGreedy();
      full.hosts().forEach(host -> greedy.add(host, Mark.NONE));
      full.shards().forEach(greedy::allocate);

      Allocation ours = berth.allocation();
      Allocation theirs = Allocation.of(full.hosts(), full.shards(), greedy.allocation());
      assertThat(ours.missing()).isEmpty();
      assertThat(theirs.missing()).isEmpty();
      assertThat(ours.breaches()).isEmpty();
      assertThat(theirs.breaches()).isEmpty();
      assertThat(ours.fullest()).isLessThanOrEqualTo(theirs.fullest());
      assertThat(ours.leastFull()).isGreaterThanOrEqualTo(theirs.leastFull());
    }

    @Test
    void isAsEvenAsGreedyPolicy() {
      allocateAll();
      Story greedy = new Story(scenario, SearchCluster.greedy(Story.MOST_MOVES));
      greedy.decide();
      assertThat(greedy.allocation().missing()).isEmpty();
      assertThat(greedy.allocation().breaches()).isEmpty();
      assertThat(story.allocation().fullest()).isLessThanOrEqualTo(greedy.allocation().fullest());
      assertThat(story.allocation().leastFull())
          .isGreaterThanOrEqualTo(greedy.allocation().leastFull());
    }

    @Test
    void fillsDisksEvenly() {
      allocateAll();
      double spread = story.allocation().fullest() - story.allocation().leastFull();
      assertThat(spread).isLessThan(50.0 / scenario.hosts().get(0).gigabytes());
    }

    @Test
    void isTheSameEachTime() {
      allocateAll();
      Story again = new Story(scenario, new SearchCluster(Story.MOST_MOVES));
      again.step();
      assertThat(again.cluster.allocation()).isEqualTo(story.cluster.allocation());
    }

    @Test
    void nothingMovesLater() {
      allocateAll();
      story.pass(Duration.ofHours(1));
      assertThat(story.step()).isEqualTo(new Story.Step(List.of(), List.of()));
    }
  }

  @Nested
  class DiskWatermarks {

    @Test
    void fillingDiskGetsCopiesOnlyIfOthersAreFull() {
      Story roomy = new Story(Scenario.of(HOSTS, SHARDS, 40), new SearchCluster(Story.MOST_MOVES));
      roomy.fill(FULL, 80);
      roomy.step();
      assertThat(roomy.cluster.mark(FULL)).isEqualTo(Mark.FILLING);
      assertThat(roomy.allocation().missing()).isEmpty();
      assertThat(roomy.cluster.allocated(FULL)).isZero();
      roomy.fail("h0004");
      roomy.fail("h0007"); // of the same zone, which has one more
      roomy.step();
      assertThat(roomy.cluster.allocated(FULL)).isPositive();
    }

    @Test
    void lowWatermarkKeepsNewCopiesAway() {
      allocateAll();
      long before = story.cluster.allocated(FULL);
      story.fill(FULL, 86);
      story.fail("h0004");
      assertThat(story.step().placed()).extracting(Action.Place::host).doesNotContain(FULL);
      assertThat(story.cluster.mark(FULL)).isEqualTo(Mark.LOW);
      assertThat(story.cluster.allocated(FULL)).isEqualTo(before);
    }

    @Test
    void nothingLeavesBeforeTheGraceIsOver() {
      allocateAll();
      story.fill(FULL, 95);
      assertThat(story.step().evicted()).isEmpty();
      story.pass(Mark.GRACE.minusNanos(1));
      assertThat(story.step().evicted()).isEmpty();
    }

    @Test
    void fewCopiesAtATimeLeaveUntilTheDiskIsBelowLow() {
      allocateAll();
      story.fill(FULL, 95);
      story.step();
      story.pass(Mark.GRACE);
      int moved = 0;
      while (story.cluster.mark(FULL) == Mark.HIGH) {
        Story.Step step = story.step();
        assertThat(step.evicted()).hasSizeBetween(1, Story.MOST_MOVES);
        assertThat(step.evicted()).extracting(Action.Evict::host).containsOnly(FULL);
        assertThat(step.placed()).extracting(Action.Place::host).doesNotContain(FULL);
        assertThat(story.allocation().missing()).isEmpty();
        assertThat(story.allocation().breaches()).isEmpty();
        moved += step.evicted().size();
        story.pass(Duration.ofSeconds(1));
      }
      assertThat(moved).isPositive().isLessThan(SHARDS / 4);
      assertThat(story.cluster.permits()).isZero();
      assertThat(story.step().evicted()).isEmpty();
    }

    @Test
    void furtherCopiesWaitUntilEarlierOnesAreUp() {
      allocateAll();
      story.fill(FULL, 95);
      story.step();
      story.pass(Mark.GRACE);
      Story.Step first = story.decide();
      assertThat(first.evicted()).hasSize(Story.MOST_MOVES);
      story.pass(Duration.ofHours(1));
      assertThat(story.decide().evicted()).isEmpty(); // the copies have not recovered yet
      assertThat(story.cluster.permits()).isEqualTo(Story.MOST_MOVES);
    }

    @Test
    void copyStaysWhileAnotherOfItsShardIsDown() {
      allocateAll();
      story.fill(FULL, 95);
      story.step();
      story.fail("h0000"); // of another zone
      story.fail("h0002");
      Set<String> down = new HashSet<>();
      story.decide().placed().forEach(each -> down.add(Shard.of(each.instance())));
      story.pass(Mark.GRACE); // the copies of the lost hosts recover slowly
      assertThat(story.decide().evicted())
          .extracting(each -> Shard.of(each.instance()))
          .doesNotContainAnyElementsOf(down);
      assertThat(down).isNotEmpty();
    }

    @Test
    void permitsAreWithdrawnIfTheDiskIsEmptiedOtherwise() {
      allocateAll();
      story.fill(FULL, 95);
      story.step();
      assertThat(story.cluster.permits()).isEqualTo(Story.MOST_MOVES);
      story.fill(FULL, 70);
      assertThat(story.cluster.mark(FULL)).isEqualTo(Mark.NONE);
      assertThat(story.cluster.permits()).isZero();
      story.pass(Mark.GRACE);
      assertThat(story.step()).isEqualTo(new Story.Step(List.of(), List.of()));
    }

    @Test
    void diskThatWasHighStaysSoUntilItIsBelowLow() {
      allocateAll();
      story.fill(FULL, 91);
      story.fill(FULL, 86);
      assertThat(story.cluster.mark(FULL)).isEqualTo(Mark.HIGH);
      story.fill(FULL, 84);
      assertThat(story.cluster.mark(FULL)).isEqualTo(Mark.FILLING);
    }
  }

  @Nested
  class Failures {

    @Test
    void copiesOfALostHostArePlacedAgainWithinTheRules() {
      allocateAll();
      Map<String, String> before = hosts();
      story.fail(FULL);
      Story.Step step = story.step();
      Set<String> lost = new HashSet<>(before.keySet());
      lost.removeIf(copy -> !before.get(copy).equals(FULL));
      assertThat(instances(step.placed())).isEqualTo(lost);
      assertThat(step.evicted()).isEmpty();
      assertThat(story.allocation().missing()).isEmpty();
      assertThat(story.allocation().breaches()).isEmpty();
    }

    @Test
    void otherZonesDoNotTakeTheCopiesOfALostZone() {
      allocateAll();
      story.failZone("zone-b");
      assertThat(story.step()).isEqualTo(new Story.Step(List.of(), List.of()));
      assertThat(story.allocation().missing()).hasSize(SHARDS);
      assertThat(story.allocation().breaches()).isEmpty();
    }

    @Test
    void explanationNamesTheZone() {
      allocateAll();
      story.failZone("zone-b");
      story.step();
      String waiting = story.allocation().missing().get(0);
      assertThat(story.cluster.whyPending(waiting, story.now())).contains("zone-b has 0");
    }

    @Test
    void missingCopiesComeToAZoneThatReturns() {
      allocateAll();
      Map<String, String> before = hosts();
      story.failZone("zone-b");
      story.step();
      Map<String, String> others = hosts();
      Set<String> missing = new HashSet<>(story.allocation().missing());

      story.bringBack("zone-b");
      Story.Step step = story.step();
      assertThat(instances(step.placed())).isEqualTo(missing);
      assertThat(step.evicted()).isEmpty();
      assertThat(story.allocation().missing()).isEmpty();
      assertThat(story.allocation().breaches()).isEmpty();
      assertThat(hosts()).hasSameSizeAs(before).containsAllEntriesOf(others); // no other has moved
    }

    @Test
    void othersTakeTheCopiesOfAZoneThatIsGivenUpIfDisksSuffice() {
      Scenario roomy = Scenario.of(HOSTS, SHARDS, 40);
      Story small = new Story(roomy, new SearchCluster(Story.MOST_MOVES));
      small.step();
      small.failZone("zone-b");
      small.step();
      small.cluster.giveUpZone("zone-b", small.now());
      assertThat(small.step().placed()).hasSize(SHARDS);
      assertThat(small.allocation().missing()).isEmpty();
      Map<String, Set<String>> hostsOfShards = new HashMap<>();
      small
          .cluster
          .allocation()
          .forEach(
              (copy, host) ->
                  hostsOfShards.computeIfAbsent(Shard.of(copy), any -> new HashSet<>()).add(host));
      assertThat(hostsOfShards.values()).allSatisfy(each -> assertThat(each).hasSize(Shard.COPIES));
    }
  }
}
