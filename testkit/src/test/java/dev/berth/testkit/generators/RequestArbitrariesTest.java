package dev.berth.testkit.generators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Moldability;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.testkit.history.Scale;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;

class RequestArbitrariesTest {

  private static final ServiceClass GOLD = ServiceClass.builder("gold").build();
  private static final ServiceClass BRONZE = ServiceClass.builder("bronze").slo(0.5).build();

  @Example
  void requestsCoverAllProperties() {
    Samples.of(RequestArbitraries.of(List.of(GOLD, BRONZE)), 5000)
        .have("the first class", 0.3, it -> it.serviceClass().equals("gold"))
        .have("the second class", 0.3, it -> it.serviceClass().equals("bronze"))
        .have("no demand", 0.01, it -> it.demand().equals(Resources.none()))
        .have("the greatest demand", 0.0005, it -> cpu(it) == Long.MAX_VALUE)
        .have("a huge demand", 0.03, it -> cpu(it) >= 1L << 59)
        .have("conditions", 0.05, it -> !it.constraints().isEmpty())
        .have("a job", 0.1, it -> it.job().isPresent())
        .have("anti-affinity", 0.05, Request::antiAffinity)
        .have("less guaranteed than demanded", 0.03, it -> !it.guaranteed().equals(it.demand()))
        .have("nothing guaranteed", 0.01, it -> it.guaranteed().equals(Resources.none()))
        .have("an estimate", 0.05, it -> it.estimatedRunTime().isPresent())
        .have("a deadline", 0.05, it -> it.deadline().isPresent())
        .have("a longest run time", 0.02, it -> it.maxRunTime().isPresent())
        .have("moldability", 0.05, it -> it.moldability().isPresent())
        .have("a memory profile", 0.05, it -> it.memoryProfile().isPresent())
        .have("a PMP", 0.05, it -> it.performanceMemoryProfile().isPresent())
        .have("none of that", 0.75, RequestArbitrariesTest::isPlain);
  }

  @Example
  void demandsIncludeWholeHostsAndMore() {
    Samples.of(RequestArbitraries.shapes().map(each -> each.demand().get(0)), 2000)
        .have("all of a usual host", 0.02, it -> it == 4 || it == 6 || it == 10)
        .have("more than any host has", 0.005, it -> it > 15);
  }

  @Property(tries = 1, generation = GenerationMode.RANDOMIZED)
  @AddLifecycleHook(Smallest.class)
  void requestsShrink(@ForAll("requests") Request any) {
    throw new AssertionError(any);
  }

  static final class Smallest extends ShrinkResultHook<Request> {
    @Override
    void judge(Request shrunk) {
      assertThat(shrunk)
          .usingRecursiveComparison()
          .isEqualTo(
              Request.builder("r1", "gold")
                  .demand(Resources.of(Scale.DIMENSIONS.get(0), Scale.WHOLE))
                  .build());
    }
  }

  @Property(tries = 100, generation = GenerationMode.RANDOMIZED)
  @AddLifecycleHook(TwoOptions.class)
  void optionsShrinkOneByOne(@ForAll("requests") Request any) {
    if (any.deadline().isPresent() && any.moldability().isPresent()) {
      throw new AssertionError(any);
    }
  }

  static final class TwoOptions extends ShrinkResultHook<Request> {
    @Override
    void judge(Request shrunk) {
      assertThat(shrunk)
          .usingRecursiveComparison()
          .isEqualTo(
              Request.builder("r1", "gold")
                  .demand(Resources.of(Scale.DIMENSIONS.get(0), Scale.WHOLE))
                  .deadline(Duration.ofSeconds(30))
                  .moldability(Moldability.LINPACK)
                  .build());
    }
  }

  @Provide
  Arbitrary<Request> requests() {
    return RequestArbitraries.of(List.of(GOLD, BRONZE));
  }

  private static boolean isPlain(Request request) {
    return request.guaranteed().equals(request.demand())
        && request.estimatedRunTime().isEmpty()
        && request.deadline().isEmpty()
        && request.moldability().isEmpty()
        && request.memoryProfile().isEmpty()
        && request.performanceMemoryProfile().isEmpty();
  }

  private static long cpu(Request request) {
    return request.demand().amount(Scale.DIMENSIONS.get(0));
  }
}
