package dev.berth.core.internal.search;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.core.TestParts;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.rule.Limits;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The victims that go, of those that are equal. */
class VictimChoiceTest {

  private static final int NOW = 100;

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final VictimSearch search =
      new VictimSearch(
          SearchParts.preempting(state, TestParts.victimsBy(Map.of()), VictimChoiceTest::judge));
  private final List<InstanceRecord> candidates = new ArrayList<>();
  private int number;

  private static Verdict judge(PreemptionPair pair) {
    return pair.victim().request().job().filter("safe"::equals).isPresent()
        ? Verdict.refuse("safe", "safe")
        : Verdict.allow("any", "any other");
  }

  private HostRecord host(Resources capacity) {
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", capacity), 0);
    search.joined(host);
    return host;
  }

  private InstanceRecord running(HostRecord host, Request.Builder request, long value, long since) {
    InstanceRecord instance = (InstanceRecord) events.submit(request.build(), since);
    instance.nextVictimKey(value);
    transitions.place(instance, host, instance.wholeDemand);
    events.started(instance.id(), since);
    search.add(instance, host, search.groupOf(instance, instance.state()));
    candidates.add(instance);
    return instance;
  }

  private Request.Builder request(Resources demand) {
    return Request.builder("i" + number++, "only").demand(demand);
  }

  private void running(HostRecord host, double... cpus) {
    Arrays.stream(cpus).forEach(each -> running(host, request(cores(each)), 0, 0));
  }

  private Optional<List<InstanceRecord>> find(HostRecord host, Request.Builder request) {
    search.prepare(NOW, 1);
    InstanceRecord beneficiary = (InstanceRecord) events.submit(request.build(), NOW);
    search.beneficiary(beneficiary);
    return search.find(host, beneficiary.demand)
        ? Optional.of(List.of(Arrays.copyOf(search.victims(), search.count())))
        : Optional.empty();
  }

  private List<Double> cpusOf(Optional<List<InstanceRecord>> victims) {
    return victims.orElseThrow().stream().map(each -> each.held()[0] / 1e9).sorted().toList();
  }

  /** Whatever the hashes of their names. */
  @ParameterizedTest
  @CsvSource({"1, 4, 3", "4, 3, 1", "3, 1, 4", "1, 3, 4"})
  void oneGoesRatherThanTwo(double one, double other, double third) {
    HostRecord host = host(cores(8));
    running(host, one, other, third);

    assertThat(cpusOf(find(host, request(cores(4))))).containsExactly(4.0);
  }

  @Test
  void ofAsManyTheSmallestGoThatFreeEnough() {
    HostRecord host = host(cores(20));
    running(host, 9, 5, 2, 4);

    assertThat(cpusOf(find(host, request(cores(3))))).containsExactly(4.0);
    assertThat(cpusOf(find(host, request(cores(10))))).containsExactly(2.0, 9.0);
  }

  @Test
  void theOrderOfOthersIsKept() {
    HostRecord host = host(cores(5));
    InstanceRecord first = running(host, request(cores(1)), 2, 0);
    running(host, request(cores(4)), 1, 0);

    assertThat(find(host, request(cores(1)))).contains(List.of(first));
  }

  /** A choice among the last ones may spare earlier ones. */
  @Test
  void theOneGoesThatSparesAnEarlierOne() {
    HostRecord host = host(cores(9));
    running(host, request(cores(2)), 1, 0);
    running(host, 3, 4);

    assertThat(cpusOf(find(host, request(cores(4))))).containsExactly(4.0);
  }

  @Test
  void ofAsManyThoseGoThatLoseLeast() {
    HostRecord host = host(cores(8));
    running(host, request(cores(3)).losesProgress(true), 0, 10);
    running(host, request(cores(5)).losesProgress(true), 0, 60);

    assertThat(cpusOf(find(host, request(cores(3))))).containsExactly(5.0);
  }

  /** One member may go, and the large one frees enough. */
  @ParameterizedTest
  @CsvSource({"2, 1", "1, 2", "1, 1"})
  void anAllowanceIsSpentOnTheMemberThatFreesEnough(long valueOfSmall, long valueOfLarge) {
    state.budgets().set("web", DisruptionBudget.maxDown(1), 0);
    HostRecord host = host(cores(5));
    running(host, request(cores(1)).job("web"), valueOfSmall, 0);
    running(host, request(cores(4)).job("web"), valueOfLarge, 0);

    assertThat(cpusOf(find(host, request(cores(4))))).containsExactly(4.0);
    assertThat(find(host, request(cores(5)))).isEmpty();
    assertThat(search.budgetDecides()).isFalse(); // with fewer candidates there is none either
  }

  /** The least of all sets of victims that may go, as a look at each of them finds it. */
  @Property(tries = 3_000)
  void theLeastOfAllSetsGoes(@ForAll long seed) {
    new VictimChoiceTest().compareWithAllSets(new SplittableRandom(seed));
  }

  private void compareWithAllSets(SplittableRandom random) {
    HostRecord host = host(cores(30, 30));
    boolean withBudgets = random.nextInt(3) == 0;
    boolean withLimits = random.nextInt(4) == 0;
    state.budgets().set("web", DisruptionBudget.maxDown(random.nextInt(3)), 0);
    state.budgets().set("db", DisruptionBudget.minUp(random.nextInt(3)), 0);
    events.setLimit("matlab", 6, 0);
    int size = random.nextInt(1, 11);
    int values = random.nextInt(1, 5);
    long since = 0;
    for (int i = 0; i < size; i++) {
      Request.Builder each = request(cores(random.nextInt(1, 4), random.nextInt(4)));
      each.losesProgress(random.nextInt(4) == 0);
      int die = random.nextInt(8);
      if (die < 3) {
        each.job(die == 0 ? "safe" : !withBudgets ? "free" : die == 1 ? "web" : "db");
      }
      running(host, using(each, withLimits, random), random.nextInt(values), since);
      since += random.nextInt(3);
    }
    Request.Builder beneficiary =
        using(request(cores(random.nextInt(1, 31), random.nextInt(31))), withLimits, random);

    Optional<List<InstanceRecord>> actual = find(host, beneficiary);

    assertThat(actual).isEqualTo(leastOfAll(host));
  }

  private static Request.Builder using(
      Request.Builder request, boolean withLimits, SplittableRandom random) {
    int uses = withLimits ? random.nextInt(5) : 0;
    PlacementSpec.Builder rules = PlacementSpec.builder();
    if (uses > 0 && random.nextBoolean()) {
      request.placement(rules.use("matlab", uses).build());
    } else if (uses > 0) {
      request.placement(rules.usePerHost("matlab", uses).build());
    }
    return request;
  }

  private Optional<List<InstanceRecord>> leastOfAll(HostRecord host) {
    List<InstanceRecord> eligible =
        candidates.stream()
            .filter(each -> each.request().job().filter("safe"::equals).isEmpty())
            .sorted(
                Comparator.comparing(InstanceRecord::victimKey)
                    .reversed()
                    .thenComparing(VictimList::compareTied))
            .toList();
    return IntStream.range(0, 1 << eligible.size())
        .mapToObj(
            set ->
                IntStream.range(0, eligible.size())
                    .filter(i -> (set >> i & 1) == 1)
                    .mapToObj(eligible::get)
                    .toList())
        .filter(some -> mayGo(host, some))
        .min(
            Comparator.<List<InstanceRecord>>comparingLong(some -> number(some, 0))
                .thenComparingLong(some -> number(some, 1))
                .thenComparingLong(some -> number(some, 2))
                .thenComparingLong(some -> number(some, 3))
                .thenComparingLong(VictimChoiceTest::loss)
                .thenComparingLong(VictimChoiceTest::share));
  }

  private boolean mayGo(HostRecord host, List<InstanceRecord> some) {
    InstanceRecord beneficiary = (InstanceRecord) search.pair().beneficiary();
    InstanceRecord[] victims = some.toArray(InstanceRecord[]::new);
    return IntStream.range(0, 2)
            .allMatch(
                d ->
                    candidates.stream()
                                .filter(each -> !some.contains(each))
                                .mapToLong(each -> each.held()[d])
                                .sum()
                            + beneficiary.demand[d]
                        <= 30_000_000_000L)
        && Limits.areCovered(beneficiary, host, victims, victims.length)
        && BudgetRecord.protection(victims, victims.length) == null;
  }

  private static long number(List<InstanceRecord> some, long value) {
    return some.stream().filter(each -> each.victimKey() == value).count();
  }

  private static long loss(List<InstanceRecord> some) {
    return some.stream()
        .filter(each -> each.request().losesProgress())
        .mapToLong(each -> NOW - each.stateSince())
        .sum();
  }

  private static long share(List<InstanceRecord> some) {
    return some.stream()
        .flatMapToLong(each -> Arrays.stream(each.held()))
        .map(held -> (long) ((double) held / 30e9 * (1 << 30)))
        .sum();
  }

  /** Too many to look at all sets, so the choice is bounded. */
  @Test
  void manyUnequalOnesAreAtMostThoseOfTheOrder() {
    HostRecord host = host(cores(2_000, 2_000));
    for (int i = 0; i < 60; i++) {
      running(host, request(cores(10 + i % 13, 30 - i % 17)), 0, 0);
    }

    assertThat(find(host, request(cores(600, 700))).orElseThrow()).hasSizeLessThan(30);
  }
}
