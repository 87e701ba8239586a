package dev.berth.core;

import static dev.berth.core.Plans.instances;
import static dev.berth.core.TestParts.queueBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.pipeline.QueueOrder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The queue of a pipeline: default order, keys, tiers and ties. */
class PipelineQueueTest {

  private static final Map<String, Long> NO_VALUES = Map.of();

  @Test
  void ordersByAdmissionByDefault() {
    Cluster cluster = Cluster.of(parts -> parts).host("h1", 9);
    cluster.at(1).pending("c", "bronze", 1).at(2).pending("a", 1).at(3).pending("b", 1);

    assertThat(instances(cluster.pass())).containsExactly("c", "a", "b");
  }

  @Test
  void ordersByKeyAscending() {
    Cluster cluster =
        Cluster.of(parts -> parts.queue(queueBy(Map.of("a", 5L, "b", -7L, "c", 0L)))).host("h1", 9);
    cluster.pending("a", 1).pending("b", 1).pending("c", 1);

    assertThat(instances(cluster.pass())).containsExactly("b", "c", "a");
  }

  @Test
  void ordersByTierBeforeKey() {
    class BronzeFirst implements QueueOrder {
      @Override
      public long key(Instance pending) {
        return pending.id().equals("a") ? -100 : 0;
      }

      @Override
      public int tier(Instance pending, long now) {
        return -pending.serviceClass().importance();
      }
    }
    Cluster cluster = Cluster.of(parts -> parts.queue(new BronzeFirst())).host("h1", 9);
    cluster.pending("a", "gold", 1).pending("b", "bronze", 1).pending("c", "silver", 1);

    assertThat(instances(cluster.pass())).containsExactly("b", "c", "a");
  }

  @Test
  void breaksTiesByImportanceThenAdmissionThenId() {
    Cluster cluster = Cluster.of(parts -> parts.queue(queueBy(NO_VALUES))).host("h1", 9);
    cluster.at(1).pending("a", "bronze", 1).pending("z", "silver", 1);
    cluster.at(2).pending("y", "gold", 1).pending("x", "gold", 1).pending("b", "silver", 1);
    cluster.at(3).pending("c", "gold", 1);

    assertThat(instances(cluster.pass())).containsExactly("x", "y", "c", "z", "b", "a");
  }

  @Test
  void placesLaterRequestIfEarlierDoesNotFit() {
    Cluster cluster = Cluster.of(parts -> parts).host("h1", 2);
    cluster.pending("large", 3).pending("small", 1);

    assertThat(instances(cluster.pass())).containsExactly("small");
    assertThat(cluster.instance("large").state()).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void readsTheKeyAtEachStateChange() {
    QueueOrder longestServedLast = instance -> instance.serviceTime(instance.stateSince());
    Cluster cluster = Cluster.of(parts -> parts.queue(longestServedLast)).host("h1", 3);
    cluster.running("b", 1, "h1").running("a", 1, "h1");
    cluster.at(10).failed("a").at(20).failed("b").pending("c", 1);

    assertThat(instances(cluster.pass())).containsExactly("c", "a", "b");
  }

  @Test
  void readsTheKeyAfterHostLoss() {
    QueueOrder longestServedLast = instance -> instance.serviceTime(instance.stateSince());
    Cluster cluster = Cluster.of(parts -> parts.queue(longestServedLast));
    cluster.host("h1", 1).pending("a", 1).pass();
    cluster.started("a").host("h2", 1).pending("b", 1).pass();
    cluster.started("b");
    cluster.at(10).removed("h2").at(20).removed("h1").pending("c", 1).host("h3", 3);

    assertThat(instances(cluster.pass())).containsExactly("c", "b", "a");
  }
}
