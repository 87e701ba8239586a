package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.internal.cluster.ClassRecord;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class VictimListTest {

  private static final ClassRecord GOLD =
      ClassRecord.rank(List.of(ServiceClass.builder("gold").build())).get("gold");
  private static final HostRecord HOST =
      new HostRecord(new HostSpec("h", Resources.none()), null, new HostTable(), new long[0], 0, 0);

  private final VictimList list = new VictimList();

  @Test
  void greaterKeysComeFirst() {
    addAll(victim("a", 1, 0), victim("b", 3, 0), victim("c", -2, 0), victim("d", 2, 0));

    assertThat(ids(list)).containsExactly("b", "d", "a", "c");
  }

  @Test
  void equalKeysAreOrderedByHashThenId() {
    addAll(
        victim("d", 1, -5), victim("b", 1, 7), victim("c", 1, -5), victim("a", 1, Long.MIN_VALUE));

    assertThat(ids(list)).containsExactly("b", "c", "d", "a");
  }

  @Test
  void wrappedKeysAreOrderedByValue() {
    // Values -1, 0, 1 at a time when the drift is near the end of the range.
    long drift = Long.MAX_VALUE - 1;
    addAll(victim("low", -1 - drift, 0), victim("high", 1 - drift, 0), victim("mid", -drift, 0));

    assertThat(ids(list)).containsExactly("high", "mid", "low");
  }

  @Test
  void removalKeepsTheOrder() {
    InstanceRecord b = victim("b", 3, 0);
    addAll(victim("a", 1, 0), b, victim("c", 2, 0));

    list.remove(b);

    assertThat(ids(list)).containsExactly("c", "a");
    assertThat(list.size()).isEqualTo(2);
  }

  @Test
  void refusesToRemoveAnInstanceWhoseKeyChanged() {
    InstanceRecord b = victim("b", 3, 0);
    addAll(victim("a", 1, 0), b, victim("c", 2, 0));

    key(b, 0);

    assertThatIllegalStateException()
        .isThrownBy(() -> list.remove(b))
        .withMessageContaining("instance b")
        .withMessageContaining("is not in its place");
  }

  @Test
  void refusesToRemoveFromAFullListAnInstanceWhoseKeyFellBelowAllOthers() {
    InstanceRecord d = victim("d", 5, 0);
    addAll(victim("a", 1, 0), victim("b", 3, 0), victim("c", 2, 0), d);

    key(d, 0);

    assertThatIllegalStateException()
        .isThrownBy(() -> list.remove(d))
        .withMessageContaining("is not in its place");
  }

  /** Keys that differ by so much have no order: one may precede the next in a circle. */
  @Test
  void removesInstancesInInconsistentOrder() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<InstanceRecord> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        all.add(victim("i" + i, random.nextLong(), 0));
      }
      all.forEach(list::add);
      Collections.shuffle(all, random);

      for (InstanceRecord each : all) {
        list.remove(each);
        assertThat(ids(list)).doesNotContain(each.id());
      }

      assertThat(list.size()).isZero();
    }
  }

  @Test
  void refusesToRemoveAnAbsentInstance() {
    addAll(victim("a", 1, 0));

    assertThatIllegalStateException().isThrownBy(() -> list.remove(victim("a", 1, 0)));
    assertThatIllegalStateException().isThrownBy(() -> new VictimList().remove(victim("a", 1, 0)));
  }

  @Test
  void refusesIndexBeyondTheEnd() {
    addAll(victim("a", 1, 0));

    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.get(1));
  }

  /** Items hold fewer dimensions if others were named after they came. */
  @Test
  void keepsTheAmountsOfItemsAlsoOfDimensionsThatCameLater() {
    addAll(holding("a", 4, 1, 2), holding("b", 3, 3, 4), holding("c", 2, 5));
    assertThat(amounts(1, 2)).containsExactly(3, 4);
    assertThat(amounts(2, 3)).containsExactly(5, 0, 0);

    list.add(holding("d", 1, 6, 7, 8));

    assertThat(amounts(0, 4)).containsExactly(1, 2, 0, 0);
    assertThat(amounts(1, 1)).containsExactly(3);
    assertThat(amounts(1, 3)).containsExactly(3, 4, 0);
    assertThat(amounts(2, 3)).containsExactly(5, 0, 0);
    assertThat(amounts(3, 4)).containsExactly(6, 7, 8, 0);
  }

  @Test
  void knowsWhichItemsHaveLostTimeToRestarts() {
    InstanceRecord a = victim("a", 3, 0);
    InstanceRecord c = victim("c", 1, 0);
    restart(a, 5);
    restart(c, 1);
    addAll(c, victim("b", 2, 0), a);
    assertThat(lostTime()).containsExactly(true, false, true);

    list.remove(a);

    assertThat(lostTime()).containsExactly(false, true);
  }

  @Property
  void staysSortedAfterAnyChanges(
      @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 19) Integer> toggles,
      @ForAll @LongRange(min = -(1L << 62), max = 1L << 62) long drift) {
    List<InstanceRecord> all =
        IntStream.range(0, 20).mapToObj(i -> victim("i" + i, i / 4 - drift, i % 2)).toList();
    for (int i = 0; i < 20; i++) {
      all.get(i).isPlaced(HOST, new Grant(new long[] {i % 8 / 3}, null), 0, 0);
    }
    List<InstanceRecord> expected = new ArrayList<>();
    VictimList tried = new VictimList();
    for (int each : toggles) {
      InstanceRecord victim = all.get(each);
      if (expected.remove(victim)) {
        tried.remove(victim);
      } else {
        expected.add(victim);
        tried.add(victim);
      }
    }
    expected.sort(
        Comparator.<InstanceRecord>comparingLong(victim -> -(victim.victimKey() + drift))
            .thenComparingLong(victim -> -victim.tieHash)
            .thenComparing(InstanceRecord::id));

    assertThat(ids(tried)).isEqualTo(expected.stream().map(InstanceRecord::id).toList());
    assertThat(tried.hasUnlikeEquals())
        .isEqualTo(
            expected.stream()
                .collect(Collectors.groupingBy(InstanceRecord::victimKey))
                .values()
                .stream()
                .anyMatch(
                    equals ->
                        equals.stream().mapToLong(each -> each.held()[0]).distinct().count() > 1));
  }

  @Test
  void equalsThatLoseProgressAreUnlike() {
    addAll(victim("a", 1, 0), losingProgress("b", 2));
    assertThat(list.hasUnlikeEquals()).isFalse();

    InstanceRecord c = losingProgress("c", 1);
    list.add(c);
    assertThat(list.hasUnlikeEquals()).isTrue();

    list.remove(c);
    assertThat(list.hasUnlikeEquals()).isFalse();
  }

  private void addAll(InstanceRecord... victims) {
    for (InstanceRecord each : victims) {
      list.add(each);
    }
  }

  /** Copies amounts between others. */
  private long[] amounts(int index, int count) {
    long[] target = new long[count + 2];
    Arrays.fill(target, -1);
    list.copyAmounts(index, target, 1, count);
    assertThat(target).startsWith(-1).endsWith(-1);
    return Arrays.copyOfRange(target, 1, count + 1);
  }

  private List<Boolean> lostTime() {
    return IntStream.range(0, list.size()).mapToObj(list::hasLostTime).toList();
  }

  private static InstanceRecord holding(String id, long key, long... held) {
    InstanceRecord victim = victim(id, key, 0);
    victim.isPlaced(HOST, new Grant(held, null), 0, 0);
    return victim;
  }

  private static void restart(InstanceRecord victim, long overhead) {
    victim.isPreempted(0);
    victim.isPlaced(HOST, victim.wholeDemand, 0, 0);
    victim.runs(overhead);
  }

  private static void key(InstanceRecord victim, long key) {
    victim.nextVictimKey(key);
    victim.takeKeys();
  }

  private static List<String> ids(VictimList list) {
    return IntStream.range(0, list.size()).mapToObj(i -> list.get(i).id()).toList();
  }

  private static InstanceRecord losingProgress(String id, long key) {
    return victim(request(id).losesProgress(true).build(), key, 0);
  }

  private static InstanceRecord victim(String id, long key, long tieHash) {
    return victim(request(id).build(), key, tieHash);
  }

  private static Request.Builder request(String id) {
    return Request.builder(id, "gold").demand(Resources.none());
  }

  private static InstanceRecord victim(Request request, long key, long tieHash) {
    InstanceRecord victim =
        new InstanceRecord(request, GOLD, new long[0], null, null, null, null, 0, 0, tieHash);
    key(victim, key);
    return victim;
  }
}
