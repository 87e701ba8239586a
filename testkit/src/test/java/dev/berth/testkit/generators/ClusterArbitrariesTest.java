package dev.berth.testkit.generators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.testkit.generators.ClusterArbitraries.Importance;
import dev.berth.testkit.history.Scale;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;

class ClusterArbitrariesTest {

  private static final int SAMPLES = 2000;

  // ---- Service classes

  @Example
  void objectivesCoverTheirRange() {
    Samples.of(ClusterArbitraries.slos(), SAMPLES)
        .allHave("an objective", it -> it >= 0.001 && it <= 1)
        .have("1", 0.1, it -> it == 1)
        .have("the greatest below 1", 0.05, it -> it == 0.999_999_999)
        .have("the smallest", 0.05, it -> it == 0.001)
        .have("an unusual one", 0.2, it -> it * 1000 % 1 != 0);
  }

  @Example
  void serviceClassesCoverAllSettings() {
    Samples.of(ClusterArbitraries.serviceClasses(), SAMPLES)
        .allHave("distinct names", it -> distinct(it.stream().map(ServiceClass::name)) == it.size())
        .have("one class", 0.05, it -> it.size() == 1)
        .have("six classes", 0.05, it -> it.size() == 6)
        .have("equal importance", 0.2, it -> ranks(it) < it.size())
        .have("distinct importance", 0.2, it -> it.size() > 1 && ranks(it) == it.size())
        .have("an objective of 1", 0.1, some(it -> it.slo().equals(Slo.of(1))))
        .have("no margin", 0.1, some(it -> it.safetyMargin().isZero()))
        .have("the longest margin", 0.1, some(it -> it.safetyMargin().toDays() == 36_500))
        .have("a limit of 0", 0.1, some(it -> it.preemptionOverheadLimit() == 0))
        .have("a limit of 1", 0.1, some(it -> it.preemptionOverheadLimit() == 1))
        .have("the least importance", 0.05, some(it -> it.importance() == Integer.MAX_VALUE));
  }

  @Example
  void importanceIsEqualOrDistinctOnDemand() {
    Samples.of(ClusterArbitraries.serviceClasses(Importance.DISTINCT), SAMPLES)
        .allHave("distinct importance", it -> ranks(it) == it.size())
        .have("the first not the most important", 0.2, it -> it.get(0).importance() > 1);
    Samples.of(ClusterArbitraries.serviceClasses(Importance.EQUAL), SAMPLES)
        .allHave("equal importance", it -> ranks(it) == 1)
        .have("several", 0.5, it -> it.size() > 1);
  }

  @Property(tries = 1, generation = GenerationMode.RANDOMIZED)
  @AddLifecycleHook(OneSimpleClass.class)
  void serviceClassesShrink(@ForAll("serviceClasses") List<ServiceClass> any) {
    throw new AssertionError(any);
  }

  static final class OneSimpleClass extends ShrinkResultHook<List<ServiceClass>> {
    @Override
    void judge(List<ServiceClass> shrunk) {
      assertThat(shrunk)
          .containsExactly(ServiceClass.builder("gold").slo(1).safetyMargin(Duration.ZERO).build());
    }
  }

  @Provide
  Arbitrary<List<ServiceClass>> serviceClasses() {
    return ClusterArbitraries.serviceClasses();
  }

  private static Predicate<List<ServiceClass>> some(Predicate<ServiceClass> condition) {
    return all -> all.stream().anyMatch(condition);
  }

  private static long ranks(List<ServiceClass> classes) {
    return distinct(classes.stream().map(ServiceClass::importance));
  }

  // ---- Infrastructures

  @Example
  void infrastructuresCoverAllMixes() {
    Samples.of(WorkloadArbitraries.infrastructures(), SAMPLES)
        .have("no host", 0.01, it -> it.hosts().isEmpty())
        .have("one host", 0.05, it -> it.hosts().size() == 1)
        .have("alike", 0.1, it -> it.hosts().size() > 1 && distinct(capacities(it)) == 1)
        .have("different", 0.1, it -> distinct(capacities(it)) > 1)
        .have("attributes", 0.1, it -> attributes(it).anyMatch(each -> !each.isEmpty()))
        .have("no capacity", 0.02, it -> capacities(it).anyMatch(Resources.none()::equals))
        .have(
            "none in some dimensions",
            0.1,
            it -> capacities(it).anyMatch(ClusterArbitrariesTest::hasGaps))
        .have("one dimension", 0.1, it -> capacities(it).allMatch(ClusterArbitrariesTest::isNarrow))
        .have("the maximum amount", 0.01, it -> capacities(it).anyMatch(atLeast(0)))
        .have("nearly the maximum amount", 0.05, it -> capacities(it).anyMatch(atLeast(61)));
  }

  @Property(tries = 1, generation = GenerationMode.RANDOMIZED, seed = "1")
  @AddLifecycleHook(OneSmallHost.class)
  void infrastructuresShrink(@ForAll("infrastructures") Infrastructure any) {
    assertThat(any.hosts()).isEmpty();
  }

  static final class OneSmallHost extends ShrinkResultHook<Infrastructure> {
    @Override
    void judge(Infrastructure shrunk) {
      assertThat(shrunk.hosts())
          .containsExactly(new HostSpec("h1", Resources.of(Scale.DIMENSIONS.get(0), Scale.WHOLE)));
    }
  }

  @Provide
  Arbitrary<Infrastructure> infrastructures() {
    return WorkloadArbitraries.infrastructures();
  }

  private static Stream<Resources> capacities(Infrastructure infrastructure) {
    return infrastructure.hosts().stream().map(HostSpec::capacity);
  }

  private static Stream<Map<String, String>> attributes(Infrastructure infrastructure) {
    return infrastructure.hosts().stream().map(HostSpec::attributes);
  }

  private static boolean hasGaps(Resources capacity) {
    return capacity.dimensions().size() == 2;
  }

  private static boolean isNarrow(Resources capacity) {
    return capacity.dimensions().size() == 1;
  }

  private static Predicate<Resources> atLeast(int bits) {
    long least = bits == 0 ? Long.MAX_VALUE : 1L << bits;
    return it -> it.dimensions().stream().anyMatch(each -> it.amount(each) >= least);
  }

  private static long distinct(Stream<?> all) {
    return all.distinct().count();
  }
}
