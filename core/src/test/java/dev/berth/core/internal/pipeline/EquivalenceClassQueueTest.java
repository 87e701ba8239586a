package dev.berth.core.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagSpec;
import dev.berth.core.internal.cluster.ClassRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.search.EquivalenceClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EquivalenceClassQueueTest {

  private static final ClassRecord GOLD =
      ClassRecord.rank(List.of(ServiceClass.builder("gold").build())).get("gold");
  private static final int KEPT = 256; // classes, even if none has a request

  private final EquivalenceClassQueue queue =
      new EquivalenceClassQueue(
          Comparator.<InstanceRecord>comparingLong(each -> each.queueKey())
              .thenComparing(InstanceRecord::id));

  /** Once a class is out of order, it stays so until it is empty: it is not worth a search. */
  @Property(tries = 200)
  void knowsWhetherQueueOrderIsOrderOfValue(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int values) {
    SplittableRandom random = new SplittableRandom(seed);
    List<InstanceRecord> present = new ArrayList<>();
    boolean expected = true;
    for (int step = 0; step < 12; step++) {
      if (!present.isEmpty() && random.nextInt(3) == 0) {
        queue.remove(present.remove(random.nextInt(present.size())));
      } else {
        long queueKey = random.nextInt(10);
        boolean follows = random.nextInt(6) > 0;
        long victimKey = follows ? queueKey * values / 10 : random.nextInt(values);
        InstanceRecord instance = request("r" + step, 1, queueKey, victimKey);
        present.add(instance);
        queue.add(instance);
      }
      expected = (expected || present.isEmpty()) && isInOrderOfValue(present);
      assertThat(queue.waiting()).hasSize(present.isEmpty() ? 0 : 1);
      if (!present.isEmpty()) {
        assertThat(classOf(present.get(0)).inOrderOfValue()).isEqualTo(expected);
      }
    }
    present.forEach(queue::remove);
  }

  private static boolean isInOrderOfValue(List<InstanceRecord> present) {
    List<Long> values =
        present.stream()
            .sorted(
                Comparator.<InstanceRecord>comparingLong(each -> each.queueKey())
                    .thenComparing(InstanceRecord::id))
            .map(each -> each.victimKey())
            .toList();
    return values.equals(values.stream().sorted().toList());
  }

  @Test
  void refusesToRemoveARequestThatIsNotInItsPlace() {
    InstanceRecord request = request("a", 1, 5, 0);
    queue.add(request);
    queue.remove(request);

    assertThatIllegalStateException()
        .isThrownBy(() -> queue.remove(request))
        .withMessageContaining("instance a")
        .withMessageContaining("is not in its place in the queue");
  }

  @Test
  void alikeRequestsShareAClassExceptMembersOfABag() {
    InstanceRecord first = added("first", 1);
    InstanceRecord alike = added("alike", 1);
    InstanceRecord larger = added("larger", 2);
    InstanceRecord member = member("member", 1);
    queue.add(member);

    assertThat(classOf(alike)).isSameAs(classOf(first));
    assertThat(classOf(larger)).isNotSameAs(classOf(first));
    assertThat(classOf(member)).isNotSameAs(classOf(first));
  }

  /** A class without requests keeps what it knows, in case an alike request comes. */
  @Test
  void keepsAsManyIdleClassesAsItMay() {
    EquivalenceClass oldest = idle(1);
    IntStream.range(2, KEPT + 1).forEach(this::idle);

    InstanceRecord back = added("back", 1);

    assertThat(classOf(back)).isSameAs(oldest);
  }

  @Test
  void forgetsIdleClassesOnceTheyAreTooMany() {
    EquivalenceClass oldest = idle(1);
    IntStream.range(2, KEPT + 2).forEach(this::idle);

    InstanceRecord back = added("back", 1);

    assertThat(classOf(back)).isNotSameAs(oldest);
  }

  /** Two classes may be idle for each that waits. */
  @Test
  void keepsMoreIdleClassesIfMoreWait() {
    InstanceRecord waits = added("waits", KEPT + 10);
    EquivalenceClass oldest = idle(1);
    IntStream.range(2, KEPT + 2).forEach(this::idle);
    assertThat(classOf(added("back", 1))).isSameAs(oldest);
    queue.remove(waits);
    queue.add(waits);

    IntStream.range(KEPT + 20, KEPT + 40).forEach(this::idle);

    assertThat(classOf(added("also back", 1))).isSameAs(oldest);
    assertThat(classOf(added("also waits", KEPT + 10))).isSameAs(classOf(waits));
  }

  /** The class of the request that is about to enter the queue is not idle. */
  @Test
  void keepsTheClassOfARequestThatIsJustComing() {
    IntStream.range(1, KEPT + 1).forEach(this::idle);
    InstanceRecord newest = added("newest", KEPT + 1); // one class too many

    assertThat(classOf(added("alike", KEPT + 1))).isSameAs(classOf(newest));
  }

  /** Adds and removes a request of a demand; returns its class. */
  private EquivalenceClass idle(int demand) {
    InstanceRecord request = added("idle" + demand, demand);
    queue.remove(request);
    return classOf(request);
  }

  private InstanceRecord added(String id, int demand) {
    InstanceRecord request = request(id, demand, 0, 0);
    queue.add(request);
    return request;
  }

  private static EquivalenceClass classOf(InstanceRecord instance) {
    return (EquivalenceClass) instance.queueEntry();
  }

  private static InstanceRecord request(String id, int demand, long queueKey, long victimKey) {
    InstanceRecord request = request(id, demand, null);
    request.nextWait(queueKey, 0);
    request.nextVictimKey(victimKey);
    request.takeKeys();
    return request;
  }

  private static InstanceRecord member(String id, int demand) {
    Request task = request(id, demand, null).request;
    return request(id, demand, new BagRecord(new BagSpec("bag", List.of(task)), 0, 0));
  }

  private static InstanceRecord request(String id, int demand, @Nullable BagRecord bag) {
    return new InstanceRecord(
        Request.builder(id, "gold").demand(Resources.of(Dimension.CPU, demand)).build(),
        GOLD,
        new long[] {demand},
        null,
        null,
        bag,
        null,
        0,
        0,
        0);
  }
}
